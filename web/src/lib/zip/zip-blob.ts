import { crc32 } from './crc32.ts'
import { zipRecords } from './zip-records.ts'

/** A file of a ZIP, with its path in it. */
export interface ZippedFile {
  readonly path: string
  readonly content: Blob
  readonly modified: Date
}

/**
 * Puts files into a ZIP as they are, without packing them: of their bytes none is copied, so that it may be as large as
 * they are. They are read once, for their sums; rejects when one of them cannot be read.
 */
export async function zipBlob(files: readonly ZippedFile[]): Promise<Blob> {
  const entries = []
  for (const { path, content, modified } of files) {
    entries.push({ path, modified, size: content.size, sum: await sumOf(content) })
  }
  const { heads, end } = zipRecords(entries)
  const parts = files.flatMap(({ content }, index) => [heads[index] as Uint8Array<ArrayBuffer>, content])
  return new Blob([...parts, end], { type: 'application/zip' })
}

async function sumOf(content: Blob): Promise<number> {
  let sum = 0
  for await (const bytes of content.stream() as unknown as AsyncIterable<Uint8Array>) sum = crc32(bytes, sum)
  return sum
}
