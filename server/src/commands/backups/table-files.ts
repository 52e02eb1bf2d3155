import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { type DatabaseSnapshot, withSnapshot } from '../../platform/db/database-snapshot.ts'
import { isPostgres } from '../../platform/db/portable-sql.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Operator } from '../command.ts'
import { Progress } from '../progress.ts'
import { backedUpTables, toBackedUpRow } from './backed-up-tables.ts'

/** The name of the file with the blobs of the snapshot, before they are copied and their digests are known. */
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
export function dumpTables(operator: Pick<Operator, 'config' | 'tell' | 'status'>, folder: string): Promise<Dump> {
  const progress = new Progress({ what: 'Saved', unit: 'rows' }, operator)
  return withSnapshot(operator.config, async (snapshot) => {
    const tables: DumpedTable[] = []
    for (const [table, condition] of Object.entries(backedUpTables)) {
      if (condition === undefined) continue
      const name = table as keyof Tables
      const path = join(folder, `${name === 'blobs' ? NAMED_BLOBS : name}.ndjson.gz`)
      tables.push({ name, ...(await writeLines(path, counted(backedUpRows(snapshot, name, condition), progress))) })
    }
    return { tables, migration: await readMigration(snapshot), bytes: await readBytes(snapshot) }
  })
}

async function* backedUpRows(snapshot: DatabaseSnapshot, name: keyof Tables, condition: string) {
  for await (const row of snapshot.rows(`select * from ${name} where ${condition}`)) yield toBackedUpRow(name, row)
}

async function* counted<T>(rows: AsyncIterable<T>, progress: Progress): AsyncGenerator<T> {
  for await (const row of rows) {
    progress.add()
    yield row
  }
}

/** Returns the last migration of the tables. */
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

type Row = Record<string, unknown>

/** Both databases limit the number of parameters. */
const MAX_PARAMETERS = 10_000

/** Inserts the rows from files. Nobody else uses the database, so the files may be read within the transaction. */
export async function loadTables(
  tx: Tx,
  tables: readonly { name: string; path: string }[],
  progress?: Progress,
): Promise<void> {
  const restoreReferences = await deferReferences(tx)
  for (const { name, path } of tables) {
    for await (const rows of inBatches(readLines<Row>(path))) {
      await tx
        .insertInto(name as keyof Tables)
        .values(rows as never)
        .execute()
      progress?.add(0, rows.length)
    }
  }
  await restoreReferences()
}

async function* inBatches(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length * Object.keys(row).length < MAX_PARAMETERS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Defers the checks of all references to the end, since rows may come before those that they refer to: items before their
 * folders, and before the members whose shared folders they place. If the transaction fails, the references stay as they were.
 */
async function deferReferences(tx: Tx): Promise<() => Promise<void>> {
  if (!isPostgres(tx)) {
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    return async () => {}
  }
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(tx)
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  }
  return async () => {
    for (const { table, name, definition } of rows) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
    }
  }
}

/** Lines are written in pieces of about this many characters. */
const PIECE = 64 * 1024

interface WrittenLines {
  rows: number
  /** The digest of the compressed file. */
  sha256: string
}

/** Writes rows as compressed lines of JSON to a new file and syncs it. */
export async function writeLines(path: string, rows: AsyncIterable<object>): Promise<WrittenLines> {
  const digest = createHash('sha256')
  let count = 0
  async function* toText() {
    let piece = ''
    for await (const row of rows) {
      count += 1
      piece += `${JSON.stringify(row)}\n`
      if (piece.length < PIECE) continue
      yield piece
      piece = ''
    }
    yield piece
  }
  async function* digested(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      digest.update(piece)
      yield piece
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(toText()), createGzip({ level: 3 }), digested, file)
  return { rows: count, sha256: digest.digest('hex') }
}

/** Reads the rows of such a file. */
export async function* readLines<Row>(path: string): AsyncGenerator<Row> {
  const file = createReadStream(path)
  const text = createGunzip().setEncoding('utf8')
  file.on('error', (error) => text.destroy(error))
  let rest = ''
  try {
    for await (const piece of file.pipe(text) as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() as string
      for (const line of lines) yield JSON.parse(line) as Row
    }
  } finally {
    file.destroy()
  }
}

export async function digestFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}
