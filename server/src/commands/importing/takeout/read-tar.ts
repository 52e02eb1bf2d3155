import { isUtf8 } from 'node:buffer'
import { MAX_FILE_DATE } from '@alcove/contract/limits'

/** An entry of a tar archive. Only files have bytes. */
export interface TarEntry {
  /** Undefined if it isn't UTF-8. */
  readonly path: string | undefined
  readonly kind: 'file' | 'folder' | 'link' | 'sparse' | 'special'
  readonly size: number
  readonly modifiedAt: number
  /** Reads its bytes, once and before the next entry. Those that are left are passed over. */
  bytes(): AsyncGenerator<Buffer>
}

/** The archive is damaged, or ends early. */
class TarError extends Error {}

const BLOCK = 512
/** Names and attributes take a few hundred bytes. */
const MAX_METADATA = 1024 * 1024

/** What the entries before a file say about it: names and sizes that its own header has no space for. */
interface Extended {
  path?: Buffer
  size?: number
  modifiedAt?: number
  isSparse?: boolean
}

/**
 * Reads the entries of a tar archive in order, in bounded memory: the formats v7, ustar, GNU and pax. Throws a `TarError` if it is
 * damaged. Global attributes are ignored: nobody writes names or sizes into them.
 */
export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const input = new ByteReader(chunks)
  try {
    let extended: Extended = {}
    for (;;) {
      const header = readHeader(await input.exactly(BLOCK))
      if (!header) break
      const { type } = header
      if (type === 'x' || type === 'L') {
        const content = await readMetadata(input, header.size)
        Object.assign(extended, type === 'x' ? readPax(content) : { path: untilZero(content) })
        continue
      }
      if (type === 'g' || type === 'K') {
        await input.skip(padded(header.size))
        continue
      }
      const { path: name = header.path, size = header.size, modifiedAt = header.modifiedAt } = extended
      const kind = kindOf(type, name, extended)
      if (type === 'S') await skipSparseMap(input, header.block)
      extended = {}
      let left = kind === 'folder' || kind === 'link' ? 0 : size
      const end = padded(left) - left
      const path = isUtf8(name) ? name.toString() : undefined
      async function* bytes() {
        while (left > 0) {
          const chunk = await input.some(left)
          left -= chunk.length
          yield chunk
        }
      }
      yield { path, kind, size, modifiedAt: toDate(modifiedAt), bytes }
      await input.skip(left + end)
    }
    await input.drain()
  } finally {
    await input.close()
  }
}

interface Header {
  block: Buffer
  path: Buffer
  type: string
  size: number
  /** In seconds. */
  modifiedAt: number
}

/** Returns undefined at the end of the archive. */
function readHeader(block: Buffer): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  let sum = 0
  for (let index = 0; index < BLOCK; index++) sum += index >= 148 && index < 156 ? 32 : (block[index] as number)
  if (readNumber(block, 148, 8) !== sum) throw new TarError('an entry has a wrong checksum')
  const name = untilZero(block.subarray(0, 100))
  // The GNU format has dates in the place of the prefix.
  const prefix =
    block.toString('latin1', 257, 263) === 'ustar\0' ? untilZero(block.subarray(345, 500)) : name.subarray(0, 0)
  const size = readNumber(block, 124, 12)
  if (!Number.isSafeInteger(size) || size < 0) throw new TarError('an entry has an impossible size')
  return {
    block,
    path: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from('/'), name]),
    type: String.fromCharCode(block[156] || 48),
    size,
    modifiedAt: readNumber(block, 136, 12),
  }
}

/** Reads an octal number, or the binary form of GNU for large ones. */
function readNumber(block: Buffer, start: number, length: number): number {
  const first = block[start] as number
  if ((first & 0x80) !== 0) {
    let value = first === 0xff ? -1 : first & 0x7f
    for (let index = start + 1; index < start + length; index++) value = value * 256 + (block[index] as number)
    return value
  }
  const digits = untilZero(block.subarray(start, start + length))
    .toString('latin1')
    .trim()
  if (!/^[0-7]*$/.test(digits)) throw new TarError('an entry has an unreadable number')
  return Number.parseInt(digits || '0', 8)
}

function kindOf(type: string, path: Buffer, { isSparse }: Extended): TarEntry['kind'] {
  if (isSparse || type === 'S') return 'sparse'
  // The oldest format marks folders by their names.
  if (type === '5' || (type === '0' && path.at(-1) === 47)) return 'folder'
  if (type === '0' || type === '7') return 'file'
  return type === '1' || type === '2' ? 'link' : 'special'
}

/** Reads attributes of the pax format: lines of `LENGTH KEY=VALUE`. */
function readPax(content: Buffer): Extended {
  const extended: Extended = {}
  for (let start = 0; start < content.length; ) {
    const space = content.indexOf(32, start)
    const length = Number(content.toString('latin1', start, space))
    const end = start + length
    const equals = content.indexOf(61, space)
    if (!(length > 0) || end > content.length || content[end - 1] !== 10 || equals < 0 || equals >= end) {
      throw new TarError('the attributes of an entry are damaged')
    }
    const key = content.toString('utf8', space + 1, equals)
    const value = content.subarray(equals + 1, end - 1)
    if (key === 'path') extended.path = value
    else if (key === 'size') extended.size = readSize(value.toString())
    else if (key === 'mtime') extended.modifiedAt = Number(value.toString())
    else if (key.startsWith('GNU.sparse.')) extended.isSparse = true
    start = end
  }
  return extended
}

function readSize(digits: string): number {
  const size = Number(digits)
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(size)) throw new TarError('an entry has an impossible size')
  return size
}

async function readMetadata(input: ByteReader, size: number): Promise<Buffer> {
  if (size > MAX_METADATA) throw new TarError('the attributes of an entry are too long')
  const content = await input.exactly(padded(size))
  return content.subarray(0, size)
}

/** Passes over the blocks that continue the map of a sparse file. */
async function skipSparseMap(input: ByteReader, header: Buffer): Promise<void> {
  for (let goesOn = header[482] === 1; goesOn; ) goesOn = (await input.exactly(BLOCK))[504] === 1
}

function untilZero(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

function toDate(seconds: number): number {
  return Math.min(Math.max(Math.floor(seconds * 1000) || 0, 0), MAX_FILE_DATE)
}

/** Reads bytes as they are needed. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Returns some bytes, at most `max`. */
  async some(max: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done) throw new TarError('it ends early')
      this.#rest = value
    }
    const bytes = this.#rest.subarray(0, max)
    this.#rest = this.#rest.subarray(bytes.length)
    return bytes
  }

  async exactly(length: number): Promise<Buffer> {
    if (this.#rest.length >= length) {
      const bytes = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      return bytes
    }
    const parts: Buffer[] = []
    for (let left = length; left > 0; ) {
      const bytes = await this.some(left)
      parts.push(bytes)
      left -= bytes.length
    }
    return Buffer.concat(parts)
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) left -= (await this.some(left)).length
  }

  /** Reads to the end, so that a wrong checksum of the compression is noticed. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
