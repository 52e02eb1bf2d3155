import { createHash, randomFillSync } from 'node:crypto'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_CHUNK_SIZE, MEBIBYTE } from '@alcove/contract/limits'

/** A large file of random bytes, whole and cut into chunks: curl can send a file, but not a piece of one. */
export interface Source {
  path: string
  size: number
  sha256: string
  chunks: string[]
}

/** Writes the file once; what was just written is in the page cache, so no measurement waits for reading it. */
export async function createSource(dir: string, size: number): Promise<Source> {
  await mkdir(dir, { recursive: true })
  const source: Source = { path: join(dir, 'whole'), size, sha256: '', chunks: [] }
  const hash = createHash('sha256')
  const block = Buffer.alloc(MEBIBYTE)
  const whole = await open(source.path, 'w')
  let chunk: FileHandle | undefined
  for (let at = 0; at < size; at += block.length) {
    if (at % FILE_CHUNK_SIZE === 0) {
      await chunk?.close()
      const path = join(dir, `chunk-${source.chunks.length}`)
      chunk = await open(path, 'w')
      source.chunks.push(path)
    }
    const piece = randomFillSync(block).subarray(0, size - at)
    hash.update(piece)
    await whole.writeFile(piece)
    await chunk?.writeFile(piece)
  }
  await chunk?.close()
  await whole.close()
  return { ...source, sha256: hash.digest('hex') }
}
