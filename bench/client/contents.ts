import { randomFillSync } from 'node:crypto'

/** Returns contents of a size, random and each different from the last ones, at next to no cost. */
export function contents(size: number): () => Uint8Array<ArrayBuffer> {
  const random = randomFillSync(new Uint8Array(size))
  let count = 0
  return () => {
    const content = random.slice()
    count += 1
    new DataView(content.buffer).setUint32(0, count)
    return content
  }
}
