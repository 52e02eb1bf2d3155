import type { getPublicItem as call } from '@alcove/contract/sharing'
import type { Operation } from '../../platform/http/api.ts'
import { openLink } from './open-link.ts'
import { presentOwner, presentPublicFile, readPublicFolder } from './public-item.ts'

export const getPublicItem: Operation<typeof call> = async (ctx, { token, access }) => {
  const shared = await openLink(ctx, token, access)
  const item = shared.kind === 'file' ? presentPublicFile(shared) : await readPublicFolder(ctx.db, shared, [])
  return { ...item, ...presentOwner(shared) }
}
