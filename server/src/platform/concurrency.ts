import { type FileHandle, open } from 'node:fs/promises'
import { AppError } from '../errors.ts'

/** Limits what each caller can have in progress in this process. */
export class ConcurrencyLimiter {
  readonly #max: number
  readonly #message: string
  readonly #counts = new Map<string, number>()

  /** `message` tells a caller at the limit what the limit is and when to try again. */
  constructor(max: number, message: string) {
    this.#max = max
    this.#message = message
  }

  /** Starts one more and returns a function that ends it, to be called once. Throws `too_many_requests` at the limit. */
  enter(caller: string): () => void {
    const count = this.#counts.get(caller) ?? 0
    if (count >= this.#max) {
      throw new AppError('too_many_requests', this.#message, { retryAfterSeconds: 60 })
    }
    this.#counts.set(caller, count + 1)
    return () => {
      const left = (this.#counts.get(caller) ?? 1) - 1
      if (left > 0) this.#counts.set(caller, left)
      else this.#counts.delete(caller)
    }
  }
}

/** Serializes work with the same key. Different keys don't wait for each other. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(key)
    const mine = previous ? previous.then(work, work) : work()
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}

/**
 * Brings one file or directory to stable storage, off the event loop. A caller that arrives while a sync runs shares the
 * next one: the running sync may have begun before the caller's bytes were written, the next one begins after.
 *
 * SURPRISE: this is the group commit of db/node-sqlite-dialect.ts and of the folders of blobs/disk-blob-store.ts.
 * Measured: see there. Remove it when: nothing syncs files itself any more.
 */
export class SharedSync {
  readonly #path: string
  /** Whether the file's timestamps may be lost. Then a sync need not wait for the file system's journal. */
  readonly #isDataOnly: boolean
  #file: Promise<FileHandle> | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(path: string, { isDataOnly = false } = {}) {
    this.#path = path
    this.#isDataOnly = isDataOnly
  }

  sync(): Promise<void> {
    if (!this.#running) return this.#start()
    this.#next ??= this.#running.then(
      () => this.#startNext(),
      () => this.#startNext(),
    )
    return this.#next
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => {})
    await (await this.#file?.catch(() => undefined))?.close()
  }

  #startNext(): Promise<void> {
    this.#next = undefined
    return this.#start()
  }

  #start(): Promise<void> {
    this.#running = this.#syncOnce()
    return this.#running
  }

  async #syncOnce(): Promise<void> {
    try {
      this.#file ??= open(this.#path, 'r')
      const file = await this.#file
      await (this.#isDataOnly ? file.datasync() : file.sync())
    } catch (error) {
      this.#file = undefined
      throw error
    } finally {
      if (!this.#next) this.#running = undefined
    }
  }
}
