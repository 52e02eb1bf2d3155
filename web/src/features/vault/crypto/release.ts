/** So much of what is not used the browser is told of, each time so much has been worked on. */
const TOLD = 16 * 1024 * 1024
const EACH = 32 * 1024 * 1024
/** What was asked for has to be old before its end counts. */
const KEPT = 4

let worked = 0
const told: ArrayBuffer[] = []
let nowhere: MessagePort | undefined

/**
 * Frees the memory of bytes that are not needed any more, at once: whoever looks at them finds none. Browsers would keep
 * them until they collect what is not used, of which a stream makes as much as the file is large. What is sent to a port
 * that is closed goes with the message. (`ArrayBuffer.transfer` frees nothing of what Chromium made itself.)
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  const isOurs = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (!isOurs) return // the rest of the buffer may be someone else's
  nowhere ??= openNowhere()
  nowhere.postMessage(undefined, [buffer])
}

function openNowhere(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}

/**
 * Has the browser look once in a while for what can be collected in this page or worker. It does so when script has been
 * given much memory, but what it makes by itself for each call of WebCrypto and each part of a response it does not count.
 * So it is asked for what it counts: memory that nobody writes to takes none.
 */
export function collectAfter(bytes: number): void {
  worked += bytes
  if (worked < EACH) return
  worked = 0
  told.push(new ArrayBuffer(TOLD))
  if (told.length > KEPT) told.shift()
}
