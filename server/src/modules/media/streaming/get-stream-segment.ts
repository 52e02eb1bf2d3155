import type { getStreamSegment as call } from '@alcove/contract/media'
import type { Operation } from '../../../platform/http/api.ts'
import { getGranted } from './find-stream.ts'
import { segmentResponse } from './stream-response.ts'

export const getStreamSegment: Operation<typeof call> = async (ctx, { index, way, ...grant }) => {
  const file = await getGranted(ctx, grant)
  return segmentResponse(ctx, { file, way, index, group: file.owner_id })
}
