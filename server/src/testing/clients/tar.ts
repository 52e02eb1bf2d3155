/** An entry of a tar archive as a test wants it, possible or not. */
export interface TarPart {
  path: string | Buffer
  /** The type of the entry: `0` is a file. */
  type?: string
  content?: Buffer | string
  /** What the header says, if not the size of the content. */
  size?: number
  /** In seconds. */
  modifiedAt?: number
  prefix?: string
}

const BLOCK = 512

/** Returns a tar archive in the format ustar. */
export function tarOf(parts: readonly TarPart[]): Buffer<ArrayBuffer> {
  return Buffer.concat([...parts.map(entryOf), Buffer.alloc(2 * BLOCK)])
}

function entryOf({ content = '', size, ...part }: TarPart): Buffer {
  const bytes = Buffer.from(content)
  const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)
  return Buffer.concat([tarHeader({ ...part, size: size ?? bytes.length }), bytes, padding])
}

/** Returns the header of an entry. */
export function tarHeader({ path, type = '0', size = 0, modifiedAt = 1_600_000_000, prefix = '' }: TarPart): Buffer {
  const block = Buffer.alloc(BLOCK)
  Buffer.from(path).copy(block, 0, 0, 100)
  block.write('0000644\0', 100)
  if (size < 8 ** 11) block.write(size.toString(8).padStart(11, '0'), 124)
  else {
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(size), 128)
  }
  block.write(modifiedAt.toString(8).padStart(11, '0'), 136)
  block.write(type, 156)
  block.write('ustar\x0000', 257, 'latin1')
  block.write(prefix, 345)
  return sealHeader(block)
}

/** Sets the checksum of a header. */
export function sealHeader(block: Buffer): Buffer {
  block.fill(32, 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** Returns an entry with attributes of the format pax for the next one. */
export function paxOf(attributes: Readonly<Record<string, string>>): TarPart {
  const lines = Object.entries(attributes).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`
    const length = Buffer.byteLength(rest)
    const total = length + String(length + String(length).length).length
    return `${total}${rest}`
  })
  return { path: 'PaxHeaders/x', type: 'x', content: lines.join('') }
}
