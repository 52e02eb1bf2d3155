import type { ParsedInputOf } from '@alcove/contract/call'
import type { streamFile } from '@alcove/contract/media'
import type { Services } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { isGranted } from '../../platform/secrets/signed-url.ts'

/** What of a user can be played: music and video that are visible. What lies in the vault is ciphertext, which nothing plays. */
export function findStream(db: Database, ownerId: string, id: string): Promise<ItemRow | undefined> {
  return db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .selectAll('items')
    .where('items.id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('media', 'is not', null)
    .where('trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
}

type Granted = ParsedInputOf<typeof streamFile>

/** The file behind a signed address: it must still be its owner's and visible. */
export async function getGranted(ctx: Services, { id, owner, expires, signature }: Granted): Promise<ItemRow> {
  if (!isGranted(ctx.secrets.urlKey, 'stream', { id, owner, expires: Number(expires) }, signature, ctx.clock.now())) {
    throw new AppError('forbidden', 'This stream has expired. Please start it again.')
  }
  const file = await findStream(ctx.db, owner, id)
  if (!file) throw notFound('file')
  return file
}
