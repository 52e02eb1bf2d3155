import type { getPublicFolder as call } from '@alcove/contract/sharing'
import { notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { getInside } from './inside-link.ts'
import { openLink } from './open-link.ts'
import { presentOwner, readPublicFolder } from './public-item.ts'

export const getPublicFolder: Operation<typeof call> = async (ctx, { token, id, access }) => {
  const shared = await openLink(ctx, token, access)
  const { item, path } = await getInside(ctx.db, shared, id)
  if (item.kind !== 'folder') throw notFound('item')
  return { ...(await readPublicFolder(ctx.db, item, path)), ...presentOwner(shared) }
}
