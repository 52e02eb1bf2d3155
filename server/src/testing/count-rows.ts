import type { Database } from '../platform/db/database.ts'

/** How many rows of each table are a user's, by the columns that say whose a row is; tables without any are left out. */
export async function countRows(db: Database, userId: string): Promise<Record<string, number>> {
  const tables = await db.introspection.getTables()
  const counts: Record<string, number> = {}
  for (const { name, columns } of tables) {
    const owner = columns.find((column) => ['user_id', 'owner_id'].includes(column.name))?.name
    const column = name === 'users' ? 'id' : owner
    if (column === undefined) continue
    const rows = await db
      .selectFrom(name as 'users')
      .select((eb) => eb.fn.countAll().as('count'))
      .where(column as 'id', '=', userId)
      .executeTakeFirstOrThrow()
    if (Number(rows.count) > 0) counts[name] = Number(rows.count)
  }
  return counts
}
