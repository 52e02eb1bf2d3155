import type { getUpload as call } from '@alcove/contract/uploads'
import type { Operation } from '../../platform/http/api.ts'
import { getOwnUpload } from './own-upload.ts'
import { findUploaded } from './present-uploaded.ts'

export const getUpload: Operation<typeof call> = async (ctx, { uploadId }) => {
  const upload = await getOwnUpload(ctx.db, ctx.user, uploadId)
  return {
    uploadId: upload.id,
    filename: upload.filename,
    totalChunks: upload.total_chunks,
    received: await listReceived(),
    file: await findUploaded(ctx.db, ctx.user, upload),
  }

  async function listReceived(): Promise<number[]> {
    // A completed upload has all its chunks, and no rows for them any more.
    if (upload.completed_at !== null) return Array.from({ length: upload.total_chunks }, (_, index) => index)
    const chunks = await ctx.db
      .selectFrom('upload_chunks')
      .select('chunk_index')
      .where('upload_id', '=', upload.id)
      .orderBy('chunk_index')
      .execute()
    return chunks.map((chunk) => chunk.chunk_index)
  }
}
