import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { KeyedLock, SharedSync } from '../concurrency.ts'
import {
  type BlobStore,
  type ByteRange,
  type ChunkPlace,
  type KnownPlace,
  keyAt,
  MAX_COLLECTED,
  type StagedChunk,
} from './blob-store.ts'
import { copyWhole, makeDurable, readCounting, writeNew } from './copy-file.ts'
import { copyInto, removeFile, sendFile, undefinedIfMissing, writeDurably, writeTo } from './disk-files.ts'
import { FreeDiskSpace } from './free-disk-space.ts'
import { OpenFiles } from './open-files.ts'
import { SmallBlobs } from './small-blobs.ts'

/**
 * The data directory around them is private to its owner. The bits of the group are also the mask of an access control list, with
 * which an operator can let nginx read the blobs.
 */
const FILE_MODE = 0o640
const FOLDER_MODE = 0o750
/** The mode of what is copied out of the data directory. */
const PRIVATE_MODE = 0o600

/** The number of folders that are kept open for syncing: those written to last. */
const OPEN_FOLDERS = 64

/**
 * Stores small blobs in a database (`small-blobs.ts`) and others as files: `blobs/<start of the key>/<key>`, with `….parked` beside it
 * for the last chunk while its place is unknown, and `staging/<key>` for a staged chunk. A chunk is written at its offset in the blob's
 * own file, so that sealing copies nothing. Keys rise with time and a folder holds those of about 17 minutes, so files that arrive
 * together share one sync of their folder.
 */
export class DiskBlobStore implements BlobStore {
  readonly #root: string
  readonly #directorySyncs = new Map<string, SharedSync>()
  /** Keeps two simultaneous uploads of the same chunk from interleaving. */
  readonly #locks = new KeyedLock()
  readonly #small: SmallBlobs
  readonly #freeSpace: FreeDiskSpace
  readonly #openFiles = new OpenFiles()

  /** Uploads leave `keptFree` bytes of the disk free. */
  constructor(root: string, keptFree = 0) {
    this.#root = root
    this.#freeSpace = new FreeDiskSpace(root, keptFree)
    this.#small = new SmallBlobs(join(root, 'blobs', 'small.sqlite'))
  }

  writeChunk(key: string, { index, offset, isLast }: KnownPlace, bytes: Readable, maxSize: number): Promise<number> {
    bearErrors(bytes)
    return this.#locks.take(`${key}.${index}`, () =>
      this.#withFile(this.#path(key), async (file) => {
        const size = await writeDurably(file, offset, bytes, maxSize, this.#freeSpace)
        if (isLast) await file.truncate(offset + size)
        return size
      }),
    )
  }

  async writeWhole(key: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length <= MAX_COLLECTED) {
      await this.#freeSpace.take(bytes.length)
      return this.#small.write(key, bytes)
    }
    await this.writeChunk(key, { index: 0, offset: 0 }, Readable.from([bytes]), bytes.length)
  }

  assertFits(bytes: number): Promise<void> {
    return this.#freeSpace.check(bytes)
  }

  streamWhole(key: string, bytes: Readable, maxSize: number): Promise<number> {
    return this.writeChunk(key, { index: 0, offset: 0 }, bytes, maxSize)
  }

  async copyFile(key: string, source: string, size: number, onBytes: (bytes: number) => void): Promise<number> {
    const path = this.#path(key)
    await this.#freeSpace.check(size)
    const isCopied = await copyWhole(source, path, size).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await this.#createDirectory(dirname(path))
      return copyWhole(source, path, size)
    })
    if (!isCopied) return this.streamWhole(key, readCounting(source, onBytes), Number.MAX_SAFE_INTEGER)
    await this.#freeSpace.take(size)
    const copied = await makeDurable(path, FILE_MODE)
    await this.#syncDirectory(dirname(path))
    onBytes(copied)
    return copied
  }

  async copyTo(key: string, target: string, onBytes: (bytes: number) => void): Promise<number> {
    const small = this.#small.read(key)
    if (small) return writeNew(target, Readable.from([small]), onBytes)
    const path = this.#path(key)
    const { size } = await stat(path)
    if (!(await copyWhole(path, target, size))) return writeNew(target, this.openStream(key), onBytes)
    const copied = await makeDurable(target, PRIVATE_MODE)
    onBytes(copied)
    return copied
  }

  async stageChunk(bytes: Readable, maxSize: number): Promise<StagedChunk> {
    bearErrors(bytes)
    const stagingKey = randomUUID()
    const path = this.#stagingPath(stagingKey)
    try {
      const size = await this.#withFile(path, (file) => writeDurably(file, 0, bytes, maxSize, this.#freeSpace))
      return { stagingKey, size }
    } catch (error) {
      await removeFile(path)
      throw error
    }
  }

  placeChunk(key: string, place: ChunkPlace, chunk: StagedChunk): Promise<void> {
    const staged = this.#stagingPath(chunk.stagingKey)
    return this.#locks.take(`${key}.${place.index}`, async () => {
      if (place.offset === undefined) return this.#rename(staged, this.#parkedPath(key))
      // The first chunk of a new blob needs no copy: the staged file becomes the blob.
      if (place.offset === 0 && (await this.#adopt(staged, this.#path(key)))) return
      const offset = place.offset
      await this.#freeSpace.take(chunk.size)
      await this.#withFile(this.#path(key), (file) => copyInto(file, offset, staged))
      await unlink(staged)
    })
  }

  async dropStagedChunk(chunk: StagedChunk): Promise<void> {
    await removeFile(this.#stagingPath(chunk.stagingKey))
  }

  unparkChunk(key: string, place: { index: number; offset: number }): Promise<void> {
    const parked = this.#parkedPath(key)
    return this.#locks.take(`${key}.${place.index}`, () =>
      this.#withFile(this.#path(key), (file) => copyInto(file, place.offset, parked)),
    )
  }

  async dropParkedChunk(key: string): Promise<void> {
    await removeFile(this.#parkedPath(key))
  }

  async seal(key: string, sizes: readonly number[]): Promise<void> {
    const size = sizes.reduce((sum, one) => sum + one, 0)
    // A small blob was written whole.
    if (this.#small.sizeOf(key) === size) return
    const path = this.#path(key)
    const written = await stat(path)
    if (written.size < size) throw new Error(`blob ${key} has ${written.size} bytes instead of ${size}`)
    // A crash may have left the parked chunk after it was copied to its place.
    await this.dropParkedChunk(key)
    // A last chunk that was sent again may be shorter than before.
    if (written.size > size) {
      await this.#withFile(path, async (file) => {
        await file.truncate(size)
        await file.sync()
      })
    }
  }

  async send(key: string, range: ByteRange, begin: () => Writable): Promise<void> {
    // A small blob ends before such a range, so a player's ranges need no look-up.
    const small = range.end < MAX_COLLECTED ? this.#small.read(key) : undefined
    if (small) return writeTo(begin(), small.subarray(range.start, range.end + 1))
    return this.#openFiles.use(this.#path(key), (file) => sendFile(file, range, begin))
  }

  readSmall(key: string): Uint8Array | undefined {
    return this.#small.read(key)
  }

  openStream(key: string): Readable {
    const small = this.#small.read(key)
    if (small) return Readable.from([small])
    return createReadStream(this.#path(key), { highWaterMark: 512 * 1024 })
  }

  async sizeOf(key: string): Promise<number | undefined> {
    const small = this.#small.sizeOf(key)
    if (small !== undefined) return small
    return stat(this.#path(key)).then(({ size }) => size, undefinedIfMissing)
  }

  async isEmpty(): Promise<boolean> {
    return (await readdir(join(this.#root, 'blobs')).catch(() => [])).length === 0
  }

  withContent<T>(key: string, work: (content: Uint8Array | string) => Promise<T>): Promise<T> {
    return work(this.#small.read(key) ?? this.#path(key))
  }

  internalAddress(key: string): string | undefined {
    return this.#small.has(key) ? undefined : `/_files/${relativePath(key)}`
  }

  async remove(key: string): Promise<void> {
    if (this.#small.has(key)) return this.#small.remove(key)
    await Promise.all([removeFile(this.#path(key)), this.dropParkedChunk(key)])
    this.#openFiles.forget(this.#path(key))
  }

  async sweep(olderThan: number, findUsed: (keys: string[]) => Promise<Set<string>>): Promise<number> {
    let removed = await this.#sweepSmall(olderThan, findUsed)
    for (const folder of [join(this.#root, 'staging'), ...(await this.#blobFolders())]) {
      const old = await listOlderThan(folder, olderThan)
      if (old.length === 0) continue
      const used = await findUsed(old)
      for (const name of old.filter((candidate) => !used.has(candidate))) {
        await removeFile(join(folder, name))
        removed++
      }
    }
    return removed
  }

  async close(): Promise<void> {
    this.#openFiles.close()
    await this.#small.close()
    await Promise.all([...this.#directorySyncs.values()].map((directory) => directory.close()))
  }

  async #sweepSmall(olderThan: number, findUsed: (keys: string[]) => Promise<Set<string>>): Promise<number> {
    let removed = 0
    for (const keys of this.#small.listKeysBelow(keyAt(olderThan))) {
      const used = await findUsed(keys)
      const unused = keys.filter((key) => !used.has(key))
      await Promise.all(unused.map((key) => this.#small.remove(key)))
      removed += unused.length
    }
    return removed
  }

  #path(key: string): string {
    return join(this.#root, relativePath(key))
  }

  /** Only the last chunk is ever parked: for any other, the size gives its offset. */
  #parkedPath(key: string): string {
    return `${this.#path(key)}.parked`
  }

  #stagingPath(stagingKey: string): string {
    return join(this.#root, 'staging', stagingKey)
  }

  async #blobFolders(): Promise<string[]> {
    const root = join(this.#root, 'blobs')
    const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name))
  }

  /** Opens a file for writing at any position, creates it if it is missing, and makes its directory entry durable. */
  async #withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
    const { file, isNew } = await this.#openOrCreate(path)
    let result: T
    try {
      result = await work(file)
    } finally {
      await file.close()
    }
    if (isNew) await this.#syncDirectory(dirname(path))
    return result
  }

  async #openOrCreate(path: string): Promise<{ file: FileHandle; isNew: boolean }> {
    const create = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
    try {
      return { file: await open(path, create, FILE_MODE), isNew: true }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') return { file: await open(path, 'r+'), isNew: false }
      if (code !== 'ENOENT') throw error
      await this.#createDirectory(dirname(path))
      return this.#openOrCreate(path)
    }
  }

  async #rename(from: string, to: string): Promise<void> {
    await this.#createDirectory(dirname(to))
    await rename(from, to)
    await this.#syncDirectory(dirname(to))
  }

  /** Makes a staged file the blob, unless another chunk has created that file meanwhile. */
  async #adopt(staged: string, path: string): Promise<boolean> {
    await this.#createDirectory(dirname(path))
    try {
      // Unlike a rename, a link never replaces an existing file.
      await link(staged, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
    await this.#syncDirectory(dirname(path))
    await unlink(staged)
    return true
  }

  async #createDirectory(path: string): Promise<void> {
    const firstCreated = await mkdir(path, { recursive: true, mode: FOLDER_MODE })
    if (firstCreated !== undefined) await this.#syncDirectory(dirname(path))
  }

  #syncDirectory(path: string): Promise<void> {
    let directory = this.#directorySyncs.get(path)
    if (!directory) {
      directory = new SharedSync(path)
      this.#directorySyncs.set(path, directory)
      this.#closeOldestDirectory()
    }
    return directory.sync()
  }

  #closeOldestDirectory(): void {
    const [oldest] = this.#directorySyncs
    if (!oldest || this.#directorySyncs.size <= OPEN_FOLDERS) return
    this.#directorySyncs.delete(oldest[0])
    // Waits for a sync that is in progress.
    void oldest[1].close()
  }
}

/** A stream may fail before it is read. The reader gets the error later; it must not end the process. */
function bearErrors(bytes: Readable): void {
  bytes.on('error', () => {})
}

async function listOlderThan(folder: string, time: number): Promise<string[]> {
  const old: string[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < time) old.push(name)
  }
  return old
}

function relativePath(key: string): string {
  return `blobs/${key.slice(0, 7)}/${key}`
}
