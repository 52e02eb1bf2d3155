import { Worker } from 'node:worker_threads'

/** Why statements failed: SQLite's message and result code. Errors lose everything else when they pass between threads. */
export interface SqliteFailure {
  message: string
  errcode: number | undefined
}

/**
 * Runs statements on a connection of its own in a thread, so that the event loop doesn't wait for them. It is for work on the file,
 * such as a checkpoint or a vacuum: it returns no rows. The thread keeps the process alive only while it has work.
 */
export class SqliteThread {
  readonly #worker: Worker
  readonly #ended: Promise<unknown>
  #last: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#worker = new Worker(new URL('./run-sqlite-thread.ts', import.meta.url), { workerData: path })
    this.#ended = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#worker.unref()
    // A call that waits gets the error. Without a listener it would end the process.
    this.#worker.on('error', () => {})
  }

  /** Runs statements after those of earlier calls. Throws if one fails. */
  run(statements: string): Promise<void> {
    const running = this.#last.then(() => this.#run(statements))
    this.#last = running.catch(() => {})
    return running
  }

  /** Closes the connection after the statements that run. */
  async close(): Promise<void> {
    await this.#last
    this.#worker.ref()
    this.#worker.postMessage(null)
    await this.#ended
  }

  async #run(statements: string): Promise<void> {
    const failure = await new Promise<SqliteFailure | undefined>((resolve, reject) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', reject)
      this.#worker.ref()
      this.#worker.postMessage(statements)
    }).finally(() => {
      this.#worker.unref()
      this.#worker.removeAllListeners('message')
      this.#worker.removeAllListeners('error')
      this.#worker.on('error', () => {})
    })
    if (failure) throw Object.assign(new Error(failure.message), { errcode: failure.errcode })
  }
}
