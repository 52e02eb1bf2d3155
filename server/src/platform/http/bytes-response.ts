import type { Readable } from 'node:stream'

/** Bytes to be sent: a stored blob, of which parts can be asked for, or a stream made on the way. */
export type BytesResponse = BlobResponse | StreamResponse

interface Started {
  /** Called before the first byte goes out: not for a HEAD request, an unchanged file or a later part. */
  onStart?: () => Promise<void>
}

export interface BlobResponse extends Started {
  kind: 'blob'
  blobKey: string
  size: number
  filename: string
  mimeType: string
  /** Whether a browser shows it in place or saves it. What it could take for a page is saved in any case. */
  disposition: 'inline' | 'attachment'
  /** Milliseconds since 1970. */
  updatedAt: number
  /** Whether the address means these bytes for ever, so that a browser need never ask again. */
  isImmutable?: boolean
}

export interface StreamResponse extends Started {
  kind: 'stream'
  filename: string
  mimeType: string
  /** For so many seconds the browser need not ask again; without it, it keeps nothing. */
  keptFor?: number
  /** What is kept of it while it is made grows with it: each caller has only so many at once. */
  isLimited?: boolean
  /** Opened only when bytes are asked for: a HEAD request opens nothing. */
  open: () => Readable
}
