import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { MAX_FILE_SIZE, MAX_SMALL_FILE } from '@alcove/contract/limits'
import { normalizeName } from '@alcove/contract/names'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { CommandError } from '../../command.ts'
import { type OnBytes, type OnSkip, SkipError, type StoredSource } from '../source.ts'
import { isSmallJson } from './read-sidecar.ts'
import { readTar, type TarEntry } from './read-tar.ts'
import { storeArchived } from './store-archived.ts'
import { EXPANDS_TOO_FAR, expandsTooFar, type ListedFile, type PlacedFile, type TakeoutPart } from './takeout-part.ts'

/** Files up to this size are stored while the next ones are read, as long as they take no more memory than this together. */
const [MAX_BUFFERED, BUFFERS] = [4 * 1024 * 1024, 24 * 1024 * 1024]

const READ_SIZE = 64 * 1024

/** Opens a tar archive, which may be compressed with gzip. */
export async function openTar(path: string): Promise<TakeoutPart> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return new TarArchive({ path, size, isCompressed: bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b })
  } finally {
    await file.close()
  }
}

/**
 * A tar archive has no index, so it is read twice: once to list it, and once to store its files, in the order of the archive. The
 * place of a file is the number of its entry.
 */
class TarArchive implements TakeoutPart {
  readonly #path: string
  readonly #size: number
  readonly #isCompressed: boolean
  #entries: AsyncGenerator<TarEntry> | undefined
  /** The number of the entry that is read next. */
  #next = 0
  /** Ends when the archive is free for the next reader. */
  #reading: Promise<unknown> = Promise.resolve()
  #buffered = 0
  #onRelease = () => {}

  constructor({ path, size, isCompressed }: { path: string; size: number; isCompressed: boolean }) {
    this.#path = path
    this.#size = size
    this.#isCompressed = isCompressed
  }

  async *list(onSkip: OnSkip, onBytes: OnBytes): AsyncGenerator<ListedFile> {
    let number = 0
    let last = ''
    try {
      for await (const entry of readTar(this.#bytes())) {
        const place = String(number)
        number += 1
        if (entry.kind === 'folder') continue
        last = entry.path ?? '?'
        const names = readPath(entry.path)
        const problem = typeof names === 'string' ? names : problemOf(entry)
        if (problem !== undefined) onSkip(last, problem)
        else yield await readEntry(entry, { names: names as string[], place, onBytes })
      }
    } catch (error) {
      if (error instanceof CommandError) throw error
      const { message } = error as Error
      if (number === 0) throw new CommandError(`${this.#path} can't be read: ${message}`)
      onSkip(this.#path, `it is damaged or incomplete after ${last} (${message}); download it again`)
    }
  }

  open(): Promise<never> {
    throw new Error('Files of tar archives are read in order.')
  }

  async store(file: PlacedFile, blobs: BlobStore, blobKey: string, onBytes: OnBytes): Promise<StoredSource> {
    const { size } = file
    if (size > MAX_BUFFERED) {
      return this.#read(file, ({ bytes }) =>
        storeArchived({ ...file, open: async () => bytes() }, blobs, blobKey, onBytes),
      )
    }
    const content = await this.#read(file, async ({ bytes }) => {
      while (this.#buffered + size > BUFFERS) await new Promise<void>((resolve) => (this.#onRelease = resolve))
      this.#buffered += size
      return copyOf(bytes()).catch((error: unknown) => {
        this.#release(size)
        throw error
      })
    })
    try {
      return await storeArchived({ ...file, open: async () => inOrder(content) }, blobs, blobKey, onBytes)
    } finally {
      this.#release(size)
    }
  }

  async close(): Promise<void> {
    await this.#entries?.return(undefined)
  }

  #release(size: number): void {
    this.#buffered -= size
    this.#onRelease()
  }

  /** Reads a file when those before it are read. */
  #read<T>(file: PlacedFile, use: (entry: TarEntry) => Promise<T>): Promise<T> {
    const reading = this.#reading.then(async () => use(await this.#find(file)))
    this.#reading = reading.catch(() => {})
    return reading
  }

  async #find({ place, size }: PlacedFile): Promise<TarEntry> {
    const number = Number(place)
    if (!this.#entries || number < this.#next) {
      await this.#entries?.return(undefined)
      this.#entries = readTar(this.#bytes())
      this.#next = 0
    }
    try {
      for (;;) {
        const { done, value } = await this.#entries.next()
        this.#next += 1
        if (done || (this.#next > number && value.size !== size)) break
        if (this.#next > number) return value
      }
    } catch (error) {
      throw new SkipError(`the archive is damaged (${(error as Error).message})`)
    }
    throw new SkipError('the archive changed while it was imported')
  }

  /** Reads the archive. Refuses one that is made to fill disks. */
  async *#bytes(): AsyncGenerator<Buffer> {
    const file = createReadStream(this.#path, { highWaterMark: READ_SIZE })
    const bytes = this.#isCompressed ? file.pipe(createGunzip({ chunkSize: READ_SIZE })) : file
    file.once('error', (error) => bytes.destroy(error))
    let expanded = 0
    try {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        expanded += chunk.length
        if (expandsTooFar(this.#size, expanded)) throw new CommandError(`${this.#path} is refused: ${EXPANDS_TOO_FAR}.`)
        yield chunk
      }
    } finally {
      file.destroy()
      bytes.destroy()
    }
  }
}

/** Returns the names of a path, or why it can't be imported. */
function readPath(path: string | undefined): string[] | string {
  if (path === undefined) return 'its name is not UTF-8'
  const names = path.split('/').filter((name, index) => name !== '.' && (name !== '' || index === 0))
  return names[0] === '' || names.includes('..') ? 'its path leads out of the archive' : names.map(normalizeName)
}

const PROBLEMS: Readonly<Partial<Record<TarEntry['kind'], string>>> = {
  link: 'links are not imported',
  sparse: 'it is stored as a sparse file, which is not imported',
  special: 'it is a special file',
}

function problemOf({ kind, size }: TarEntry): string | undefined {
  return PROBLEMS[kind] ?? (size > MAX_FILE_SIZE ? 'it is too large' : undefined)
}

interface Reading {
  names: string[]
  place: string
  onBytes: OnBytes
}

async function readEntry(entry: TarEntry, { names, place, onBytes }: Reading): Promise<ListedFile> {
  const { path = '', size, modifiedAt } = entry
  const listed = { names, origin: path, size, modifiedAt, place }
  if (size <= MAX_SMALL_FILE || isSmallJson(names.at(-1) ?? '', size)) {
    const content = Buffer.concat(await copyOf(entry.bytes()))
    onBytes(size)
    return { ...listed, digest: hash('sha256', content), read: async () => content }
  }
  const digest = createHash('sha256')
  for await (const chunk of entry.bytes()) {
    digest.update(chunk)
    onBytes(chunk.length)
  }
  return { ...listed, digest: digest.digest('hex'), read: () => Promise.reject(new Error('It is too large.')) }
}

/** Copies what is read, because the chunks are parts of larger ones. */
async function copyOf(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const copies: Buffer[] = []
  for await (const chunk of chunks) copies.push(Buffer.from(chunk))
  return copies
}

async function* inOrder(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}
