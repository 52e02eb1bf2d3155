import { join } from 'node:path'
import { type DatabaseSnapshot, withSnapshot } from '../../platform/db/database-snapshot.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Operator } from '../command.ts'
import { backedUpTables, toBackedUpRow } from './backed-up-tables.ts'
import { type WrittenLines, writeLines } from './lines.ts'

/** The blobs as the snapshot has them, until each is copied and known. */
export const NAMED_BLOBS = 'named-blobs'

export interface DumpedTable extends WrittenLines {
  name: keyof Tables
}

interface Dump {
  tables: DumpedTable[]
  migration: string
  bytes: number
}

/** Writes the rows of all tables as they are at one moment. */
export function dumpTables({ config }: Pick<Operator, 'config'>, folder: string): Promise<Dump> {
  return withSnapshot(config, async (snapshot) => {
    const tables: DumpedTable[] = []
    for (const [table, condition] of Object.entries(backedUpTables)) {
      if (condition === undefined) continue
      const name = table as keyof Tables
      const path = join(folder, `${name === 'blobs' ? NAMED_BLOBS : name}.ndjson.gz`)
      tables.push({ name, ...(await writeLines(path, backedUpRows(snapshot, name, condition))) })
    }
    return { tables, migration: await readMigration(snapshot), bytes: await readBytes(snapshot) }
  })
}

async function* backedUpRows(snapshot: DatabaseSnapshot, name: keyof Tables, condition: string) {
  for await (const row of snapshot.rows(`select * from ${name} where ${condition}`)) yield toBackedUpRow(name, row)
}

/** The last migration that the tables have been through. */
export async function readMigration(snapshot: DatabaseSnapshot): Promise<string> {
  return String(await readOne(snapshot, 'select max(name) as one from kysely_migration'))
}

async function readBytes(snapshot: DatabaseSnapshot): Promise<number> {
  return Number(await readOne(snapshot, `select sum(size) as one from blobs where ${backedUpTables.blobs}`))
}

async function readOne(snapshot: DatabaseSnapshot, select: string): Promise<unknown> {
  let one: unknown
  for await (const row of snapshot.rows(select)) one = row.one
  return one
}
