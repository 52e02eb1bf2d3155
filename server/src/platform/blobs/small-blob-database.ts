import { DatabaseSync } from 'node:sqlite'
import { createWalDatabase } from '../create-wal-database.ts'

/** Opens the database that small blobs are kept in, and makes it where it is missing. */
export function openSmallBlobDatabase(path: string): DatabaseSync {
  // With pages of 8 KiB a file of some kilobytes takes little more than its own size.
  createWalDatabase(
    path,
    `pragma page_size = 8192; pragma auto_vacuum = incremental;
    create table blobs (key text primary key, bytes blob not null)`,
  )
  const database = new DatabaseSync(path, { timeout: 5000 })
  // A commit is synced before it is acknowledged, and the log is written back every 16 MiB.
  database.exec('pragma synchronous = full; pragma wal_autocheckpoint = 2000; pragma journal_size_limit = 33554432')
  return database
}
