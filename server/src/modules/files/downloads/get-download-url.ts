import type { getDownloadUrl as call } from '@alcove/contract/bytes'
import type { Operation } from '../../../platform/http/api.ts'
import { signGrant } from '../../../platform/secrets/signed-url.ts'
import { getOwnItem } from '../../items/index.ts'

export const getDownloadUrl: Operation<typeof call> = async (ctx, { id }) => {
  const item = await getOwnItem(ctx.db, ctx.user, id)
  const subject = { id: item.id, owner: ctx.user.id }
  const { query } = signGrant(ctx.secrets.urlKey, 'download', subject, ctx.clock.now())
  return { url: `${ctx.config.publicUrl}/api/download-item/${item.id}?${query}` }
}
