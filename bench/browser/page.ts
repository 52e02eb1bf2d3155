import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Chromium } from './chromium.ts'

const LOADED_WITHIN = 10_000

export interface Page {
  /** Calls a function there, which must stand alone, with what JSON can carry; answers what it resolves to. */
  call<I, O>(work: (input: I) => Promise<O>, input: I): Promise<O>
}

interface Evaluated {
  result: { value: unknown }
  exceptionDetails?: { text: string; exception?: { description?: string } }
}

/** Opens an address in a tab of its own, spoken to by the DevTools protocol until the browser ends. */
export async function openPage({ devtools }: Chromium, address: string): Promise<Page> {
  const made = await fetch(`${devtools}/json/new?${encodeURI(address)}`, { method: 'PUT' })
  const { webSocketDebuggerUrl } = (await made.json()) as { webSocketDebuggerUrl: string }
  const socket = new WebSocket(webSocketDebuggerUrl)
  await once(socket, 'open')

  let count = 0
  const evaluate = async (expression: string): Promise<unknown> => {
    const id = ++count
    const { promise, resolve, reject } = Promise.withResolvers<Evaluated>()
    const listen = ({ data }: MessageEvent) => {
      const message = JSON.parse(String(data)) as { id?: number; result?: Evaluated; error?: { message: string } }
      if (message.id !== id) return
      socket.removeEventListener('message', listen)
      if (message.result) resolve(message.result)
      else reject(new Error(`Chromium: ${message.error?.message}`))
    }
    socket.addEventListener('message', listen)
    const params = { expression, awaitPromise: true, returnByValue: true }
    socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }))
    const { result, exceptionDetails: failure } = await promise
    if (failure) throw new Error(failure.exception?.description ?? failure.text)
    return result.value
  }

  const deadline = Date.now() + LOADED_WITHIN
  const isThere = `document.readyState === 'complete' && location.href === ${JSON.stringify(address)}`
  // Between two pages there is nothing to ask.
  while (!(await evaluate(isThere).catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`Chromium did not load ${address}.`)
    await wait(50)
  }
  return {
    call: async <I, O>(work: (input: I) => Promise<O>, input: I) =>
      (await evaluate(`(${work})(${JSON.stringify(input)})`)) as O,
  }
}
