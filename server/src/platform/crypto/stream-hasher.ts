// SURPRISE: two threads hash in shared memory what arrives, instead of the event loop.
// Measured: the three algorithms take 3.5 seconds of processor time a GiB. On two processors that serve other work as well, a
// GiB is stored in 3.3 instead of 4.4 seconds (docs/decisions/002-chunks-at-their-final-place.md).
// Remove it when: clients agree on one fast algorithm, or Node.js hashes streams outside the event loop.

import { Worker } from 'node:worker_threads'
import type { Digests } from './checksums.ts'
import type { HashOrder, HashReport } from './hash-thread.ts'

/** The algorithms of each thread. MD5 takes longer than the two others together. */
const THREADS: readonly (readonly (keyof Digests)[])[] = [['md5'], ['sha1', 'sha256']]

/** Shared memory by which the threads get bytes: 4 MiB, of which a stream fills a slot at a time. */
const SLOT_SIZE = 128 * 1024
const SLOTS = 32

/** Threads without a stream end after this time, and give back their memory. */
const IDLE = 20_000

/** The hash of one stream. */
export interface StreamHash {
  /** Adds bytes. Resolves when more may be added, so that a fast stream doesn't outrun the threads. */
  update(bytes: Buffer): Promise<void>
  /** Returns the digests of all bytes. */
  digest(): Promise<Digests>
  /** Gives up a stream that has broken off. */
  drop(): void
}

/** Computes MD5, SHA-1 and SHA-256 of many streams while their bytes pass. The threads exist while there are streams. */
export class StreamHasher {
  readonly #idle: number
  #threads: HashThreads | undefined

  constructor(idle = IDLE) {
    this.#idle = idle
  }

  open(): StreamHash {
    if (!this.#threads?.isAlive) this.#threads = new HashThreads(this.#idle)
    return this.#threads.open()
  }

  async close(): Promise<void> {
    await this.#threads?.close()
  }
}

interface OpenStream {
  digests: Partial<Digests>
  /** Threads that have not reported yet. */
  waiting: number
  ended: PromiseWithResolvers<Digests>
}

class HashThreads {
  isAlive = true
  readonly #slots = Array.from({ length: SLOTS }, () => new Uint8Array(new SharedArrayBuffer(SLOT_SIZE)))
  readonly #free = this.#slots.map((_, index) => index)
  /** How many threads still have to read each slot. */
  readonly #readers = this.#slots.map(() => 0)
  #wanting: PromiseWithResolvers<number>[] = []
  readonly #streams = new Map<number, OpenStream>()
  readonly #workers: readonly Worker[]
  #lastStream = 0
  readonly #idle: number
  #ending: NodeJS.Timeout | undefined

  constructor(idle: number) {
    this.#idle = idle
    this.#workers = THREADS.map((algorithms) => {
      const workerData = { algorithms, slots: this.#slots }
      const worker = new Worker(new URL('./hash-thread.ts', import.meta.url), { workerData })
      worker.on('message', (report: HashReport) => this.#receive(report))
      worker.on('error', (error: Error) => this.#fail(error))
      worker.unref()
      return worker
    })
  }

  open(): StreamHash {
    clearTimeout(this.#ending)
    const stream = ++this.#lastStream
    const ended = Promise.withResolvers<Digests>()
    // Whoever needs the digest gets the error.
    ended.promise.catch(() => {})
    this.#streams.set(stream, { digests: {}, waiting: this.#workers.length, ended })
    // The threads keep the process alive only while they have work.
    for (const worker of this.#workers) worker.ref()
    let gathered: Buffer[] = []
    let size = 0
    const flush = async () => {
      const [bytes, total] = [gathered, size]
      gathered = []
      size = 0
      await this.#send(stream, bytes, total)
    }
    return {
      update: async (bytes) => {
        if (size + bytes.length > SLOT_SIZE) await flush()
        gathered.push(bytes)
        size += bytes.length
        if (size >= SLOT_SIZE) await flush()
      },
      digest: async () => {
        if (size > 0) await flush()
        this.#post({ stream, end: true })
        return ended.promise
      },
      drop: () => {
        gathered = []
        if (this.#forget(stream)) this.#post({ stream, drop: true })
      },
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#ending)
    this.#fail(new Error('the server is stopping'))
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  /** Copies bytes to slots as they become free, and passes these to all threads. */
  async #send(stream: number, buffers: readonly Buffer[], size: number): Promise<void> {
    let buffer = 0
    let read = 0
    for (let left = size; left > 0; ) {
      const slot = await this.#takeSlot()
      const target = this.#slots[slot] as Uint8Array
      let length = 0
      while (length < target.length && left > 0) {
        const source = buffers[buffer] as Buffer
        const part = source.subarray(read, read + target.length - length)
        target.set(part, length)
        length += part.length
        left -= part.length
        read += part.length
        if (read < source.length) continue
        buffer++
        read = 0
      }
      this.#readers[slot] = this.#workers.length
      this.#post({ stream, slot, length })
    }
  }

  async #takeSlot(): Promise<number> {
    if (!this.isAlive) throw new Error('a hash thread has ended')
    const free = this.#free.pop()
    if (free !== undefined) return free
    const wanting = Promise.withResolvers<number>()
    this.#wanting.push(wanting)
    return wanting.promise
  }

  #post(order: HashOrder): void {
    for (const worker of this.#workers) worker.postMessage(order)
  }

  #receive(report: HashReport): void {
    if ('slot' in report) {
      const { slot } = report
      this.#readers[slot] = (this.#readers[slot] as number) - 1
      if (this.#readers[slot] !== 0) return
      const next = this.#wanting.shift()
      if (next) next.resolve(slot)
      else this.#free.push(slot)
      return
    }
    const open = this.#streams.get(report.stream)
    if (!open) return
    Object.assign(open.digests, report.digests)
    open.waiting -= 1
    if (open.waiting > 0) return
    this.#forget(report.stream)
    open.ended.resolve(open.digests as Digests)
  }

  #forget(stream: number): boolean {
    const isOpen = this.#streams.delete(stream)
    if (this.#streams.size === 0 && isOpen) {
      for (const worker of this.#workers) worker.unref()
      this.#ending = setTimeout(() => void this.close(), this.#idle).unref()
    }
    return isOpen
  }

  #fail(error: Error): void {
    this.isAlive = false
    for (const { ended } of this.#streams.values()) ended.reject(error)
    for (const wanting of this.#wanting) wanting.reject(error)
    this.#streams.clear()
    this.#wanting = []
  }
}
