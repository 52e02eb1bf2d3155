/** Reads bytes as text: by their mark, else as UTF-8, else as the usual Western encoding, in which any bytes are text. */
export function decodeText(bytes: Uint8Array, isCut = false): string {
  const marked = encodings.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked) return new TextDecoder(marked[0]).decode(bytes)
  try {
    // A part that ends within a character is still UTF-8: as a stream, the decoder waits for the rest.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const encodings: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Whether bytes are no text, whatever the name of their file says: text has no zero bytes, but for UTF-16. */
export function isBinary(bytes: Uint8Array): boolean {
  const isMarked = encodings.some(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  return !isMarked && bytes.subarray(0, 8192).includes(0)
}
