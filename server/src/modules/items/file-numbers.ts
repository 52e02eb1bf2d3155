import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { isAmong, textTable } from '../../platform/db/portable-sql.ts'

/** The end of the range: JavaScript and every client can represent such numbers, and `randomInt` returns no larger ones. */
const END = 2 ** 48 - 1
/** How often numbers are drawn again because one was taken. A collision is rarer than one in a thousand. */
const MAX_ATTEMPTS = 5

/**
 * Returns the numbers of items by their ids. Those that have none yet get a random one: a counter would be a row for which all
 * users wait, and reveal how many items there are. Items that have just been deleted get none.
 */
export async function readFileNumbers(db: Database, itemIds: readonly string[]): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const unread = itemIds.filter((id) => !numbers.has(id))
    if (unread.length === 0) break
    const rows = await db
      .selectFrom('file_numbers')
      .selectAll()
      .where(isAmong(db, 'item_id', unread))
      .execute()
    for (const { item_id, number } of rows) numbers.set(item_id, number)
    const missing = unread.filter((id) => !numbers.has(id))
    if (missing.length === 0) break
    const drawn = missing.map((item_id) => ({ item_id, number: String(randomInt(1, END)) }))
    // Another request may number the same items at the same time.
    const added = await sql<{ item_id: string; number: number }>`
      insert into file_numbers (item_id, number)
      select items.id, cast(given.number as bigint) from ${textTable(db, ['item_id', 'number'], drawn)} as given
      join items on items.id = given.item_id where true
      on conflict do nothing
      returning item_id, number`.execute(db)
    for (const { item_id, number } of added.rows) numbers.set(item_id, number)
  }
  return numbers
}
