import type { PreviewItem, PreviewProblem } from './preview-item.ts'

/** The status for a range beyond the end: the file is shorter now. */
const RANGE_NOT_SATISFIABLE = 416

/** The bytes of an item could not be fetched: the network failed, or the server refused. */
class BytesError extends Error {
  override readonly name = 'BytesError'
}

/** The file has been replaced since its item was made. */
class ReplacedError extends Error {
  override readonly name = 'ReplacedError'
}

/** Returns the problem to show for an error of `fetchBytes` or `fetchWhole`. */
export function problemOfFetch(error: unknown): PreviewProblem {
  return error instanceof ReplacedError ? 'replaced' : 'unreachable'
}

interface FetchOptions {
  readonly signal?: AbortSignal
}

/** The entity tag of the bytes that were fetched first. */
const tags = new WeakMap<PreviewItem, string>()

/**
 * Fetches the bytes from `start` up to `end`, exclusive. If the server refuses the address, it is tried once with a new
 * one. Rejects if the file was replaced, so that ranges of different bytes are never combined.
 */
export async function fetchBytes(
  item: PreviewItem,
  start: number,
  end: number,
  { signal }: FetchOptions = {},
): Promise<ArrayBuffer> {
  if (item.size === 0 || start >= end) return new ArrayBuffer(0)
  const length = Math.min(end, item.size) - start
  const bytes = await fetchRange(item, start, end, { signal })
  if (bytes.byteLength >= length) return bytes
  // A browser that has cached a part of former bytes may request and return no more than that part of the new ones.
  const again = await fetchRange(item, start, end, { signal, cache: 'no-store' })
  if (again.byteLength < length) throw new BytesError(`Received ${again.byteLength} of ${length} bytes`)
  return again
}

async function fetchRange(item: PreviewItem, start: number, end: number, init: RequestInit): Promise<ArrayBuffer> {
  const response = await fetchItem(item, { ...init, headers: { range: `bytes=${start}-${end - 1}` } })
  assertSame(item, response)
  const bytes = await response.arrayBuffer().catch(throwBytesError)
  // A source without range support sends all bytes.
  return response.status === 206 ? bytes : bytes.slice(start, end)
}

/** Throws if a response has other bytes than the item says, or than an earlier response had. */
function assertSame(item: PreviewItem, { status, headers }: Response): void {
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  const tag = headers.get('etag')
  const known = tags.get(item)
  const isSame = status !== RANGE_NOT_SATISFIABLE && (total === undefined || Number(total) === item.size)
  if (!isSame || (tag !== null && known !== undefined && tag !== known)) {
    tags.delete(item)
    throw new ReplacedError('Other bytes')
  }
  if (tag !== null) tags.set(item, tag)
}

/** Fetches all bytes of an item and reports the progress, between 0 and 1. */
export async function fetchWhole(
  item: PreviewItem,
  { signal, onProgress }: FetchOptions & { readonly onProgress: (share: number) => void },
): Promise<Blob> {
  const response = await fetchItem(item, { signal })
  let received = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength
      onProgress(Math.min(1, received / item.size))
      controller.enqueue(chunk)
    },
  })
  const headers = { 'content-type': item.mimeType }
  return new Response(response.body?.pipeThrough(counter), { headers }).blob().catch(throwBytesError)
}

/**
 * Returns whether the bytes can be fetched. If so, a file that can't be shown is damaged or in an unsupported format.
 */
export async function canFetch(item: PreviewItem): Promise<boolean> {
  try {
    await fetchBytes(item, 0, 1)
    return true
  } catch {
    return false
  }
}

async function fetchItem(item: PreviewItem, init: RequestInit): Promise<Response> {
  const first = await attempt(await item.url().catch(throwBytesError), init)
  if (first.ok || first.status === RANGE_NOT_SATISFIABLE) return first
  const second = await attempt(await item.url({ isFresh: true }).catch(throwBytesError), init)
  if (second.ok) return second
  throw new BytesError(`The bytes were refused: ${second.status}`)
}

async function attempt(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch(throwBytesError)
}

function throwBytesError(cause: unknown): never {
  throw cause instanceof DOMException && cause.name === 'AbortError' ? cause : new BytesError('No bytes', { cause })
}
