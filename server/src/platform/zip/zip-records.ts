/** The records of a ZIP (PKWARE's APPNOTE 6.3): UTF-8 names, Unix modes, and ZIP64 where sizes need it. */

const LARGEST_32 = 0xffff_ffff
const LARGEST_16 = 0xffff

const UTF8 = 0x0800
const SIZES_FOLLOW = 0x0008
const VERSION = { plain: 20, zip64: 45 }
const UNIX = 3 << 8

/** An entry in its records. `hasDescriptor`: the checksum follows the bytes. */
export interface ZipRecord {
  name: Buffer
  kind: 'file' | 'folder'
  /** Milliseconds since 1970. */
  modifiedAt: number
  size: number
  crc: number
  hasDescriptor: boolean
  /** The position of its header. */
  offset: number
}

// Each record is a single buffer, because a ZIP may have very many.

/** Returns the local header, before an entry's bytes. */
export function localHeader(record: ZipRecord): Buffer {
  const isLarge = isZip64(record.size)
  const { size, crc } = record.hasDescriptor ? { size: 0, crc: 0 } : record
  const values = isLarge ? [size, size] : []
  const header = makeRecord(30, record, values)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(isLarge ? VERSION.zip64 : VERSION.plain, 4)
  writeCommon(header, 6, record, { size: isLarge ? LARGEST_32 : size, crc, values })
  return header
}

/** Returns the data descriptor, after an entry's bytes, if the header has no checksum. */
export function dataDescriptor({ size, crc }: ZipRecord): Buffer {
  const isLarge = isZip64(size)
  const descriptor = Buffer.alloc(isLarge ? 24 : 16)
  descriptor.writeUInt32LE(0x0807_4b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(size), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(size, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

/** Returns an entry's record in the central directory. */
export function directoryRecord(record: ZipRecord): Buffer {
  const { size, offset, kind, crc } = record
  const values = [...(isZip64(size) ? [size, size] : []), ...(isZip64(offset) ? [offset] : [])]
  const line = makeRecord(46, record, values)
  line.writeUInt32LE(0x0201_4b50, 0)
  line.writeUInt16LE(UNIX | VERSION.zip64, 4)
  line.writeUInt16LE(values.length > 0 ? VERSION.zip64 : VERSION.plain, 6)
  writeCommon(line, 8, record, { size: Math.min(size, LARGEST_32), crc, values })
  // No comment, on the first disk, no internal attributes.
  line.fill(0, 32, 38)
  line.writeUInt32LE(kind === 'folder' ? ((0o40755 << 16) | 0x10) >>> 0 : (0o100644 << 16) >>> 0, 38)
  line.writeUInt32LE(Math.min(offset, LARGEST_32), 42)
  return line
}

/** Returns the end of a ZIP: the number of entries and the position of their directory. */
export function endRecords({ count, offset, size }: { count: number; offset: number; size: number }): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(Math.min(count, LARGEST_16), 8)
  end.writeUInt16LE(Math.min(count, LARGEST_16), 10)
  end.writeUInt32LE(Math.min(size, LARGEST_32), 12)
  end.writeUInt32LE(Math.min(offset, LARGEST_32), 16)
  if (count < LARGEST_16 && !isZip64(size) && !isZip64(offset)) return end

  const large = Buffer.alloc(56 + 20)
  large.writeUInt32LE(0x0606_4b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(UNIX | VERSION.zip64, 12)
  large.writeUInt16LE(VERSION.zip64, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  // The position of the record just written.
  large.writeUInt32LE(0x0706_4b50, 56)
  large.writeBigUInt64LE(BigInt(offset + size), 64)
  large.writeUInt32LE(1, 72)
  return Buffer.concat([large, end])
}

function isZip64(value: number): boolean {
  return value >= LARGEST_32
}

/** Allocates a record of a header, the name and the extra fields, and writes the latter two. */
function makeRecord(headerSize: number, { name, modifiedAt }: ZipRecord, values: readonly number[]): Buffer {
  const extra = headerSize + name.length
  const record = Buffer.allocUnsafe(extra + extraSize(modifiedAt, values))
  name.copy(record, headerSize)
  const timeSize = timeSizeOf(modifiedAt)
  if (timeSize > 0) {
    record.writeUInt16LE(0x5455, extra)
    record.writeUInt16LE(5, extra + 2)
    record.writeUInt8(1, extra + 4)
    record.writeInt32LE(Math.floor(modifiedAt / 1000), extra + 5)
  }
  if (values.length === 0) return record
  const large = extra + timeSize
  record.writeUInt16LE(0x0001, large)
  record.writeUInt16LE(values.length * 8, large + 2)
  for (const [index, value] of values.entries()) record.writeBigUInt64LE(BigInt(value), large + 4 + index * 8)
  return record
}

const LATEST_EXTENDED = (2 ** 31 - 1) * 1000

/**
 * Returns the size of the extended time, which is in UTC, while the DOS time has no zone and steps of two seconds. It has 31 bits
 * for dates since 1970. A later date, after January 2038, is in the DOS time alone, which unzip then uses.
 */
function timeSizeOf(modifiedAt: number): number {
  return modifiedAt > LATEST_EXTENDED ? 0 : 9
}

/** The size of the extra fields: the time, and ZIP64 sizes. */
function extraSize(modifiedAt: number, values: readonly number[]): number {
  return timeSizeOf(modifiedAt) + (values.length === 0 ? 0 : 4 + values.length * 8)
}

const EARLIEST_DOS = Date.UTC(1980, 0, 1)
const LATEST_DOS = Date.UTC(2107, 11, 31, 23, 59, 58)

/** Writes the fields that both headers have in common, from the flags to the length of the extra field. */
function writeCommon(
  header: Buffer,
  start: number,
  { name, modifiedAt, hasDescriptor }: ZipRecord,
  { size, crc, values }: { size: number; crc: number; values: readonly number[] },
): void {
  const time = new Date(Math.min(Math.max(modifiedAt, EARLIEST_DOS), LATEST_DOS))
  header.writeUInt16LE(UTF8 | (hasDescriptor ? SIZES_FOLLOW : 0), start)
  // Stored, not compressed.
  header.writeUInt16LE(0, start + 2)
  header.writeUInt16LE(
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1),
    start + 4,
  )
  header.writeUInt16LE(
    ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(),
    start + 6,
  )
  header.writeUInt32LE(crc, start + 8)
  header.writeUInt32LE(size, start + 12)
  header.writeUInt32LE(size, start + 16)
  header.writeUInt16LE(name.length, start + 20)
  header.writeUInt16LE(extraSize(modifiedAt, values), start + 22)
}
