import type { getStreamSegment as call } from '@alcove/contract/media'
import type { Operation } from '../../platform/http/api.ts'
import { answerSegment } from '../../tree/answer-parts.ts'
import { getGranted } from './find-stream.ts'

export const getStreamSegment: Operation<typeof call> = async (ctx, { index, way, ...grant }) => {
  const file = await getGranted(ctx, grant)
  return answerSegment(ctx, { file, way, index, group: file.owner_id })
}
