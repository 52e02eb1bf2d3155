import { statfs } from 'node:fs/promises'
import { storageFull } from '../storage-faults.ts'

const MEBIBYTE = 1024 * 1024
/**
 * What uploads leave free on the disk, in bytes: with it the databases, whose logs grow with every change, can still
 * write down what users do to make room (`docs/decisions/019-room-that-stays-free.md`).
 */
export const KEPT_FREE = 64 * MEBIBYTE

/** How long a reading is believed, in milliseconds; what we have written ourselves since is counted. */
const BELIEVED_FOR = 250

/** Watches that a disk keeps some room free. */
export class FreeDiskSpace {
  readonly #path: string
  readonly #keptFree: number
  #free = 0
  #readAt = Number.NEGATIVE_INFINITY

  /** With nothing to keep free it never looks. */
  constructor(path: string, keptFree: number) {
    this.#path = path
    this.#keptFree = keptFree
  }

  /** Takes room for bytes that are about to be written; throws 'storage full' where they would take what stays free. */
  async take(bytes: number): Promise<void> {
    if (this.#keptFree === 0) return
    if (performance.now() - this.#readAt > BELIEVED_FOR) await this.#read()
    else if (this.#free - bytes < this.#keptFree) await this.#read()
    if (this.#free - bytes < this.#keptFree) throw storageFull()
    this.#free -= bytes
  }

  async #read(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#path)
    this.#free = bavail * bsize
    this.#readAt = performance.now()
  }
}
