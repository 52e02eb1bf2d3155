import { MAX_FILE_SIZE } from '@alcove/contract/limits'
import { FILE_NAME_EMPTY, findNameProblem, normalizeName } from '@alcove/contract/names'
import type { SessionUser, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { assertInScope } from '../../../platform/http/app-passwords.ts'
import { assertSpaceFor, assertSpaceForItem, describeSize, nameTaken, type Place } from '../../items/index.ts'
import { countingReclaimable } from '../../versions/index.ts'
import { type Destination, findSibling, openDestination } from '../destination.ts'

/** The name that a file gets or has, and its folder. */
export interface StreamTarget {
  folderId: string
  filename: string
}

/**
 * Throws if a file can't be stored under a name in a folder, as far as that is known before its bytes arrive. `size` is undefined
 * if the client doesn't announce it.
 */
export async function assertMayStore(ctx: UserContext, target: StreamTarget, size: number | undefined): Promise<void> {
  await assertDestination(ctx, ctx.db, readTarget(ctx.user, target), readName(target))
  if (size !== undefined) await assertFits(ctx, size)
}

/** Throws if there is no space for so many bytes, in the user's storage or on the disk. */
export async function assertFits(ctx: UserContext, size: number): Promise<void> {
  assertSize(size)
  await countingReclaimable(ctx, () => assertSpaceFor(ctx.db, ctx.user, size))
  await ctx.blobs.assertFits(size)
}

/**
 * Opens the folder. Throws if a folder has the name, if the file would be one item too many, or if an app password that may only
 * upload would replace a file.
 */
export async function assertDestination(
  ctx: UserContext,
  db: Database,
  destination: Destination,
  filename: string,
): Promise<Place> {
  const place = await openDestination(db, ctx.user, destination)
  const existing = await findSibling(db, place, filename)
  if (existing?.kind === 'folder') throw nameTaken(filename)
  if (existing && ctx.user.appPassword) assertInScope(ctx.user.appPassword, 'write')
  if (!existing) await assertSpaceForItem(db, ctx)
  return place
}

export function readTarget({ appPassword }: SessionUser, { folderId }: StreamTarget): Destination {
  const onConflict = appPassword?.scope === 'upload' ? 'fail' : 'replace'
  // `isEncrypted` keeps plain bytes out of the vault.
  return { folderId, folders: [], area: 'drive', isEncrypted: false, onConflict }
}

/** Returns the name as it is stored. Throws if it can't be a name. */
export function readName({ filename }: StreamTarget): string {
  const name = normalizeName(filename)
  const problem = findNameProblem(name, FILE_NAME_EMPTY)
  if (problem !== undefined) throw new AppError('malformed', problem)
  return name
}

export function assertSize(size: number): void {
  if (size > MAX_FILE_SIZE) {
    throw new AppError('too_large', `A file can have at most ${describeSize(MAX_FILE_SIZE)}.`)
  }
}
