import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobReplica } from '../../platform/blobs/blob-replica.ts'
import type { Operator } from '../command.ts'
import { Progress } from '../progress.ts'
import { type Copied, copyBlobs, type FoundDigests, type NamedBlob } from './copy-blobs.ts'
import { type DumpedTable, dumpTables, NAMED_BLOBS } from './dump-tables.ts'
import { readLines, writeLines } from './lines.ts'

interface Order {
  /** Where the rows are written to. */
  folder: string
  replica: BlobReplica
  digests: FoundDigests
}

export interface Saved {
  tables: DumpedTable[]
  migration: string
  /** Of all blobs, those that were there before too. */
  blobs: number
  bytes: number
  copied: Copied
}

/** Writes the rows as they are now into files, then copies the blobs that they name. */
export async function saveEverything(operator: Operator, { folder, replica, digests }: Order): Promise<Saved> {
  const { services, print, tell } = operator
  const { tables, migration, bytes } = await dumpTables(operator, folder)
  const blobs = tables.find(({ name }) => name === 'blobs')?.rows ?? 0
  tell(`The tables are saved. ${blobs} blobs are looked at now.`)
  const copied: Copied = { blobs: 0, bytes: 0, damaged: [] }
  const progress = new Progress('Looked at', { blobs, bytes }, tell)
  const named = readLines<NamedBlob>(linesOf(folder, NAMED_BLOBS))
  const rows = copyBlobs({ services, replica, progress, print, digests }, named, copied)
  const written = await writeLines(linesOf(folder, 'blobs'), rows)
  await rm(linesOf(folder, NAMED_BLOBS))
  const saved = tables.map((table) => (table.name === 'blobs' ? { name: table.name, ...written } : table))
  return { tables: saved, migration, blobs, bytes, copied }
}

/** Where the rows of a table lie. */
export function linesOf(folder: string, table: string): string {
  return join(folder, `${table}.ndjson.gz`)
}
