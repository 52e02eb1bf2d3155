import type { ErrorBody } from '@alcove/contract/errors'
import { type ServerEvent, streamEvents } from '@alcove/contract/events'
import { expireToken } from './api.ts'
import { addressOf } from './call-address.ts'
import { browserConnection, serverReachable, watchReachability } from './connection.ts'
import { getSession } from './session.ts'
import { maintenance } from './site-state.ts'

/** How long a tab can be out of view before it closes the stream. Without HTTP/2, a browser has only six connections. */
const CLOSED_AFTER_HIDING = 5_000
/** A stream brings the current version at once, and a comment every 25 seconds. Without them it is held back or dead. */
const FIRST_EVENT_WITHIN = 10_000
const SILENT_FOR = 60_000
/** Delays before connecting again after failures: the first, the longest, and that after a refusal, which seldom ends soon. */
const FIRST_DELAY = 2_000
const LONGEST_DELAY = 60_000
const REFUSED_DELAY = 5 * 60_000
/** A stream that lasts longer than this, in milliseconds, wasn't a failure. */
const LASTING = 20_000
/** An event has less than a hundred characters. What is longer isn't one. */
const MAX_EVENT_LENGTH = 10_000

interface Reading {
  readonly onEvent: (event: ServerEvent) => void
  /** Called when events arrive, and when they no longer do. */
  readonly onLive: (isLive: boolean) => void
}

/**
 * Reads the user's events while the tab is in view and there is a network, and connects again when the stream ends.
 * EventSource can't send the session's token. Returns a function that stops it.
 */
export function readEvents(reading: Reading): () => void {
  const stopping = new AbortController()
  void readUntil(stopping.signal, reading)
  return () => stopping.abort()
}

async function readUntil(stop: AbortSignal, reading: Reading): Promise<void> {
  for (let failures = 0; ; ) {
    await until(isWanted, stop)
    if (stop.aborted) return
    const start = performance.now()
    const delay = await readStream(stop, reading).catch(() => undefined)
    reading.onLive(false)
    failures = performance.now() - start > LASTING ? 1 : failures + 1
    const longest = Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY)
    // The tabs that a restart has cut off must not come back all at once.
    await pause(delay ?? longest * (0.5 + Math.random() / 2), stop)
  }
}

/** Reads one stream until it ends. Returns the delay before the next one, unless that is left to the caller. */
async function readStream(stop: AbortSignal, { onEvent, onLive }: Reading): Promise<number | undefined> {
  const { token } = getSession()
  const ending = new AbortController()
  const end = () => ending.abort()
  stop.addEventListener('abort', end)
  const hiding = endWhenHidden(end)
  let silence = setTimeout(end, FIRST_EVENT_WITHIN)
  try {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    const options: RequestInit = { headers, cache: 'no-store', signal: ending.signal }
    const response = await watchReachability(fetch(addressOf(streamEvents, {}), options))
    if (response.status === 401) expireToken(token)
    // The account is suspended.
    if (response.status === 403) expireToken(token, ((await response.json()) as ErrorBody).error)
    if (!response.ok || !response.body) {
      await noteMaintenance(response)
      end()
      return delayAfter(response)
    }
    for await (const data of readData(response.body)) {
      clearTimeout(silence)
      silence = setTimeout(end, SILENT_FOR)
      if (data === undefined) continue
      onEvent(JSON.parse(data) as ServerEvent)
      onLive(true)
    }
    return undefined
  } catch (error) {
    if (hiding.isOver()) return 0
    throw error
  } finally {
    end()
    clearTimeout(silence)
    hiding.stop()
    stop.removeEventListener('abort', end)
  }
}

/** The stream may be the first to find out that the server is under maintenance. */
async function noteMaintenance(response: Response): Promise<void> {
  if (response.status !== 503) return
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined
  if (body?.code === 'maintenance') maintenance.set(body.message)
}

function delayAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after'))
  if (seconds > 0) return seconds * 1000 * (1 + Math.random() / 2)
  return response.status < 500 ? REFUSED_DELAY : undefined
}

/** Yields the data of each event as it arrives, and undefined when something else does. */
async function* readData(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string | undefined> {
  // Not every browser can iterate over a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() as string
    if (text.length > MAX_EVENT_LENGTH) throw new TypeError('This is no stream of events.')
    yield undefined
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '))
      if (data) yield data.slice('data: '.length)
    }
  }
}

function isWanted(): boolean {
  return document.visibilityState === 'visible' && browserConnection.isOnline()
}

/** Calls `end` when the tab has been out of view for a while. */
function endWhenHidden(end: () => void): { isOver: () => boolean; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') return
    timer = setTimeout(() => {
      isOver = true
      end()
    }, CLOSED_AFTER_HIDING)
  }
  document.addEventListener('visibilitychange', look)
  return {
    isOver: () => isOver,
    stop: () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    },
  }
}

/** Waits until the tab is in view and online, or until `stop` aborts. */
function until(isReady: () => boolean, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!stop.aborted && !isReady()) return
      document.removeEventListener('visibilitychange', look)
      unsubscribe()
      stop.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    const unsubscribe = browserConnection.subscribe(look)
    stop.addEventListener('abort', look)
    look()
  })
}

/** Waits, but not after the network or the server is back. */
function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      for (const unsubscribe of subscriptions) unsubscribe()
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    const subscriptions = [
      browserConnection.subscribe(() => browserConnection.isOnline() && end()),
      serverReachable.subscribe(() => serverReachable.get() && end()),
    ]
    stop.addEventListener('abort', end)
  })
}
