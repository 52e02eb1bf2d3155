import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { countDamaged } from '../../storage/index.ts'

/** If a disk is gone, all blobs are damaged. Then the owners of the first ones tell enough. */
const MAX_BLOBS = 1000

interface Damaged {
  blobs: number
  owners: { email: string | null; files: number }[]
  isComplete: boolean
}

/** Returns how many files and versions of whom are damaged. It never says which: their names are none of an administrator's business. */
export async function readDamaged(db: Database): Promise<Damaged> {
  const blobs = await countDamaged(db)
  if (blobs === 0) return { blobs, owners: [], isComplete: true }
  const rows = await db
    .selectFrom('blobs')
    .select('key')
    .where('damaged_at', 'is not', null)
    .orderBy('key')
    .limit(MAX_BLOBS)
    .execute()
  const keys = rows.map(({ key }) => key)
  const counts = new Map<string, number>()
  for (const table of ['items', 'versions'] as const) {
    const found = await db
      .selectFrom(table)
      .select((eb) => ['owner_id', eb.fn.countAll<number>().as('files')])
      .where(isAmong(db, 'blob_key', keys))
      .groupBy('owner_id')
      .execute()
    for (const { owner_id, files } of found) counts.set(owner_id, (counts.get(owner_id) ?? 0) + files)
  }
  const users = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where(isAmong(db, 'id', [...counts.keys()]))
    .where('deleted_at', 'is', null)
    .execute()
  const emails = new Map(users.map(({ id, email }) => [id, email]))
  const owners = Array.from(counts, ([id, files]) => ({ email: emails.get(id) ?? null, files }))
  owners.sort((a, b) => b.files - a.files)
  return { blobs, owners, isComplete: blobs <= MAX_BLOBS }
}
