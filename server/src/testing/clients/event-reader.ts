import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ServerEvent } from '@alcove/contract/events'

/** Reads the body of a response, or disconnects if it is a stream of events, which has no end. */
export async function readOrLeave(type: string, body: Readable): Promise<Buffer> {
  if (!type.startsWith('text/event-stream')) return buffer(body)
  body.destroy()
  return Buffer.alloc(0)
}

/** An open stream of events. */
export interface EventReader {
  readonly response: Response
  /** The events about changes that have arrived, oldest first. */
  readonly events: readonly Extract<ServerEvent, { type: 'changes' }>[]
  /** The versions of what others share that have arrived. */
  readonly shared: readonly string[]
  /** The numbers of unread notices that have arrived. */
  readonly unread: readonly number[]
  /** Returns everything that has arrived, with comments. */
  text(): string
  isOpen(): boolean
  close(): void
}

/** Opens a stream of events at a server and reads it in the background. */
export async function readEvents(
  url: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const aborted = new AbortController()
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: aborted.signal,
  })
  let text = ''
  let isOpen = response.ok
  const reading = async () => {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString()
  }
  if (isOpen) {
    void reading()
      .catch(() => {})
      .then(() => {
        isOpen = false
      })
  }
  const allEvents = () =>
    [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data as string) as ServerEvent)
  return {
    response,
    get events() {
      return allEvents().filter((event) => event.type === 'changes')
    },
    get shared() {
      return allEvents().flatMap((event) => (event.type === 'shared' ? [event.version] : []))
    },
    get unread() {
      return allEvents().flatMap((event) => (event.type === 'notices' ? [event.unread] : []))
    },
    text: () => text,
    isOpen: () => isOpen,
    close: () => aborted.abort(),
  }
}
