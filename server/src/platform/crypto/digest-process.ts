import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { serveWork } from '../processes/serve-work.ts'
import type { Digests } from './checksums.ts'

/** Bytes, or the path of a file, and the digests that are wanted of them. */
export interface DigestOrder {
  readonly content: Uint8Array | string
  readonly kinds: readonly (keyof Digests)[]
}

const PIECE = 1024 * 1024

serveWork<DigestOrder, Partial<Digests>>(async ({ content, kinds }) => {
  const hashes = kinds.map((kind) => ({ kind, hash: createHash(kind) }))
  const pieces = typeof content === 'string' ? readPieces(content) : [content]
  for await (const piece of pieces) for (const { hash } of hashes) hash.update(piece)
  return Object.fromEntries(hashes.map(({ kind, hash }) => [kind, hash.digest('hex')]))
})

/** The process does one task at a time, so all files are read into this buffer. New ones would take 20 to 40 MiB until they are collected. */
let buffer: Buffer | undefined

async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  buffer ??= Buffer.allocUnsafeSlow(PIECE)
  const file = await open(path)
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
