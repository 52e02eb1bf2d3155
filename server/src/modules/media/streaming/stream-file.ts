import type { streamFile as call } from '@alcove/contract/media'
import type { Operation } from '../../../platform/http/api.ts'
import { fileResponse } from '../../items/index.ts'
import { getGranted } from './find-stream.ts'

/** The bytes behind a signed address. */
export const streamFile: Operation<typeof call> = async (ctx, grant) =>
  fileResponse(await getGranted(ctx, grant), 'inline')
