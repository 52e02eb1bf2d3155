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
 * Has the browser collect the requests that were sent. Each keeps its body until then, and Chromium does not count bodies
 * when it decides to collect: of a large file it would keep all. So it is given what it counts: memory that nobody writes
 * to, and that takes none.
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
