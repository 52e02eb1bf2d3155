import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ChunkTooLargeError, type StagedChunk } from './blob-store.ts'
import { removeFile } from './disk-files.ts'

/** Bytes per write. Smaller content stays in memory. */
const WRITE_SIZE = 256 * 1024

/** Bytes on this machine that are about to be sent to a store, which needs their size and digest beforehand. */
export class StagedBytes implements StagedChunk {
  readonly stagingKey: string
  readonly size: number
  /** In base64, as in HTTP. */
  readonly md5: string
  readonly #content: Uint8Array | undefined
  readonly path: string

  constructor(path: string, stagingKey: string, size: number, md5: string, content?: Uint8Array) {
    this.path = path
    this.stagingKey = stagingKey
    this.size = size
    this.md5 = md5
    this.#content = content
  }

  static of(content: Uint8Array): StagedBytes {
    return new StagedBytes('', '', content.length, createHash('md5').update(content).digest('base64'), content)
  }

  /** Returns all bytes from the beginning. Each attempt to send them opens them again. */
  open(): Uint8Array | Readable {
    return this.#content ?? createReadStream(this.path, { highWaterMark: 256 * 1024 })
  }
}

interface StagingFile {
  readonly path: string
  readonly stagingKey: string
}

/** A folder for temporary files. A sweep removes files that a crash left. */
export class StagingFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Creates the folder if it is missing. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** Returns a name for a new file in the folder. */
  nameFile(): StagingFile {
    const stagingKey = randomUUID()
    return { path: join(this.#folder, stagingKey), stagingKey }
  }

  /** Reads all bytes: few into memory, more into a file, which need not be durable. */
  async take(bytes: AsyncIterable<Buffer>, maxSize: number): Promise<StagedBytes> {
    await this.prepare()
    const { path, stagingKey } = this.nameFile()
    const digest = createHash('md5')
    let size = 0
    let waiting: Buffer[] = []
    let waitingSize = 0
    let file: FileHandle | undefined
    try {
      for await (const buffer of bytes) {
        size += buffer.length
        if (size > maxSize) throw new ChunkTooLargeError(`a chunk exceeds ${maxSize} bytes`)
        digest.update(buffer)
        waiting.push(buffer)
        waitingSize += buffer.length
        if (waitingSize < WRITE_SIZE) continue
        file ??= await open(path, 'wx', 0o600)
        await file.appendFile(Buffer.concat(waiting))
        waiting = []
        waitingSize = 0
      }
      const rest = Buffer.concat(waiting)
      await file?.appendFile(rest)
      return new StagedBytes(path, stagingKey, size, digest.digest('base64'), file ? undefined : rest)
    } catch (error) {
      await removeFile(path)
      throw error
    } finally {
      await file?.close()
    }
  }

  async drop({ stagingKey }: Pick<StagedChunk, 'stagingKey'>): Promise<void> {
    await removeFile(join(this.#folder, stagingKey))
  }

  /** Lists files that were last changed before a time. */
  async listOlderThan(time: number): Promise<string[]> {
    const old: string[] = []
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const { mtimeMs } = await stat(join(this.#folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
      if (mtimeMs < time) old.push(name)
    }
    return old
  }
}

interface Copy {
  file: StagingFile
  fetched: Promise<void>
  users: number
  ending: NodeJS.Timeout | undefined
}

/** The number of unused copies that are kept. */
const MAX_UNUSED = 4

/**
 * Keeps copies of objects as files on this machine, for programs that read files. A copy is shared by all its users and kept for a
 * while after the last one: a film is requested segment by segment but fetched once.
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
    // The next user tries again.
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
