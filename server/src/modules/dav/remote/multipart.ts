import type { IncomingHttpHeaders } from 'node:http'
import { DavError } from '../dav-error.ts'

/** The headers of a part are shorter: a path, a checksum, a date and a size. */
const MAX_HEADERS = 16 * 1024
const LINE_END = Buffer.from('\r\n')
const HEADERS_END = Buffer.from('\r\n\r\n')

/** A part of a multipart body. Its bytes must be read before the next part is requested. */
export interface Part {
  readonly headers: IncomingHttpHeaders
  readonly size: number
  readonly bytes: AsyncGenerator<Buffer>
}

/** Reads the boundary of a `multipart/related` body. Throws 415 if the body is something else. */
export function readBoundary(contentType: string | undefined): string {
  const [, quoted, plain] =
    /^multipart\/related\s*;(?:.*;)?\s*boundary=(?:"([^"\r\n]{1,200})"|([^\s";,]{1,200}))/i.exec(contentType ?? '') ??
    []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new DavError(415, 'The body must be multipart/related with a boundary.')
  return boundary
}

/**
 * Yields the parts of a multipart body as they arrive (RFC 2046, section 5.1). Each must have a `Content-Length`, so its bytes aren't
 * searched for the boundary. Throws 400 if the body is malformed or ends too early.
 */
export async function* readParts(body: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<Part> {
  const bytes = new Bytes(body)
  const delimiter = Buffer.from(`--${boundary}`)
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst) await bytes.expect(LINE_END)
    await bytes.expect(delimiter)
    const next = await bytes.read(2)
    if (next.equals(Buffer.from('--'))) break
    if (!next.equals(LINE_END)) throw malformed('A boundary is followed by something else.')
    const headers = parseHeaders(await bytes.readUntil(HEADERS_END, MAX_HEADERS))
    const length = String(headers['content-length'])
    if (!/^\d{1,15}$/.test(length)) throw malformed('A part has no Content-Length.')
    yield { headers, size: Number(length), bytes: bytes.take(Number(length)) }
  }
  await bytes.drain()
}

function parseHeaders(block: Buffer): IncomingHttpHeaders {
  const headers = new Map<string, string>()
  for (const line of decode(block).split('\r\n')) {
    const [, name, value] = /^([\w-]+):[ \t]*(.*)$/s.exec(line) ?? []
    if (name === undefined || value === undefined) throw malformed('A header of a part can’t be read.')
    headers.set(name.toLowerCase(), value.trimEnd())
  }
  return Object.fromEntries(headers)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed('A header of a part is not valid UTF-8.')
  }
}

/** Reads a stream of buffers by bytes. */
class Bytes {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterator<Buffer>) {
    this.#source = source
  }

  /** Reads bytes up to a mark, and the mark. Returns what is before it. */
  async readUntil(mark: Buffer, max: number): Promise<Buffer> {
    let end = this.#rest.indexOf(mark)
    while (end < 0 && this.#rest.length <= max) {
      await this.#readMore()
      end = this.#rest.indexOf(mark)
    }
    if (end < 0 || end > max) throw malformed('The headers of a part are too long.')
    const before = this.#rest.subarray(0, end)
    this.#rest = this.#rest.subarray(end + mark.length)
    return before
  }

  /** Reads a few bytes. */
  async read(size: number): Promise<Buffer> {
    while (this.#rest.length < size) await this.#readMore()
    const bytes = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(size)
    return bytes
  }

  async expect(bytes: Buffer): Promise<void> {
    if (!(await this.read(bytes.length)).equals(bytes)) throw malformed('A boundary is not where it must be.')
  }

  /** Yields many bytes as they arrive. */
  async *take(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next()
      const bytes = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(bytes.length)
      left -= bytes.length
      yield bytes
    }
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async #readMore(): Promise<void> {
    this.#rest = Buffer.concat([this.#rest, await this.#next()])
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#source.next()
    if (done) throw malformed('It did not arrive completely.')
    return value
  }
}

function malformed(reason: string): DavError {
  return new DavError(400, `The multipart body is malformed. ${reason}`)
}
