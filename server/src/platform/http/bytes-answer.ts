import type { Readable } from 'node:stream'

/** Bytes to be sent: a stored blob, of which parts can be asked for, or a stream made on the way. */
export type BytesAnswer = BlobAnswer | StreamAnswer

export interface BlobAnswer {
  kind: 'blob'
  blobKey: string
  size: number
  filename: string
  mimeType: string
  /** Whether a browser shows it in place or saves it. */
  disposition: 'inline' | 'attachment'
  /** Milliseconds since 1970. */
  updatedAt: number
}

export interface StreamAnswer {
  kind: 'stream'
  filename: string
  mimeType: string
  /** Opened only when bytes are asked for: a HEAD request opens nothing. */
  open: () => Readable
}
