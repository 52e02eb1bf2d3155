import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { nameTaken } from '../items/index.ts'
import { type Destination, findSibling, openDestination } from './destination.ts'

/** Refuses, before its bytes come, a file whose name is taken. The decision itself is the unique index's. */
export async function assertNameFree(ctx: UserContext, db: Database, to: Destination, filename: string): Promise<void> {
  const existing = await findExisting(ctx, db, to, filename)
  if (existing) throw nameTakenBy(existing, filename)
}

/** Adds what has the name to the refusal of an upload, so that the user can compare; other errors stay as they are. */
export async function describeConflict(
  ctx: UserContext,
  error: unknown,
  to: Destination,
  filename: string,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'name_taken' || error.details.existing) return error
  const existing = await findExisting(ctx, ctx.db, to, filename)
  return existing ? nameTakenBy(existing, filename) : error
}

/** What has the name of a file where it is to land. */
async function findExisting(
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

function nameTakenBy({ kind, size, updated_at }: ItemRow, filename: string): AppError {
  const { message } = nameTaken(filename)
  return new AppError('name_taken', message, {
    existing: { type: kind, size, updatedAt: new Date(updated_at).toISOString() },
  })
}
