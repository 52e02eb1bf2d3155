import type { UserContext } from '../../../context.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { readPath } from '../dav-path.ts'
import { enterMount } from '../enter-mount.ts'
import { getAt } from '../resolve-path.ts'

/** Returns what is at a path below the user's root that isn't percent-encoded, such as `/Photos/a.jpg`. Throws 400 or 404. */
export async function findAt({ db, user }: Pick<UserContext, 'db' | 'user'>, path: string): Promise<ItemRow> {
  return (await getAt(db, user, readPath({ prefix: '' }, encodePath(path)) ?? [])).item
}

/** Like `findAt`, for a path of an address. It may lead into a shared folder. */
export async function findReadable(ctx: UserContext, encodedPath: string): Promise<ItemRow> {
  const mount = { prefix: '' }
  const { ctx: at, path } = await enterMount({ ctx, mount, path: readPath(mount, encodedPath) ?? [] }, 'read')
  return (await getAt(at.db, at.user, path)).item
}

/** Encodes a path as an address has it. */
export function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
