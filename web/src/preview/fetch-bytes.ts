import type { PreviewItem } from './preview-item.ts'

/** The bytes of an item could not be fetched: the network failed, or the server refused. */
class BytesError extends Error {
  override readonly name = 'BytesError'
}

interface FetchOptions {
  readonly signal?: AbortSignal
}

/**
 * Fetches the bytes from `start` up to `end`, exclusive. If the server refuses the address, it is tried once with a new
 * one.
 */
export async function fetchBytes(
  item: PreviewItem,
  start: number,
  end: number,
  { signal }: FetchOptions = {},
): Promise<ArrayBuffer> {
  if (item.size === 0 || start >= end) return new ArrayBuffer(0)
  const response = await fetchItem(item, { signal, headers: { range: `bytes=${start}-${end - 1}` } })
  const bytes = await response.arrayBuffer().catch(throwBytesError)
  // A source without range support sends all bytes.
  return response.status === 206 ? bytes : bytes.slice(start, end)
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
  if (first.ok) return first
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
