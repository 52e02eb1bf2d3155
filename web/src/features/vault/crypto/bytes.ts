/** Encodes bytes as text for use in an address. */
export function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Decodes such a text; returns undefined unless it has exactly `length` bytes. */
export function fromBase64url(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return binary.length === length ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

/** Joins arrays. A blob would do it too, but browsers keep the memory of blobs until they collect garbage. */
export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** After each so many bytes of work, the page allocates a buffer of so many bytes. */
const WORK_PER_BUFFER = 32 * 1024 * 1024
const BUFFER_SIZE = 16 * 1024 * 1024
/** The number of buffers that are kept: only old ones count as garbage. */
const MAX_BUFFERS = 4

let worked = 0
const buffers: ArrayBuffer[] = []
let closedPort: MessagePort | undefined

/**
 * Frees the memory of bytes that are no longer needed, at once, which makes them empty. Otherwise browsers would keep them
 * until they collect garbage, and a stream produces as much of it as the file is large. A buffer that is transferred to a
 * closed port is freed with the message. (`ArrayBuffer.transfer` doesn't free memory that Chromium allocated itself.)
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (!isWhole) return // other arrays may use the rest of the buffer
  closedPort ??= openClosedPort()
  closedPort.postMessage(undefined, [buffer])
}

function openClosedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}

/**
 * Makes the browser collect garbage in this page or worker once in a while.
 *
 * SURPRISE: it allocates buffers that nobody writes to and drops them. Chromium collects when script has been given much memory,
 * but does not count what it makes itself for each call of WebCrypto and each part of a response. It counts these buffers, and
 * they take no memory.
 * Measured: without it, each segment leaves some 7 KB in each worker, 110 MiB for 4 GiB (docs/decisions/012-vault-stream.md).
 * Remove it when: Chromium counts or frees that memory itself.
 */
export function collectAfter(bytes: number): void {
  worked += bytes
  if (worked < WORK_PER_BUFFER) return
  worked = 0
  buffers.push(new ArrayBuffer(BUFFER_SIZE))
  if (buffers.length > MAX_BUFFERS) buffers.shift()
}
