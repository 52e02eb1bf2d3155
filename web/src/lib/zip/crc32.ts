const table = makeTable()

/** Four tables, so that four bytes are taken at once: the sums of large files would hold the page up otherwise. */
function makeTable(): Uint32Array[] {
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

/** The CRC-32 of some bytes, as ZIPs have it; `before` is that of the bytes before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [a, b, c, d] = table as [Uint32Array, Uint32Array, Uint32Array, Uint32Array]
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
