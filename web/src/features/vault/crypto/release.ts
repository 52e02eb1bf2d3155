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
 * Has the browser look for what can be collected. Chromium does so when script asks for memory and much of it has been
 * given out, but not for what it makes by itself, such as the parts of an answer. Memory that nobody writes to takes none.
 */
export function askToCollect(size: number): void {
  new ArrayBuffer(size)
}
