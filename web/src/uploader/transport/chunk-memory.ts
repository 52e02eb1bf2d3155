/** So much of what is not used the browser is told of for each chunk. */
const TOLD = 16 * 1024 * 1024
/** What was asked for has to be old before its end counts. */
const KEPT = 4

const told: ArrayBuffer[] = []
let nowhere: MessagePort | undefined

/**
 * Frees the memory of bytes that were sent, at once: whoever looks at them finds none. A browser would keep them until it
 * collects what is not used. What goes to a port that is closed goes with the message.
 */
export function releaseChunk({ buffer }: Uint8Array<ArrayBuffer>): void {
  nowhere ??= openNowhere()
  nowhere.postMessage(undefined, [buffer])
}

/**
 * Makes the browser collect the requests that were sent.
 *
 * SURPRISE: it allocates buffers that nobody writes to and drops them. A request keeps its body until it is collected, and Chromium
 * does not count bodies when it decides to collect: it would keep all chunks of a large file. It counts buffers, and those that
 * nobody writes to take no memory.
 * Measured: uploading 4 GiB through the vault takes 165 to 175 MiB above rest instead of 225 to 246, together with `collectAfter` in
 * the vault's crypto/ (docs/decisions/012-vault-stream.md).
 * Remove it when: Chromium frees or counts the bodies of requests that have been sent.
 */
export function collectRequests(): void {
  do told.push(new ArrayBuffer(TOLD))
  while (told.length < KEPT)
  if (told.length > KEPT) told.shift()
}

function openNowhere(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}
