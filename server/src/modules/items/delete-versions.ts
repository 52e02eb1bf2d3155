import type { SelectQueryBuilder } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { queueBlobRemovalOf } from '../storage/index.ts'

type Deleting = Pick<Services, 'jobs' | 'clock'>
type Ids<Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, { id: string }>

/**
 * Deletes versions by their ids and queues their bytes for removal. Returns how many bytes they took: the caller subtracts
 * them from the owner's usage (`changeQuota`). The owner's tree must be locked.
 */
export async function deleteVersionRows(services: Deleting, tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return deleteSelected(
    services,
    tx,
    tx
      .selectFrom('versions')
      .select('id')
      .where(isAmong(tx, 'id', ids)),
  )
}

/** Deletes all versions of the selected items of one user, like `deleteVersionRows`. */
export async function deleteVersionsOf(
  services: Deleting,
  tx: Tx,
  ownerId: string,
  items: Ids<'items'>,
): Promise<number> {
  const ofOwner = tx.selectFrom('versions').select('id').where('owner_id', '=', ownerId)
  // Many users have none, and deleting their files costs no more than before.
  if (!(await ofOwner.limit(1).executeTakeFirst())) return 0
  return deleteSelected(services, tx, tx.selectFrom('versions').select('id').where('item_id', 'in', items))
}

async function deleteSelected(services: Deleting, tx: Tx, ids: Ids<'versions'>): Promise<number> {
  const selected = tx.selectFrom('versions').where('id', 'in', ids)
  const { bytes } = await selected
    .select((eb) => eb.fn.sum<number | string | null>('size').as('bytes'))
    .executeTakeFirstOrThrow()
  // The sum is null without rows, and text on PostgreSQL.
  if (bytes === null) return 0
  await queueBlobRemovalOf(services, tx, selected.select('blob_key'))
  await tx.deleteFrom('versions').where('id', 'in', ids).execute()
  return Number(bytes)
}
