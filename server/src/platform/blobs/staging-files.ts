import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ChunkTooLargeError, type StagedChunk } from './blob-store.ts'

/** What is written at once, and what stays in memory altogether. */
const WRITE_SIZE = 256 * 1024

/** Bytes on this machine on their way to a store elsewhere, which wants to know their size and digest beforehand. */
export class StagedBytes implements StagedChunk {
  readonly stagingKey: string
  readonly size: number
  /** In base64, as HTTP has it. */
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

  /** The bytes from their beginning: each attempt to send them opens them anew. */
  open(): Uint8Array | Readable {
    return this.#content ?? createReadStream(this.path, { highWaterMark: 256 * 1024 })
  }
}

export interface StagingFile {
  readonly path: string
  readonly stagingKey: string
}

/** A folder for bytes that are not kept: what a crash leaves in it is swept. */
export class StagingFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Sees to it that there is the folder. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** A file of the folder that is not there yet. */
  nameFile(): StagingFile {
    const stagingKey = randomUUID()
    return { path: join(this.#folder, stagingKey), stagingKey }
  }

  /** Takes all bytes in: few into memory, more into a file, which need not be durable. */
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
      await rm(path, { force: true })
      throw error
    } finally {
      await file?.close()
    }
  }

  async drop({ stagingKey }: Pick<StagedChunk, 'stagingKey'>): Promise<void> {
    await rm(join(this.#folder, stagingKey), { force: true })
  }

  /** What has lain here since before a time. */
  async listOlderThan(time: number): Promise<string[]> {
    const old: string[] = []
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const { mtimeMs } = await stat(join(this.#folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
      if (mtimeMs < time) old.push(name)
    }
    return old
  }
}
