import type { UserContext } from '../../../context.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { signGrant } from '../../../platform/secrets/signed-url.ts'

/** Addresses of one file that are good for six hours: of its bytes, and of what is made of it. */
export function grantStream(
  ctx: UserContext,
  file: ItemRow,
): (path?: string, query?: Record<string, string>) => string {
  const subject = { id: file.id, owner: ctx.user.id }
  const signed = signGrant(ctx.secrets.urlKey, 'stream', subject, ctx.clock.now()).query
  return (path = '', query = {}) =>
    `${ctx.config.publicUrl}/api/stream/${file.id}${path}?${new URLSearchParams([...signed, ...Object.entries(query)])}`
}
