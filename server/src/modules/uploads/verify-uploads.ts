import type { verifyUploads as call } from '@alcove/contract/uploads'
import type { Operation } from '../../platform/http/api.ts'

/** Looks the uploads up in what is stored. One that is in neither answer never became a file. */
export const verifyUploads: Operation<typeof call> = async (ctx, { uploadIds }) => {
  const completed = await ctx.db
    .selectFrom('uploads')
    .leftJoin('items', (join) =>
      join.onRef('items.id', '=', 'uploads.item_id').onRef('items.blob_key', '=', 'uploads.blob_key'),
    )
    .leftJoin('blobs', 'blobs.key', 'items.blob_key')
    .select(['uploads.id', 'blobs.size'])
    .where('uploads.owner_id', '=', ctx.user.id)
    .where('uploads.id', 'in', uploadIds)
    .where('uploads.completed_at', 'is not', null)
    .execute()
  return {
    stored: completed.flatMap(({ id, size }) => (size === null ? [] : [{ uploadId: id, size }])),
    gone: completed.filter(({ size }) => size === null).map(({ id }) => id),
  }
}
