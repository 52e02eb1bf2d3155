import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { StagingFile, StagingFiles } from './staging-files.ts'

interface Copy {
  file: StagingFile
  fetched: Promise<void>
  users: number
  ending: NodeJS.Timeout | undefined
}

/** So many copies that nobody uses just now are kept for who comes next. */
const MAX_UNUSED = 4

/**
 * Files on this machine of what is stored elsewhere, for programs that read files. A copy serves all who want it at the
 * same time, and for a while who comes after them: a film is asked for part by part, and is fetched once.
 */
export class LocalCopies {
  readonly #staging: StagingFiles
  readonly #linger: number
  readonly #copies = new Map<string, Copy>()

  constructor(staging: StagingFiles, linger: number) {
    this.#staging = staging
    this.#linger = linger
  }

  async use<T>(key: string, read: () => AsyncIterable<Buffer>, work: (path: string) => Promise<T>): Promise<T> {
    await this.#staging.prepare()
    const copy = this.#copies.get(key) ?? this.#fetch(key, read)
    copy.users += 1
    clearTimeout(copy.ending)
    try {
      await copy.fetched
      return await work(copy.file.path)
    } finally {
      copy.users -= 1
      if (copy.users === 0) await this.#leave(key, copy)
    }
  }

  async close(): Promise<void> {
    for (const [key, copy] of this.#copies) await this.#drop(key, copy)
  }

  #fetch(key: string, read: () => AsyncIterable<Buffer>): Copy {
    const file = this.#staging.nameFile()
    const fetched = pipeline(read(), createWriteStream(file.path, { mode: 0o600 }))
    const copy: Copy = { file, fetched, users: 0, ending: undefined }
    this.#copies.set(key, copy)
    // What failed is tried anew by who comes next.
    fetched.catch(() => this.#copies.delete(key))
    return copy
  }

  async #leave(key: string, copy: Copy): Promise<void> {
    if (this.#copies.get(key) !== copy) return this.#drop(key, copy)
    copy.ending = setTimeout(() => void this.#drop(key, copy).catch(() => {}), this.#linger).unref()
    const unused = [...this.#copies].filter(([, { users }]) => users === 0)
    for (const [oldest, other] of unused.slice(0, -MAX_UNUSED)) await this.#drop(oldest, other)
  }

  async #drop(key: string, copy: Copy): Promise<void> {
    clearTimeout(copy.ending)
    if (this.#copies.get(key) === copy) this.#copies.delete(key)
    await this.#staging.drop(copy.file)
  }
}
