import type { streamFile as call } from '@alcove/contract/media'
import type { Operation } from '../../platform/http/api.ts'
import { answerFile } from '../../tree/answer-bytes.ts'
import { getGranted } from './find-stream.ts'

/** The bytes behind a signed address. */
export const streamFile: Operation<typeof call> = async (ctx, grant) =>
  answerFile(await getGranted(ctx, grant), 'inline')
