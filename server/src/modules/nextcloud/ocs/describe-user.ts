import type { SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { OcsValue } from './write-xml.ts'

/** Returns what clients show about the account. They also build the addresses of WebDAV from `id`. */
export async function describeUser(db: Database, { id, email }: Pick<SessionUser, 'id' | 'email'>): Promise<OcsValue> {
  const row = await db
    .selectFrom('users')
    .select(['display_name', 'used_bytes', 'reserved_bytes', 'allocated_bytes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const name = row.display_name ?? email
  return {
    id: email,
    enabled: true,
    email,
    'display-name': name,
    // The name of the same field in `/cloud/users/{user}` of older servers.
    displayname: name,
    quota: describeQuota(row.used_bytes, row.reserved_bytes, row.allocated_bytes),
    groups: [],
    language: 'en',
    locale: 'en',
  }
}

/** `quota` is what the desktop client shows as the total; Android takes 0 for 'unknown'. */
function describeQuota(used: number, reserved: number, total: number): OcsValue {
  const share = total > 0 ? (used / total) * 100 : 100
  return {
    free: Math.max(0, total - used - reserved),
    used,
    total,
    relative: Math.min(100, Math.round(share * 100) / 100),
    quota: total,
  }
}
