import { concatenate, release } from './bytes.ts'
import { VaultFailure } from './vault-failure.ts'

/**
 * The source of the bytes of an envelope: a blob, an address, or a function that returns an address, like `url` of a
 * `PreviewItem`. The function is called with `isFresh` when the server has refused the previous address. The server must
 * support range requests.
 */
export type Ciphertext = Blob | string | ((options?: { readonly isFresh: boolean }) => Promise<string>)

interface CiphertextRange {
  readonly start: number
  /** The offset after the last byte. Without it, the range goes to the end. */
  readonly end?: number
  readonly signal?: AbortSignal
}

/** The bytes of a range, and the size of the whole. Reading the next piece invalidates the previous one. */
interface CiphertextStream {
  readonly total: number
  readonly bytes: AsyncIterable<Uint8Array<ArrayBuffer>>
}

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>

/** The number of retries in a row without receiving a byte, and the delay before the first, in milliseconds. */
const MAX_RETRIES = 5
const FIRST_DELAY = 500

/** Opens a range. Resumes after a broken connection. Rejects with `network`, or with the reason of the signal. */
export async function openCiphertext(ciphertext: Ciphertext, range: CiphertextRange): Promise<CiphertextStream> {
  if (ciphertext instanceof Blob) {
    const stream = ciphertext.slice(range.start, range.end).stream() as ByteStream
    return { total: ciphertext.size, bytes: readPieces(stream, range.signal) }
  }
  const first = await fetchWithRetries(ciphertext, range)
  return { total: first.total, bytes: readFetched(ciphertext, range, first) }
}

/** Reads a range into memory. */
export async function readCiphertext(ciphertext: Ciphertext, range: CiphertextRange) {
  const { total, bytes } = await openCiphertext(ciphertext, range)
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const part of bytes) parts.push(part.slice())
  return { total, bytes: concatenate(parts) }
}

async function* readFetched(ciphertext: Exclude<Ciphertext, Blob>, range: CiphertextRange, first: FetchedRange) {
  const end = Math.min(range.end ?? first.total, first.total)
  let { start } = range
  let { stream } = first
  for (let failures = 0; start < end; ) {
    try {
      for await (const bytes of readPieces(stream, range.signal)) {
        start += bytes.length
        failures = 0
        yield bytes
      }
      if (start < end) throw new TypeError('The connection ended too soon.')
    } catch (error) {
      range.signal?.throwIfAborted()
      if (!(error instanceof TypeError) || failures === MAX_RETRIES) throw asFailure(error)
      await delay(FIRST_DELAY * 2 ** failures, range.signal)
      failures += 1
      const next = await fetchWithRetries(ciphertext, { ...range, start })
      if (next.total !== first.total || next.etag !== first.etag) throw new VaultFailure('network', 'It was replaced.')
      stream = next.stream
    }
  }
}

async function fetchWithRetries(ciphertext: Exclude<Ciphertext, Blob>, range: CiphertextRange): Promise<FetchedRange> {
  let isFresh = false
  for (let failures = 0; ; failures += 1) {
    try {
      const address = typeof ciphertext === 'string' ? ciphertext : await ciphertext({ isFresh })
      return await fetchRange(address, range)
    } catch (error) {
      range.signal?.throwIfAborted()
      const isRefused: boolean = error instanceof Refused && typeof ciphertext === 'function' && !isFresh
      if ((!isRefused && !isTemporary(error)) || failures === MAX_RETRIES) throw asFailure(error)
      if (!isRefused) await delay(FIRST_DELAY * 2 ** failures, range.signal)
      isFresh = isRefused
    }
  }
}

const isTemporary = (error: unknown) => error instanceof TypeError || error instanceof Unavailable

function asFailure(error: unknown): VaultFailure {
  return error instanceof VaultFailure ? error : new VaultFailure('network', error)
}

interface FetchedRange {
  /** The size of the whole, in bytes. */
  readonly total: number
  readonly etag: string | null
  readonly stream: ByteStream
}

/** The address is not valid, or no longer. */
class Refused extends Error {}
/** The server has a temporary problem. */
class Unavailable extends Error {}

/** Fetches a range. Rejects with a `TypeError` if the network fails. */
async function fetchRange(
  address: string,
  { start, end, signal }: { readonly start: number; readonly end?: number; readonly signal?: AbortSignal },
): Promise<FetchedRange> {
  const isPart = start > 0 || end !== undefined
  const headers: HeadersInit = isPart ? { range: `bytes=${start}-${end === undefined ? '' : end - 1}` } : {}
  const { status, headers: answered, body } = await fetch(address, { headers, signal, cache: 'no-store' })
  const inRange = /\/(\d+)$/.exec(answered.get('content-range') ?? '')?.[1]
  const total = Number(inRange ?? answered.get('content-length') ?? Number.NaN)
  const etag = answered.get('etag')
  if (status === 416) return { total, etag, stream: new Blob().stream() }
  if (status === (isPart ? 206 : 200) && body && total >= 0) return { total, etag, stream: body }
  // The whole file in response to a range request is of no use either, and may be very large.
  await body?.cancel()
  if (status >= 500 || status === 429) throw new Unavailable(`The status is ${status}.`)
  throw new Refused(`The status is ${status}.`)
}

type Bytes = Uint8Array<ArrayBuffer>

/** Larger pieces are hardly faster. */
const PIECE = 512 * 1024

/**
 * Reads a stream to its end. Reading the next piece invalidates the previous one: its memory is reused or released. Rejects
 * as the stream does, or with the reason of the signal.
 */
export async function* readPieces(
  stream: ReadableStream<Bytes>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Bytes, void, void> {
  const reader = openReader(stream)
  try {
    while (true) {
      signal?.throwIfAborted()
      const bytes = await reader.read()
      if (!bytes) return
      yield bytes
      reader.takeBack(bytes)
    }
  } finally {
    reader.cancel().catch(() => undefined) // also when the consumer stops early
  }
}

interface PieceReader {
  /** Undefined at the end. */
  read(): Promise<Bytes | undefined>
  takeBack(bytes: Bytes): void
  cancel(): Promise<void>
}

function openReader(stream: ReadableStream<Bytes>): PieceReader {
  try {
    return readIntoOneBuffer(stream.getReader({ mode: 'byob' }))
  } catch {
    return readAllocated(stream.getReader())
  }
}

/** Has the browser write all pieces to the same buffer. Otherwise it would allocate the size of the file in pieces. */
function readIntoOneBuffer(reader: ReadableStreamBYOBReader): PieceReader {
  let buffer = new ArrayBuffer(PIECE)
  return {
    async read() {
      const { value, done } = await reader.read(new Uint8Array(buffer))
      return done ? undefined : value
    },
    takeBack: (bytes) => {
      buffer = bytes.buffer
    },
    cancel: () => reader.cancel(),
  }
}

/** For browsers without byte streams, such as Safari before version 26.4. */
function readAllocated(reader: ReadableStreamDefaultReader<Bytes>): PieceReader {
  return {
    read: async () => (await reader.read()).value,
    takeBack: release,
    cancel: () => reader.cancel(),
  }
}

/** Waits, or rejects with the reason of the signal. */
function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
