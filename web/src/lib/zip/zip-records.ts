/** What a ZIP says of a file. */
export interface ZipEntry {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** CRC-32. */
  readonly sum: number
  readonly modified: Date
}

/** What stands around the bytes of the files: before each of them, and behind the last. */
export interface ZipRecords {
  readonly heads: readonly Uint8Array<ArrayBuffer>[]
  readonly end: Uint8Array<ArrayBuffer>
}

/** What does not fit into 32 or 16 bits goes into a field of its own (ZIP64), and these stand in its place. */
const BIG = 0xffffffff
const MANY = 0xffff
const VERSION = 45
/** Names are in UTF-8. */
const UTF8 = 0x800

/** The records of a ZIP whose files lie in it as they are, without being packed. */
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
    const extra = zip64(sizes)
    const head = join([u32(0x04034b50), u16(VERSION), ...shared, u16(extra.length), name, extra])
    const more = zip64(offset >= BIG ? [...sizes, offset] : sizes)
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

/** The field of the values that are too large for their places; nothing where there are none. */
function zip64(values: readonly number[]): Uint8Array {
  return values.length === 0 ? new Uint8Array() : join([u16(1), u16(values.length * 8), ...values.map(u64)])
}

/** The time as ZIPs have it, in steps of two seconds. */
function dosTime(time: Date): Uint8Array[] {
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)
  const day = (Math.max(0, time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate()
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
