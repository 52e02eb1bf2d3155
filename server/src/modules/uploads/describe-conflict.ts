import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { formatTime } from '../../platform/format.ts'
import { nameTaken } from '../items/index.ts'
import { type Destination, findSibling, openDestination } from './destination.ts'

/** Refuses a file whose name is taken before its bytes arrive. The unique index still decides. */
export async function assertNameFree(ctx: UserContext, db: Database, to: Destination, filename: string): Promise<void> {
  const existing = await findExisting(ctx, db, to, filename)
  if (existing) throw nameTakenBy(ctx, existing, filename)
}

/**
 * Adds the item that has the name to a 'name taken' error, so that the user can compare. Returns other errors
 * unchanged.
 */
export async function describeConflict(
  ctx: UserContext,
  error: unknown,
  to: Destination,
  filename: string,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'name_taken' || error.details.existing) return error
  const existing = await findExisting(ctx, ctx.db, to, filename)
  return existing ? nameTakenBy(ctx, existing, filename) : error
}

/** Finds the item that has the name of an upload at its destination. */
export async function findExisting(
  ctx: UserContext,
  db: Database,
  to: Destination,
  filename: string,
): Promise<ItemRow | undefined> {
  let place = await openDestination(db, ctx.user, to)
  for (const name of to.folders) {
    const folder = await findSibling(db, place, name)
    if (folder?.kind !== 'folder') return undefined
    place = folder
  }
  return findSibling(db, place, filename)
}

function nameTakenBy(
  { user }: UserContext,
  { kind, size, updated_at, modified_at }: ItemRow,
  filename: string,
): AppError {
  const refusal = nameTaken(filename)
  // Who may only upload doesn't learn what is there.
  if (user.appPassword?.scope === 'upload' && !user.member) return refusal
  const { message } = refusal
  return new AppError('name_taken', message, {
    existing: {
      type: kind,
      size,
      updatedAt: formatTime(updated_at),
      ...(modified_at !== null && { modifiedAt: formatTime(modified_at) }),
    },
  })
}
