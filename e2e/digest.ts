import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Returns the SHA-256 of a file without loading the whole file into memory. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
  return hash.digest('hex')
}
