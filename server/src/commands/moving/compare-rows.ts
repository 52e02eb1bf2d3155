import { createHash } from 'node:crypto'
import type { Tx } from '../../platform/db/database.ts'
import { rowsInTransaction } from '../../platform/db/database-snapshot.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { backedUpTables, toBackedUpRow } from '../backups/backed-up-tables.ts'
import { readLines } from '../backups/lines.ts'
import { CommandError } from '../command.ts'

type Row = Record<string, unknown>

/** Refuses to go on where a table does not have exactly the rows that were put into it. */
export async function compareRows(tx: Tx, tables: readonly { name: keyof Tables; path: string }[]): Promise<void> {
  for (const { name, path } of tables) {
    const select = `select * from ${name} where ${backedUpTables[name]}`
    const [meant, put] = [await sumUp(readLines<Row>(path), name), await sumUp(rowsInTransaction(tx, select), name)]
    if (meant !== put)
      throw new CommandError(`The rows of the table ${name} came to the target as others. None were kept.`)
  }
}

/** How many rows, and the sum of their digests, which is the same in whatever order they come. */
async function sumUp(rows: AsyncIterable<Row>, name: keyof Tables): Promise<string> {
  let [count, sum] = [0, 0n]
  for await (const row of rows) {
    const columns = Object.entries(toBackedUpRow(name, row)).sort(([a], [b]) => (a < b ? -1 : 1))
    const digest = createHash('sha256').update(JSON.stringify(columns)).digest()
    sum = BigInt.asUintN(64, sum + digest.readBigUInt64BE())
    count += 1
  }
  return `${count} ${sum}`
}
