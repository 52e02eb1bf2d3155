import { statfs } from 'node:fs/promises'
import { storageFull } from '../storage-faults.ts'

const MEBIBYTE = 1024 * 1024
/**
 * Bytes that uploads leave free on the disk, so that the databases, whose logs grow with every change, can still record what users
 * delete to free space (`docs/decisions/019-room-that-stays-free.md`).
 */
export const KEPT_FREE = 64 * MEBIBYTE

/** How long a reading is used, in milliseconds. Bytes that this process has written since are subtracted. */
const BELIEVED_FOR = 250

/** Keeps some space of a disk free. */
export class FreeDiskSpace {
  readonly #path: string
  readonly #keptFree: number
  #free = 0
  #readAt = Number.NEGATIVE_INFINITY

  /** With `keptFree` 0 it never checks. */
  constructor(path: string, keptFree: number) {
    this.#path = path
    this.#keptFree = keptFree
  }

  /** Throws 'storage full' if so many bytes would leave too little free. */
  async check(bytes: number): Promise<void> {
    if (this.#keptFree === 0) return
    if (performance.now() - this.#readAt > BELIEVED_FOR) await this.#read()
    else if (this.#free - bytes < this.#keptFree) await this.#read()
    if (this.#free - bytes < this.#keptFree) throw storageFull()
  }

  /** Reserves space for bytes that are about to be written. Throws 'storage full' if too little would stay free. */
  async take(bytes: number): Promise<void> {
    await this.check(bytes)
    this.#free -= bytes
  }

  async #read(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#path)
    this.#free = bavail * bsize
    this.#readAt = performance.now()
  }
}
