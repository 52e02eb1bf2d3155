import type { getThumbnail as call } from '@alcove/contract/bytes'
import type { Operation } from '../../../platform/http/api.ts'
import { getOwnListedFile } from '../../items/index.ts'
import { getThumbnailOf } from '../../previews/index.ts'

export const getThumbnail: Operation<typeof call> = async (ctx, { id, size, v }) => {
  const file = await getOwnListedFile(ctx.db, ctx.user, id)
  const thumbnail = await getThumbnailOf(ctx, file, size, ctx.abortSignal())
  // Under an address that names the file's state the response is the same for ever.
  return { ...thumbnail, isImmutable: v === new Date(file.updated_at).toISOString() }
}
