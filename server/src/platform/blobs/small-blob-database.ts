import { DatabaseSync } from 'node:sqlite'

/** Opens the database that small blobs are kept in, and makes it where it is missing. */
export function openSmallBlobDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 })
  // With pages of 8 KiB a file of some kilobytes takes little more than its own size. A commit is synced before it is
  // acknowledged, and the log is written back every 16 MiB.
  database.exec(`
    pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full; pragma auto_vacuum = incremental;
    pragma wal_autocheckpoint = 2000; pragma journal_size_limit = 33554432;
    create table if not exists blobs (key text primary key, bytes blob not null)`)
  return database
}
