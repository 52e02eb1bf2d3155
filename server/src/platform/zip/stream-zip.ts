// SURPRISE: ZIPs are written by our own code (here and in zip-records.ts), and small files are copied without a stream each.
// Measured: a ZIP of 100,000 small files takes 67 MiB of memory instead of 295 (docs/decisions/007-many-items.md). Compared with
// libraries, in processor time: 10,000 files of 2 KB 0.3 s (yazl 0.6, client-zip 0.6, zip-stream 1.1), one file of 1 GiB 0.5 s
// (zip-stream 1.3 to 1.8, client-zip 2.9, yazl 3.3). docs/dependencies.md has the details.
// Remove it when: a library is as fast, asks for entries as they are sent, and can leave out a file that has gone.

import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { dataDescriptor, directoryRecord, endRecords, localHeader, type ZipRecord } from './zip-records.ts'

export interface ZipEntry {
  kind: 'file' | 'folder'
  /** Folder names are separated by `/`, without one at the end. */
  path: string
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** Bytes; undefined if the size is known only at the end, which must then be below 4 GiB. */
  size: number | undefined
  open(): AsyncIterable<Uint8Array>
  /** Returns all bytes if they can be read without a stream: a stream for each of very many files would leave much garbage. */
  readSmall?(): Uint8Array | undefined
  /** Returns whether the file was deleted since it was listed. Called if it can't be opened. */
  isGone(): Promise<boolean>
}

/** Small pieces are gathered up to this size. Bytes. */
const PIECE = 256 * 1024
/** A file up to this size is read before its header is written, so that the header can contain the checksum. */
const SMALL = 256 * 1024
const LARGEST_UNKNOWN = 2 ** 32 - 1

/**
 * Streams a ZIP while it is generated. Only the directory is kept in memory, some hundred bytes an entry, and entries are
 * requested as they are sent. Files are stored, not compressed: photos, music and films don't shrink, and compression would use
 * the threads that write uploads to the disk. The stream fails if a file doesn't have its announced size.
 */
export function streamZip(entries: AsyncIterable<ZipEntry>): Readable {
  return Readable.from(writeZip(entries), { objectMode: false, highWaterMark: 2 * PIECE })
}

async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const ready = new ChunkBatcher(PIECE)
  const directory: Uint8Array[] = []
  const lines = new ChunkBatcher(PIECE)
  let offset = 0
  let count = 0
  for await (const entry of entries) {
    const record: ZipRecord = {
      name: nameOf(entry),
      kind: entry.kind,
      modifiedAt: entry.modifiedAt,
      size: entry.size ?? 0,
      crc: 0,
      hasDescriptor: entry.size === undefined || entry.size > SMALL,
      offset,
    }
    for await (const piece of writeEntry(record, entry)) {
      offset += piece.length
      if (ready.size + piece.length > PIECE && ready.size > 0) yield ready.take()
      // Large pieces are not copied.
      if (piece.length >= PIECE) yield piece
      else ready.add(piece)
    }
    if (offset === record.offset) continue
    count += 1
    // The first entry is sent at once, so that the client sees that the download has begun.
    if (count === 1 && ready.size > 0) yield ready.take()
    const line = directoryRecord(record)
    if (lines.size + line.length > PIECE) directory.push(lines.take())
    lines.add(line)
  }
  directory.push(lines.take())
  const size = directory.reduce((sum, lines) => sum + lines.length, 0)
  yield ready.take()
  yield* directory
  yield endRecords({ count, offset, size })
}

/** Yields an entry's header and bytes and sets the record's checksum. Yields nothing for a file that was deleted. */
async function* writeEntry(record: ZipRecord, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  if (entry.kind === 'folder' || entry.size === 0) {
    yield localHeader(record)
    return
  }
  const whole = record.hasDescriptor ? undefined : entry.readSmall?.()
  if (whole) {
    yield* writeWhole(record, whole)
    return
  }
  const bytes = entry.open()[Symbol.asyncIterator]()
  try {
    const first = await readFirst(bytes, entry)
    if (!first) return
    const isSizeKnown = entry.size !== undefined
    yield* record.hasDescriptor ? writeLarge(record, first, bytes, isSizeKnown) : writeSmall(record, first, bytes)
  } finally {
    // If the client has disconnected, the file is closed all the same.
    await bytes.return?.()
  }
}

async function readFirst(bytes: AsyncIterator<Uint8Array>, entry: ZipEntry): Promise<Uint8Array | undefined> {
  try {
    const { value, done } = await bytes.next()
    return done ? new Uint8Array() : value
  } catch (error) {
    if (await entry.isGone()) return undefined
    throw error
  }
}

async function* writeSmall(record: ZipRecord, first: Uint8Array, rest: AsyncIterator<Uint8Array>) {
  const content = new ChunkBatcher(record.size)
  content.add(first)
  for await (const piece of { [Symbol.asyncIterator]: () => rest }) content.add(piece)
  yield* writeWhole(record, content.take())
}

function* writeWhole(record: ZipRecord, whole: Uint8Array): Generator<Uint8Array> {
  assertSize(record, whole.length)
  record.crc = crc32(whole)
  yield localHeader(record)
  yield whole
}

async function* writeLarge(
  record: ZipRecord,
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  isSizeKnown: boolean,
) {
  yield localHeader(record)
  let crc = crc32(first)
  let size = first.length
  yield first
  for await (const piece of { [Symbol.asyncIterator]: () => rest }) {
    crc = crc32(piece, crc)
    size += piece.length
    yield piece
  }
  if (isSizeKnown) assertSize(record, size)
  // The header has promised a size below 4 GiB.
  else if (size >= LARGEST_UNKNOWN) throw new Error(`${record.name.toString()} has grown to ${size} bytes.`)
  record.size = size
  record.crc = crc
  yield dataDescriptor(record)
}

function assertSize({ name, size }: ZipRecord, found: number): void {
  if (found !== size) throw new Error(`${name.toString()} has ${found} bytes instead of ${size}.`)
}

/** Returns the name in the ZIP. Some programs treat `\` as `/`; a folder's name ends with `/`. */
function nameOf({ path, kind }: ZipEntry): Buffer {
  return Buffer.from(path.replaceAll('\\', '_') + (kind === 'folder' ? '/' : ''))
}

/** Gathers small pieces into few large ones. Each piece is copied at once, so that it can be freed. */
class ChunkBatcher {
  readonly #capacity: number
  #bytes: Buffer | undefined
  #size = 0

  /** `capacity` is the expected number of bytes. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.length
    if (!this.#bytes || size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#capacity, size))
      this.#bytes?.copy(larger, 0, 0, this.#size)
      this.#bytes = larger
    }
    this.#bytes.set(piece, this.#size)
    this.#size = size
  }

  /** Returns everything that was gathered and starts again. */
  take(): Uint8Array {
    const all = this.#bytes?.subarray(0, this.#size) ?? new Uint8Array()
    this.#bytes = undefined
    this.#size = 0
    return all
  }
}
