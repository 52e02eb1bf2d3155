import type { UserContext } from '../../../context.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { readPath } from '../dav-path.ts'
import { getAt } from '../resolve-path.ts'

/** Returns what is at a path below the user's root that isn't percent-encoded, such as `/Photos/a.jpg`. Throws 400 or 404. */
export function findAt(ctx: Pick<UserContext, 'db' | 'user'>, path: string): Promise<ItemRow> {
  return findAtEncoded(ctx, path.toWellFormed().split('/').map(encodeURIComponent).join('/'))
}

/** Like `findAt`, for a path of an address. */
export async function findAtEncoded({ db, user }: Pick<UserContext, 'db' | 'user'>, path: string): Promise<ItemRow> {
  return (await getAt(db, user, readPath({ prefix: '' }, path) ?? [])).item
}
