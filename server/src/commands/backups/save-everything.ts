import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BlobReplica } from '../../platform/blobs/blob-replica.ts'
import type { Operator } from '../command.ts'
import { Progress } from '../progress.ts'
import { type Copied, copyBlobs, type FoundDigests, type NamedBlob } from './copy-blobs.ts'
import { SANDBOX } from './manifest.ts'
import { type DumpedTable, dumpTables, NAMED_BLOBS, readLines, writeLines } from './table-files.ts'

interface Order {
  /** The folder for the rows. */
  folder: string
  replica: BlobReplica
  digests: FoundDigests
}

export interface Saved {
  tables: DumpedTable[]
  migration: string
  /** All blobs, including those that were copied earlier. */
  blobs: number
  bytes: number
  copied: Copied
}

/** Writes the current rows to files, then copies the blobs that they name. */
export async function saveEverything(operator: Operator, { folder, replica, digests }: Order): Promise<Saved> {
  const { services, print, tell } = operator
  const { tables, migration, bytes } = await dumpTables(operator, folder)
  const blobs = tables.find(({ name }) => name === 'blobs')?.rows ?? 0
  tell(`Saved the tables. Checking ${blobs} blobs.`)
  const copied: Copied = { blobs: 0, bytes: 0, damaged: [] }
  const progress = new Progress({ what: 'Checked', unit: 'blobs', items: blobs, bytes }, operator)
  const named = readLines<NamedBlob>(linesOf(folder, NAMED_BLOBS))
  const rows = copyBlobs({ services, replica, progress, print, digests }, named, copied)
  const written = await writeLines(linesOf(folder, 'blobs'), rows)
  await rm(linesOf(folder, NAMED_BLOBS))
  const saved = tables.map((table) => (table.name === 'blobs' ? { name: table.name, ...written } : table))
  return { tables: saved, migration, blobs, bytes, copied }
}

/** Returns the path of a table's rows. */
export function linesOf(folder: string, table: string): string {
  return join(folder, `${table}.ndjson.gz`)
}

/** Copies the state of the payment sandbox, if there is any, from a data directory to another folder. */
export async function saveSandbox(dataDir: string, folder: string): Promise<boolean> {
  const path = join(dataDir, SANDBOX)
  if (!existsSync(path)) return false
  const copy = join(folder, SANDBOX)
  // SQLite doesn't write to an existing file.
  await rm(copy, { force: true })
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    database.prepare('vacuum into ?').run(copy)
  } finally {
    database.close()
  }
  return true
}
