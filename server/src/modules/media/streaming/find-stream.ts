import type { ParsedInputOf } from '@alcove/contract/call'
import type { streamFile } from '@alcove/contract/media'
import type { Services } from '../../../context.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isRevoked, readGrant } from '../../../platform/secrets/signed-url.ts'

/** What of a user can be played: music and video that are visible. What lies in the vault is ciphertext, which nothing plays. */
export function findStream(db: Database, ownerId: string, id: string): Promise<ItemRow | undefined> {
  return selectStream(db, ownerId, id).executeTakeFirst()
}

function selectStream(db: Database, ownerId: string, id: string) {
  return db
    .selectFrom('items')
    .selectAll('items')
    .where('items.id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('media', 'is not', null)
    .where('trash_id', 'is', null)
}

type Granted = ParsedInputOf<typeof streamFile>

/** The file behind a signed address: it must still be its owner's and visible. */
export async function getGranted(ctx: Services, { id, owner, expires, signature }: Granted): Promise<ItemRow> {
  const grant = { id, owner, expires: Number(expires) }
  const signedAt = readGrant(ctx.secrets.urlKey, 'stream', grant, signature, ctx.clock.now())
  if (signedAt === undefined) throw expired()
  const found = await selectStream(ctx.db, owner, id)
    .innerJoin('users', 'users.id', 'items.owner_id')
    .select('grants_revoked_at')
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw notFound('file')
  const { grants_revoked_at, ...file } = found
  if (isRevoked(signedAt, grants_revoked_at)) throw expired()
  return file
}

function expired(): AppError {
  return new AppError('forbidden', 'This stream has expired. Please start it again.')
}
