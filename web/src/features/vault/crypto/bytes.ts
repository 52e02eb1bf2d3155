/** Not by a blob: browsers keep the bytes of blobs until they come to collecting them, which no page can hasten. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Gives memory back at once. Collected in its own time, what one file takes would be hundreds of megabytes. */
export function release(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer?.(0) // older browsers collect it
}
