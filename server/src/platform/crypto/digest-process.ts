import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { serveWork } from '../processes/serve-work.ts'
import type { Digests } from './checksums.ts'

/** Bytes, or the path of a file, and the digests that are wanted of them. */
export interface DigestOrder {
  readonly content: Uint8Array | string
  readonly kinds: readonly (keyof Digests)[]
}

serveWork<DigestOrder, Partial<Digests>>(async ({ content, kinds }) => {
  const hashes = kinds.map((kind) => ({ kind, hash: createHash(kind) }))
  const pieces = typeof content === 'string' ? createReadStream(content, { highWaterMark: 1024 * 1024 }) : [content]
  for await (const piece of pieces) for (const { hash } of hashes) hash.update(piece)
  return Object.fromEntries(hashes.map(({ kind, hash }) => [kind, hash.digest('hex')]))
})
