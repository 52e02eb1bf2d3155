type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>

export interface FetchedRange {
  /** How many bytes there are at the address in all. */
  readonly total: number
  readonly etag: string | null
  readonly stream: ByteStream
}

/** The address is not good, or no longer. */
export class Refused extends Error {}
/** The server is in trouble. */
export class Troubled extends Error {}

/** Fetches a part. Rejects with a `TypeError` where the network fails. */
export async function fetchRange(
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
  // A whole answer to a request for a part is of no use either: it may be as large as can be.
  await body?.cancel()
  if (status >= 500 || status === 429) throw new Troubled(`The answer was ${status}.`)
  throw new Refused(`The answer was ${status}.`)
}
