import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { ChunkBatcher } from './batch-chunks.ts'
import { dataDescriptor, directoryRecord, endRecords, localHeader, type ZipRecord } from './zip-records.ts'

export interface ZipEntry {
  kind: 'file' | 'folder'
  /** With `/` between the names of folders, and none at the end. */
  path: string
  /** Milliseconds since 1970. */
  updatedAt: number
  /** Bytes; undefined where only the end will tell, which must come before 4 GiB. */
  size: number | undefined
  open(): AsyncIterable<Uint8Array>
  /** All of its bytes, where they can be had at once: a stream for each of very many files would leave much to be collected. */
  readSmall?(): Uint8Array | undefined
  /** Whether the file has gone since it was listed; asked when it cannot be opened. */
  isGone(): Promise<boolean>
}

/** Pieces are handed on when so much has come together. */
const PIECE = 256 * 1024
/** A file up to this size is read before its header is written, which can then tell its sum. */
const SMALL = 256 * 1024
const LARGEST_UNKNOWN = 2 ** 32 - 1

/**
 * A ZIP made while it is sent. Nothing but the directory is held, some hundred bytes an entry, and entries are asked for
 * as they are sent. Files are stored as they are: photos, music and films do not shrink, and the threads that would
 * deflate the rest are those that bring uploads to the disk. Ends with an error when a file has other bytes than it should.
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
      updatedAt: entry.updatedAt,
      size: entry.size ?? 0,
      crc: 0,
      hasDescriptor: entry.size === undefined || entry.size > SMALL,
      offset,
    }
    for await (const piece of writeEntry(record, entry)) {
      offset += piece.length
      if (ready.size + piece.length > PIECE && ready.size > 0) yield ready.take()
      // What is large already is not copied.
      if (piece.length >= PIECE) yield piece
      else ready.add(piece)
    }
    if (offset === record.offset) continue
    count += 1
    // Whoever waits for it sees at once that it has begun.
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

/** An entry's header and bytes, and sets the record's sum; nothing at all for a file that has gone. */
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
    // Whoever downloads may have gone: the file is closed all the same.
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
  // The header has promised a small one.
  else if (size >= LARGEST_UNKNOWN) throw new Error(`${record.name.toString()} has grown to ${size} bytes.`)
  record.size = size
  record.crc = crc
  yield dataDescriptor(record)
}

function assertSize({ name, size }: ZipRecord, found: number): void {
  if (found !== size) throw new Error(`${name.toString()} has ${found} bytes instead of ${size}.`)
}

/** Some unpackers take `\` for `/`; a folder is known by the `/` at its end. */
function nameOf({ path, kind }: ZipEntry): Buffer {
  return Buffer.from(path.replaceAll('\\', '_') + (kind === 'folder' ? '/' : ''))
}
