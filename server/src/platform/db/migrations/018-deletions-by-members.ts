import type { Kysely } from 'kysely'
import type { Engine } from '../tables.ts'
import { columnTypes } from './column-types.ts'

/** Records which member of a shared folder trashed an item. `tables.ts` describes the columns. */
export async function deletionsByMembers(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine)
  // Without a reference, because the trash outlives the member's account.
  await db.schema.alterTable('items').addColumn('trashed_by', text).execute()
  await db.schema.alterTable('items').addColumn('trashed_by_email', text).execute()
  await db.schema.alterTable('deletion_groups').addColumn('member_email', text).execute()
}
