import type { PreviewItem } from './preview-item.ts'

/** The bytes of an item did not come: the network failed, or the server refused. */
class BytesError extends Error {
  override readonly name = 'BytesError'
}

interface FetchOptions {
  readonly signal?: AbortSignal
}

/** Fetches the bytes from `start` up to, not including, `end`. An address that is refused is asked for anew, once. */
export async function fetchBytes(
  item: PreviewItem,
  start: number,
  end: number,
  { signal }: FetchOptions = {},
): Promise<ArrayBuffer> {
  if (item.size === 0 || start >= end) return new ArrayBuffer(0)
  const response = await fetchItem(item, { signal, headers: { range: `bytes=${start}-${end - 1}` } })
  const bytes = await response.arrayBuffer().catch(throwBytesError)
  // Whoever knows no ranges sends everything.
  return response.status === 206 ? bytes : bytes.slice(start, end)
}

/** Fetches all of an item, telling from time to time how much has come, between 0 and 1. */
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

/** Whether the bytes can be had at all: what came but cannot be shown is broken, or not for this browser. */
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
