import { type FileHandle, open } from 'node:fs/promises'

/**
 * Brings one file or directory to stable storage, off the event loop. Whoever asks while a sync runs shares the next
 * one: a running sync may have begun before their bytes were written, the next has not.
 */
export class SharedSync {
  readonly #path: string
  /** Whether the times of the file may be lost, which need not wait for the file system's journal then. */
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
