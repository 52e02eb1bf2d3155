// SURPRISE: blobs of up to 128 KiB are rows of an SQLite database, not files (docs/decisions/006-small-blobs-together.md).
// Measured: as files, six uploads at a time took 1.1 ms a file, one after the other. As rows, six files of 10 KiB
// together take 0.4 ms. The processor time of an upload fell from 1.3 to 0.75 ms.
// Remove it when: file systems create and sync small files as fast as one transaction does.

import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { createWalDatabase } from '../db/create-wal-database.ts'

/** A blob to be written, or, without bytes, to be removed. */
export interface SmallBlobChange {
  key: string
  bytes?: Uint8Array
}

/** Why changes failed: SQLite's message and result code. Errors lose everything else when they pass between threads. */
export interface SmallBlobFailure {
  message: string
  errcode: number | undefined
}

interface WaitingChange {
  change: SmallBlobChange
  resolve: () => void
  reject: (error: Error) => void
}

/** The maximum number of changes that share a transaction and its sync, and about how many bytes they have. */
const MAX_TOGETHER = 64
const ENOUGH_BYTES = 1024 * 1024
/** Keys that are read per query. */
const PAGE = 1000

/**
 * Stores small blobs in one SQLite database beside the large ones. As a file, each would cost a file creation and two syncs, which
 * all wait for the file system's journal. Here all changes that arrive while the previous transaction runs share the next one and
 * its sync. A thread writes; reads take a few microseconds and run in the calling thread.
 */
export class SmallBlobs {
  readonly #path: string
  #worker: Worker | undefined
  #waiting: WaitingChange[] = []
  #changing: WaitingChange[] | undefined
  #database: DatabaseSync | undefined
  /** The statements for reading, by their texts. Preparing one takes longer than running it. */
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when the blob is on stable storage. */
  write(key: string, bytes: Uint8Array): Promise<void> {
    // Messages to the thread are copied, and a slice of a network buffer would be copied with the whole buffer.
    const isPart = bytes.byteLength !== bytes.buffer.byteLength
    return this.#change({ key, bytes: isPart ? new Uint8Array(bytes) : bytes })
  }

  remove(key: string): Promise<void> {
    return this.#change({ key })
  }

  read(key: string): Buffer | undefined {
    const row = this.#get<{ bytes: Uint8Array<ArrayBuffer> }>('select bytes from blobs where key = ?', key)
    return row && Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.length)
  }

  has(key: string): boolean {
    return this.#get('select 1 from blobs where key = ?', key) !== undefined
  }

  sizeOf(key: string): number | undefined {
    return this.#get<{ size: number }>('select length(bytes) as size from blobs where key = ?', key)?.size
  }

  /** Lists the keys of all blobs below a key in order, a page at a time. */
  *listKeysBelow(end: string): Generator<string[]> {
    if (!this.#open()) return
    const list = this.#database?.prepare('select key from blobs where key > ? and key < ? order by key limit ?')
    for (let last = ''; ; ) {
      const keys = (list?.all(last, end, PAGE) ?? []).map(({ key }) => key as string)
      if (keys.length === 0) return
      yield keys
      last = keys.at(-1) as string
    }
  }

  async close(): Promise<void> {
    this.#database?.close()
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    // Otherwise the process could end before the thread has.
    worker.ref()
    worker.postMessage(null)
    await ended
  }

  #get<Row>(sql: string, key: string): Row | undefined {
    if (!this.#open()) return undefined
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = (this.#database as DatabaseSync).prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement.get(key) as Row | undefined
  }

  /** Opens the database for reading. Returns false if nothing has ever been written. */
  #open(): boolean {
    if (!this.#database && existsSync(this.#path)) this.#database = openSmallBlobDatabase(this.#path)
    return this.#database !== undefined
  }

  #change(change: SmallBlobChange): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ change, resolve, reject })
    this.#changeNext()
    return promise
  }

  #changeNext(): void {
    if (this.#changing || this.#waiting.length === 0) return
    this.#changing = this.#takeWaiting()
    this.#worker ??= this.#start()
    // The thread keeps the process alive only while it has work.
    this.#worker.ref()
    this.#worker.postMessage(this.#changing.map(({ change }) => change))
  }

  #takeWaiting(): WaitingChange[] {
    let [count, bytes] = [0, 0]
    while (count < Math.min(MAX_TOGETHER, this.#waiting.length) && bytes < ENOUGH_BYTES) {
      bytes += this.#waiting[count]?.change.bytes?.byteLength ?? 0
      count += 1
    }
    return this.#waiting.splice(0, count)
  }

  #start(): Worker {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const worker = new Worker(new URL('./small-blob-thread.ts', import.meta.url), { workerData: this.#path })
    worker.on('message', (failure: SmallBlobFailure | undefined) => this.#settle(failure))
    worker.on('error', (error) => {
      this.#worker = undefined
      this.#settle({ message: String(error), errcode: (error as { errcode?: number }).errcode })
    })
    return worker
  }

  #settle(failure: SmallBlobFailure | undefined): void {
    const changed = this.#changing ?? []
    this.#changing = undefined
    this.#worker?.unref()
    for (const { change, resolve, reject } of changed) {
      if (failure === undefined) {
        resolve()
        continue
      }
      const { message, errcode } = failure
      const error = new Error(`blob ${change.key} could not be ${change.bytes ? 'written' : 'removed'}: ${message}`)
      reject(Object.assign(error, { errcode }))
    }
    this.#changeNext()
  }
}

/** Opens the database of small blobs, and creates it if it is missing. */
export function openSmallBlobDatabase(path: string): DatabaseSync {
  // With pages of 8 KiB, a file of a few kilobytes takes little more than its own size.
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
