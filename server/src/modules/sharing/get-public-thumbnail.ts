import type { getPublicThumbnail as call } from '@alcove/contract/sharing'
import type { Operation } from '../../platform/http/api.ts'
import { getThumbnailOf } from '../previews/index.ts'
import { getInside } from './inside-link.ts'
import { openLink } from './open-link.ts'

export const getPublicThumbnail: Operation<typeof call> = async (ctx, { token, id, access, size }) => {
  const { item } = await getInside(ctx.db, await openLink(ctx, token, access), id)
  return getThumbnailOf(ctx, item, size, ctx.abortSignal())
}
