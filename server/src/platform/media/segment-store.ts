import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Segments that nobody has requested for this long are removed, in milliseconds. */
const MAX_AGE = 24 * 3_600_000

interface Kept {
  blobKey: string
  name: string
  bytes: number
  usedAt: number
}

/** Caches segments as files, `<root>/<blob key>/<name>`, and removes those that were used least recently. */
export class SegmentStore {
  readonly #root: string
  readonly #maxBytes: number
  #bytes: number | undefined
  #sweeping: Promise<void> | undefined

  constructor(root: string, maxBytes: number) {
    this.#root = root
    this.#maxBytes = maxBytes
  }

  /** Returns the path of a cached segment. */
  async find(blobKey: string, name: string): Promise<string | undefined> {
    const path = join(this.#root, blobKey, name)
    const now = new Date()
    return utimes(path, now, now).then(
      () => path,
      () => undefined,
    )
  }

  /** Stores a stream once it is complete and `isGood`. Returns the path, or undefined. */
  async keep(
    blobKey: string,
    name: string,
    part: Readable,
    isGood: () => Promise<boolean>,
  ): Promise<string | undefined> {
    const folder = join(this.#root, blobKey)
    const path = join(folder, name)
    const arriving = `${path}.${randomUUID()}`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await pipeline(part, createWriteStream(arriving, { mode: 0o600 }))
      const { size } = await stat(arriving)
      if (size === 0 || !(await isGood())) return undefined
      await rename(arriving, path)
      this.#bytes = (this.#bytes ?? 0) + size
      if (this.#bytes > this.#maxBytes) await this.sweep(Date.now(), async (keys) => new Set(keys))
      return path
    } finally {
      await rm(arriving, { force: true })
    }
  }

  /** Removes all segments of some blobs. Most blobs have none. */
  async remove(blobKeys: readonly string[]): Promise<void> {
    const there = new Set(await readdir(this.#root).catch(() => []))
    await Promise.all(
      blobKeys
        .filter((key) => there.has(key))
        .map((key) => rm(join(this.#root, key), { recursive: true, force: true })),
    )
  }

  /** Removes old segments, those above the size limit, and those of blobs that `findThere` doesn't return. */
  sweep(now: number, findThere: (blobKeys: string[]) => Promise<Set<string>>): Promise<void> {
    this.#sweeping ??= this.#sweep(now, findThere).finally(() => {
      this.#sweeping = undefined
    })
    return this.#sweeping
  }

  async #sweep(now: number, findThere: (blobKeys: string[]) => Promise<Set<string>>): Promise<void> {
    const blobKeys = await readdir(this.#root).catch(() => [])
    const there = await findThere(blobKeys)
    await this.remove(blobKeys.filter((key) => !there.has(key)))
    const kept: Kept[] = []
    for (const blobKey of there) kept.push(...(await this.#list(blobKey)))
    kept.sort((a, b) => b.usedAt - a.usedAt)
    let bytes = 0
    for (const segment of kept) {
      // Frees some extra space, so that this doesn't run for each new segment.
      const isKept = bytes + segment.bytes <= this.#maxBytes * 0.8 && segment.usedAt > now - MAX_AGE
      if (isKept) bytes += segment.bytes
      else await rm(join(this.#root, segment.blobKey, segment.name), { force: true })
    }
    this.#bytes = bytes
  }

  async #list(blobKey: string): Promise<Kept[]> {
    const names = await readdir(join(this.#root, blobKey)).catch(() => [])
    const found = await Promise.all(
      names.map(async (name) => {
        const metadata = await stat(join(this.#root, blobKey, name)).catch(() => undefined)
        return metadata && { blobKey, name, bytes: metadata.size, usedAt: metadata.mtimeMs }
      }),
    )
    return found.filter((one) => one !== undefined)
  }
}
