import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { InputOf } from '@alcove/contract/call'
import type { uploadChunk } from '@alcove/contract/uploads'
import type { SendFiles } from '../client/jobs.ts'
import type { Chromium } from './chromium.ts'

const POLL_INTERVAL = 50
const LOADED_WITHIN = 10_000

interface Message {
  /** Missing in events. */
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly error?: { readonly message: string }
  readonly result?: unknown
}

/** A page in Chromium, controlled with the DevTools protocol. */
export interface Page {
  command<T>(method: string, params?: object): Promise<T>
  /** Evaluates an expression and awaits its value. */
  evaluate<T>(expression: string): Promise<T>
  /** Calls a function in the page. It must not use anything but its argument, which has to be JSON. */
  call<I, O>(work: (input: I) => Promise<O>, input: I): Promise<O>
  /** Waits until an expression is true. */
  until(expression: string, within: number): Promise<void>
  /** Calls `listener` with the parameters of each event of that name. */
  on<T>(event: string, listener: (parameters: T) => void): void
}

/** Opens an address in a new tab. */
export async function openPage({ devtools }: Chromium, address: string): Promise<Page> {
  const created = await fetch(`${devtools}/json/new?${encodeURI(address)}`, { method: 'PUT' })
  const { webSocketDebuggerUrl } = (await created.json()) as { webSocketDebuggerUrl: string }
  const page = await connect(webSocketDebuggerUrl)
  await page.until(`document.readyState === 'complete' && location.href === ${JSON.stringify(address)}`, LOADED_WITHIN)
  return page
}

/** Connects to the tab that Chromium opened at its start. */
export async function connectToPage(devtools: string): Promise<Page> {
  const targets = (await (await fetch(`${devtools}/json/list`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const target = targets.find(({ type }) => type === 'page')
  if (!target) throw new Error('Chromium has no page.')
  return connect(target.webSocketDebuggerUrl)
}

async function connect(webSocketUrl: string): Promise<Page> {
  const socket = new WebSocket(webSocketUrl)
  const waiting = new Map<number, (response: Message) => void>()
  const listeners: [event: string, listener: (parameters: never) => void][] = []
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data) as Message
    for (const [event, listener] of listeners) if (event === message.method) listener(message.params as never)
    if (message.id === undefined) return
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  await once(socket, 'open')

  async function command<T>(method: string, params: object = {}): Promise<T> {
    lastId += 1
    const id = lastId
    const response = new Promise<Message>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { error, result } = await response
    if (error) throw new Error(`${method}: ${error.message}`)
    return result as T
  }

  async function evaluate<T>(expression: string): Promise<T> {
    const params = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await command<{
      result: { value: T }
      exceptionDetails?: { text: string; exception?: { description?: string } }
    }>('Runtime.evaluate', params)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  async function until(expression: string, within: number): Promise<void> {
    const deadline = Date.now() + within
    // A page that is loading can't evaluate anything.
    while (!(await evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
      if (Date.now() > deadline) throw new Error(`It took too long: ${expression}`)
      await wait(POLL_INTERVAL)
    }
  }

  return {
    command,
    evaluate,
    until,
    call: (work, input) => evaluate(`(${work})(${JSON.stringify(input)})`),
    on: (event, listener) => listeners.push([event, listener]),
  }
}

type BrowserSending = Pick<SendFiles, 'target' | 'folder' | 'files' | 'size' | 'atOnce' | 'together'>

/**
 * Sends files from a page of the target's origin and returns the seconds. Alcove gets forms, with many files in one if
 * `together` says so; nginx gets the bytes. Runs in the page, so it uses nothing but its argument.
 */
export async function sendFilesFromPage(sending: BrowserSending): Promise<number> {
  const { target, folder, files, size, atOnce, together = 1 } = sending
  const content = crypto.getRandomValues(new Uint8Array(size))

  async function put(name: string, bytes: Blob): Promise<Response> {
    return fetch(`${target.url}/${folder}/${name}`, { method: 'PUT', body: bytes })
  }
  async function upload(filename: string, bytes: Blob): Promise<Response> {
    const fields: InputOf<typeof uploadChunk> = {
      uploadId: crypto.randomUUID(),
      filename,
      chunkIndex: 0,
      totalChunks: 1,
      totalSize: size,
      complete: 'true',
      relativePath: `${folder}/${filename}`,
    }
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('chunk', bytes, 'blob')
    return fetch(`${target.url}/upload-chunk`, { method: 'POST', headers: target.headers, body: form })
  }

  async function uploadMany(many: { name: string; bytes: Blob }[]): Promise<Response> {
    const described = many.map(({ name, bytes }) => ({
      uploadId: crypto.randomUUID(),
      filename: name,
      size: bytes.size,
      relativePath: `${folder}/${name}`,
    }))
    const form = new FormData()
    form.append('files', JSON.stringify(described))
    form.append('chunk', new Blob(many.map(({ bytes }) => bytes)), 'blob')
    return fetch(`${target.url}/uploads/files`, { method: 'POST', headers: target.headers, body: form })
  }
  function nextFiles(): { name: string; bytes: Blob }[] {
    const next: { name: string; bytes: Blob }[] = []
    for (; sent < files && next.length < together; sent += 1) {
      const bytes = content.slice()
      new DataView(bytes.buffer).setUint32(0, sent)
      next.push({ name: `file-${sent}.bin`, bytes: new Blob([bytes]) })
    }
    return next
  }

  let sent = 0
  async function sendInTurn(): Promise<void> {
    while (sent < files) {
      const next = nextFiles()
      const [{ name, bytes }] = next as [{ name: string; bytes: Blob }]
      const send = target.kind === 'alcove' ? upload : put
      const response = await (together > 1 ? uploadMany(next) : send(name, bytes))
      const body = await response.text()
      const isStored = response.ok && !body.includes('"refusal"')
      if (!isStored) throw new Error(`${response.status}: ${body}`)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, sendInTurn))
  return (performance.now() - startedAt) / 1000
}
