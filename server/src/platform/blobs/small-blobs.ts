import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { openSmallBlobDatabase } from './small-blob-database.ts'

/** A blob to be written, or, without bytes, to be removed. */
export interface SmallBlobChange {
  key: string
  bytes?: Uint8Array
}

/** Why changes could not be made: SQLite's words and its result code, since an error loses all else on its way between threads. */
export interface SmallBlobFailure {
  message: string
  errcode: number | undefined
}

interface WaitingChange {
  change: SmallBlobChange
  resolve: () => void
  reject: (error: Error) => void
}

/** So many changes share a transaction, and so a sync, at most. */
const MAX_TOGETHER = 64
/** How many keys are looked through at once. */
const PAGE = 1000

/**
 * Small blobs, in one SQLite database beside the large ones. A file for each would cost the creation of a file and two
 * syncs, all of which wait for the file system's journal; here what has come while the last changes were made goes into
 * one transaction with one sync. A thread of its own writes; reading takes some microseconds and happens at once.
 */
export class SmallBlobs {
  readonly #path: string
  #worker: Worker | undefined
  #waiting: WaitingChange[] = []
  #changing: WaitingChange[] | undefined
  #database: DatabaseSync | undefined
  #find: StatementSync | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when the blob is on stable storage. */
  write(key: string, bytes: Uint8Array): Promise<void> {
    // What goes to the thread is copied, and of a part of a network buffer the whole buffer would be.
    const isPart = bytes.byteLength !== bytes.buffer.byteLength
    return this.#change({ key, bytes: isPart ? new Uint8Array(bytes) : bytes })
  }

  remove(key: string): Promise<void> {
    return this.#change({ key })
  }

  read(key: string): Buffer | undefined {
    if (!this.#open()) return undefined
    this.#find ??= this.#database?.prepare('select bytes from blobs where key = ?')
    const row = this.#find?.get(key) as { bytes: Uint8Array<ArrayBuffer> } | undefined
    return row && Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.length)
  }

  has(key: string): boolean {
    if (!this.#open()) return false
    return this.#database?.prepare('select 1 from blobs where key = ?').get(key) !== undefined
  }

  sizeOf(key: string): number | undefined {
    if (!this.#open()) return undefined
    const row = this.#database?.prepare('select length(bytes) as size from blobs where key = ?').get(key)
    return row?.size as number | undefined
  }

  /** The keys of all blobs below a key, in their order, a page at a time. */
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
    // Or the process could end before it is done.
    worker.ref()
    worker.postMessage(null)
    await ended
  }

  /** For reading; false while nothing has ever been written. */
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
    this.#changing = this.#waiting.splice(0, MAX_TOGETHER)
    this.#worker ??= this.#start()
    // While it has work the thread keeps the process alive, and not otherwise.
    this.#worker.ref()
    this.#worker.postMessage(this.#changing.map(({ change }) => change))
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
