/** A file of a ZIP, with its path in it. */
export interface ZippedFile {
  readonly path: string
  readonly content: Blob
  readonly modified: Date
}

/**
 * Creates a ZIP of files without compressing them. The result refers to the files' bytes instead of copying them, so it
 * may be larger than the memory. Each file is read once, for its checksum. Rejects if a file can't be read.
 */
export async function zipBlob(files: readonly ZippedFile[]): Promise<Blob> {
  const entries = []
  for (const { path, content, modified } of files) {
    entries.push({ path, modified, size: content.size, sum: await sumOf(content) })
  }
  const { heads, end } = zipRecords(entries)
  const parts = files.flatMap(({ content }, index) => [heads[index] as Uint8Array<ArrayBuffer>, content])
  return new Blob([...parts, end], { type: 'application/zip' })
}

async function sumOf(content: Blob): Promise<number> {
  let sum = 0
  for await (const bytes of content.stream() as unknown as AsyncIterable<Uint8Array>) sum = crc32(bytes, sum)
  return sum
}

/** The metadata of a file in a ZIP. */
interface ZipEntry {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** CRC-32. */
  readonly sum: number
  readonly modified: Date
}

/**
 * The records around the bytes of the files: a local header before each file, and the central directory after the last.
 */
interface ZipRecords {
  readonly heads: readonly Uint8Array<ArrayBuffer>[]
  readonly end: Uint8Array<ArrayBuffer>
}

/** Placeholders for values that exceed 32 or 16 bits and are stored in a ZIP64 field instead. */
const BIG = 0xffffffff
const MANY = 0xffff
const VERSION = 45
/** Names are in UTF-8. */
const UTF8 = 0x800

/** Creates the records of a ZIP whose files are stored without compression. */
export function zipRecords(entries: readonly ZipEntry[]): ZipRecords {
  const heads: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { path, size, sum, modified } of entries) {
    const name = new TextEncoder().encode(path)
    const isBig = size >= BIG
    const shown = u32(isBig ? BIG : size)
    const shared = [u16(UTF8), u16(0), ...dosTime(modified), u32(sum), shown, shown, u16(name.length)]
    const sizes = isBig ? [size, size] : []
    const date = extendedTime(modified)
    const extra = join([date, zip64(sizes)])
    const head = join([u32(0x04034b50), u16(VERSION), ...shared, u16(extra.length), name, extra])
    const more = join([date, zip64(offset >= BIG ? [...sizes, offset] : sizes)])
    const [disk, inner, outer] = [u16(0), u16(0), u32(0)]
    const place = u32(Math.min(offset, BIG))
    directory.push(u32(0x02014b50), u16(VERSION), u16(VERSION), ...shared, u16(more.length))
    directory.push(u16(0), disk, inner, outer, place, name, more)
    heads.push(head)
    offset += head.length + size
  }
  const list = join(directory)
  return { heads, end: join([list, endOf(entries.length, list.length, offset)]) }
}

function endOf(count: number, size: number, offset: number): Uint8Array {
  const isBig = count >= MANY || offset >= BIG || size >= BIG
  const big = isBig
    ? [
        ...[u32(0x06064b50), u64(44), u16(VERSION), u16(VERSION), u32(0), u32(0)],
        ...[u64(count), u64(count), u64(size), u64(offset)],
        ...[u32(0x07064b50), u32(0), u64(offset + size), u32(1)],
      ]
    : []
  const [few, small, near] = [Math.min(count, MANY), Math.min(size, BIG), Math.min(offset, BIG)]
  return join([...big, u32(0x06054b50), u16(0), u16(0), u16(few), u16(few), u32(small), u32(near), u16(0)])
}

/** Creates the ZIP64 extra field with the values that are too large; empty if there are none. */
function zip64(values: readonly number[]): Uint8Array {
  return values.length === 0 ? new Uint8Array() : join([u16(1), u16(values.length * 8), ...values.map(u64)])
}

/**
 * Creates the extra field with the time in UTC, which has 31 bits for seconds since 1970; empty for later times, after
 * January 2038, which only the MS-DOS format has.
 */
function extendedTime(time: Date): Uint8Array {
  const seconds = Math.floor(time.getTime() / 1000)
  return seconds >= 2 ** 31 ? new Uint8Array() : join([u16(0x5455), u16(5), Uint8Array.of(1), u32(seconds)])
}

/** The first and the last time in the MS-DOS format. */
const EARLIEST = new Date(1980, 0, 1)
const LATEST = new Date(2107, 11, 31, 23, 59, 58)

/** Encodes a local time in the MS-DOS format of ZIPs, with a resolution of two seconds. */
function dosTime(exact: Date): Uint8Array[] {
  const time = exact < EARLIEST ? EARLIEST : exact > LATEST ? LATEST : exact
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)
  const day = ((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate()
  return [u16(clock), u16(day)]
}

function u16(value: number): Uint8Array {
  return Uint8Array.of(value & 255, value >>> 8)
}

function u32(value: number): Uint8Array {
  return Uint8Array.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24)
}

function u64(value: number): Uint8Array {
  return join([u32(value % 2 ** 32), u32(Math.floor(value / 2 ** 32))])
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

const crcTables = makeCrcTables()

/** Creates four tables, so that four bytes are processed at once. Otherwise large files would block the page. */
function makeCrcTables(): Uint32Array[] {
  const first = new Uint32Array(256).map((_, byte) => {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
    return sum
  })
  const tables = [first]
  for (let level = 1; level < 4; level++) {
    const below = tables[level - 1] as Uint32Array
    tables.push(below.map((sum) => (sum >>> 8) ^ (first[sum & 255] as number)))
  }
  return tables
}

/** Computes the CRC-32 of bytes. `before` is that of the preceding bytes. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [a, b, c, d] = crcTables as [Uint32Array, Uint32Array, Uint32Array, Uint32Array]
  let sum = ~before
  let at = 0
  for (const end = bytes.length - 3; at < end; at += 4) {
    sum ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    sum =
      (d[sum & 255] as number) ^
      (c[(sum >>> 8) & 255] as number) ^
      (b[(sum >>> 16) & 255] as number) ^
      (a[sum >>> 24] as number)
  }
  for (; at < bytes.length; at++) sum = (sum >>> 8) ^ (a[(sum ^ (bytes[at] as number)) & 255] as number)
  return ~sum >>> 0
}
