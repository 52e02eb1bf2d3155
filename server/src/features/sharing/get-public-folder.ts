import type { getPublicFolder as call } from '@alcove/contract/sharing'
import { notFound } from '../../errors.ts'
import type { Operation } from '../../platform/http/api.ts'
import { getInside } from './inside-link.ts'
import { openLink } from './open-link.ts'
import { readPublicFolder } from './public-item.ts'

export const getPublicFolder: Operation<typeof call> = async (ctx, { token, id, access }) => {
  const { item, path } = await getInside(ctx.db, await openLink(ctx, token, access), id)
  if (item.kind !== 'folder') throw notFound('item')
  return readPublicFolder(ctx.db, item, path)
}
