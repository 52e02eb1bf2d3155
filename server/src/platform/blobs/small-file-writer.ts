import { Worker } from 'node:worker_threads'

/** A file to be written whole, with its bytes. */
export interface SmallFile {
  path: string
  bytes: Uint8Array
}

interface WaitingFile extends SmallFile {
  resolve: () => void
  reject: (error: Error) => void
}

/** So many files are written together at most, and so with one sync of each of their folders. */
const MAX_TOGETHER = 64

/**
 * Writes small files in a thread of its own. To create, write and sync a file takes four trips to the thread pool, which
 * cost the event loop more than the rest of a small upload; and creating one may wait for the file system's journal.
 * Here what has come while the thread was busy goes to it with one message, and shares the sync of the folder.
 */
export class SmallFileWriter {
  #worker: Worker | undefined
  #waiting: WaitingFile[] = []
  #writing: WaitingFile[] | undefined

  /** Resolves when the file, which must be new, is on stable storage under its name. */
  write(file: SmallFile): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ ...file, resolve, reject })
    this.#writeNext()
    return promise
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #writeNext(): void {
    if (this.#writing || this.#waiting.length === 0) return
    this.#writing = this.#waiting.splice(0, MAX_TOGETHER)
    this.#worker ??= this.#start()
    // While it has work the thread keeps the process alive, and not otherwise.
    this.#worker.ref()
    this.#worker.postMessage(this.#writing.map(({ path, bytes }): SmallFile => ({ path, bytes })))
  }

  #start(): Worker {
    const worker = new Worker(new URL('./small-file-thread.ts', import.meta.url))
    worker.on('message', (failures: (string | undefined)[]) => this.#settle((index) => failures[index]))
    worker.on('error', (error) => {
      this.#worker = undefined
      this.#settle(() => String(error))
    })
    return worker
  }

  #settle(failureOf: (index: number) => string | undefined): void {
    const written = this.#writing ?? []
    this.#writing = undefined
    this.#worker?.unref()
    for (const [index, { path, resolve, reject }] of written.entries()) {
      const failure = failureOf(index)
      if (failure === undefined) resolve()
      else reject(new Error(`${path} could not be written: ${failure}`))
    }
    this.#writeNext()
  }
}
