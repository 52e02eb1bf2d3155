import { createCipheriv, createHash } from 'node:crypto'

/** The bytes of a file, told by two numbers: they need not be kept to be known. */
export interface Content {
  readonly number: number
  readonly size: number
}

/** A cipher's key stream is as good as random bytes, and the same each time. */
export function bytesOf({ number, size }: Content): Buffer<ArrayBuffer> {
  const key = Buffer.alloc(16)
  key.writeUInt32BE(number)
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size)) as Buffer<ArrayBuffer>
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
