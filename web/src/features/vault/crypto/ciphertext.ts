import { concatenate } from './concatenate.ts'
import { delay } from './delay.ts'
import { type FetchedRange, fetchRange, Refused, Troubled } from './fetch-range.ts'
import { readPieces } from './pieces.ts'
import { VaultFailure } from './vault-failure.ts'

/**
 * Where the bytes of an envelope come from: a blob on hand, an address, or a function that gives one, like `url` of a
 * `PreviewItem`; it is asked for a fresh one (`isFresh`) when the last was refused. An address has to answer ranges.
 */
export type Ciphertext = Blob | string | ((options?: { readonly isFresh: boolean }) => Promise<string>)

export interface CiphertextRange {
  readonly start: number
  /** The byte behind the last one; to the end where absent. */
  readonly end?: number
  readonly signal?: AbortSignal
}

/** Bytes on their way, and how many the whole has. Each piece is used up when the next is asked for. */
export interface CiphertextStream {
  readonly total: number
  readonly bytes: AsyncIterable<Uint8Array<ArrayBuffer>>
}

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>

/** So often in a row a connection may break before a byte came, and so long is the first wait for the next, in ms. */
const TRIES = 5
const FIRST_DELAY = 500

/** Opens a part. Where the connection breaks it goes on from there. Rejects with `network`, or the signal's reason. */
export async function openCiphertext(ciphertext: Ciphertext, range: CiphertextRange): Promise<CiphertextStream> {
  if (ciphertext instanceof Blob) {
    const stream = ciphertext.slice(range.start, range.end).stream() as ByteStream
    return { total: ciphertext.size, bytes: readPieces(stream, range.signal) }
  }
  const first = await fetchWithRetries(ciphertext, range)
  return { total: first.total, bytes: readFetched(ciphertext, range, first) }
}

/** A part that fits into memory. */
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
      if (!(error instanceof TypeError) || failures === TRIES) throw asFailure(error)
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
      if ((!isRefused && !isPassing(error)) || failures === TRIES) throw asFailure(error)
      if (!isRefused) await delay(FIRST_DELAY * 2 ** failures, range.signal)
      isFresh = isRefused
    }
  }
}

const isPassing = (error: unknown) => error instanceof TypeError || error instanceof Troubled

function asFailure(error: unknown): VaultFailure {
  return error instanceof VaultFailure ? error : new VaultFailure('network', error)
}
