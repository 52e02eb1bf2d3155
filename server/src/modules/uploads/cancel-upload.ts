import type { cancelUpload as call } from '@alcove/contract/uploads'
import type { Operation } from '../../platform/http/api.ts'
import { discardUpload } from './discard-upload.ts'
import { lockOpenUpload } from './own-upload.ts'

export const cancelUpload: Operation<typeof call> = async (ctx, { uploadId }) => {
  await ctx.db.transaction().execute(async (tx) => discardUpload(ctx, tx, await lockOpenUpload(tx, ctx.user, uploadId)))
  return { message: 'The upload was cancelled.' }
}
