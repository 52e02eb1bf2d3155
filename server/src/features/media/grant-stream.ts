import { STREAM_URL_TTL } from '@alcove/contract/limits'
import type { UserContext } from '../../context.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { signGrant } from '../../platform/secrets/signed-url.ts'

/** Addresses of one file that are good for six hours: of its bytes, and of what is made of it. */
export function grantStream(
  ctx: UserContext,
  file: ItemRow,
): (path?: string, query?: Record<string, string>) => string {
  const grant = { id: file.id, owner: ctx.user.id, expires: ctx.clock.now() + STREAM_URL_TTL }
  const signed = signGrant(ctx.secrets.urlKey, 'stream', grant)
  return (path = '', query = {}) =>
    `${ctx.config.publicUrl}/api/stream/${file.id}${path}?${new URLSearchParams([...signed, ...Object.entries(query)])}`
}
