import type { getPublicItem as call } from '@alcove/contract/sharing'
import type { Operation } from '../../platform/http/api.ts'
import { openLink } from './open-link.ts'
import { presentPublicFile, readPublicFolder } from './public-item.ts'

export const getPublicItem: Operation<typeof call> = async (ctx, { token, access }) => {
  const shared = await openLink(ctx, token, access)
  return shared.kind === 'file' ? presentPublicFile(shared) : readPublicFolder(ctx.db, shared, [])
}
