import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

const LOOK_EVERY = 200

interface Answer {
  /** Missing in events. */
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly error?: { readonly message: string }
  readonly result?: unknown
}

/** A page of a Chromium, by the DevTools protocol. */
export interface DevtoolsPage {
  command<T>(method: string, params?: object): Promise<T>
  /** What an expression gives, once it is a promise's turn. */
  evaluate<T>(expression: string): Promise<T>
  /** Waits until an expression is true. */
  until(expression: string, within: number): Promise<void>
  /** Calls `listener` with the parameters of each event of that name. */
  on<T>(event: string, listener: (parameters: T) => void): void
}

/** Connects to the only page. */
export async function connectToPage(devtools: string): Promise<DevtoolsPage> {
  const targets = (await (await fetch(`${devtools}/json/list`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const target = targets.find(({ type }) => type === 'page')
  if (!target) throw new Error('Chromium has no page.')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  const waiting = new Map<number, (response: Answer) => void>()
  const listeners: [event: string, listener: (parameters: never) => void][] = []
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const response = JSON.parse(data) as Answer
    for (const [event, listener] of listeners) if (event === response.method) listener(response.params as never)
    if (response.id === undefined) return
    waiting.get(response.id)?.(response)
    waiting.delete(response.id)
  })
  await once(socket, 'open')

  async function command<T>(method: string, params: object = {}): Promise<T> {
    lastId += 1
    const id = lastId
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { error, result } = await answered
    if (error) throw new Error(`${method}: ${error.message}`)
    return result as T
  }

  async function evaluate<T>(expression: string): Promise<T> {
    const requested = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await command<{
      result: { value: T }
      exceptionDetails?: { text: string; exception?: { description?: string } }
    }>('Runtime.evaluate', requested)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  async function until(expression: string, within: number): Promise<void> {
    const deadline = Date.now() + within
    // While the page is being loaded nothing can be asked of it.
    while (!(await evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
      if (Date.now() > deadline) throw new Error(`It took too long: ${expression}`)
      await wait(LOOK_EVERY)
    }
  }

  return { command, evaluate, until, on: (event, listener) => listeners.push([event, listener]) }
}
