import { decryptRange, type OpenedEnvelope } from './open-envelope.ts'

/** A film or a sound that plays while only what is heard and seen is fetched and decrypted. */
export interface VaultMedia {
  /** For `<video src>` and `<audio src>`, on our origin; answers ranges as long as this page lives. */
  readonly address: string
  /** Ends it: the address answers no more. */
  close(): void
}

/** What the service worker asks for one request; see public/vault-media-worker.js. */
interface MediaRequest {
  readonly vaultMedia: string
  /** The header of that name. */
  readonly range: string | null
}

/** What it answers with. */
interface MediaResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Uint8Array<ArrayBuffer> | null
}

interface Playing {
  readonly envelope: OpenedEnvelope
  readonly type: string
  readonly end: AbortController
}

const WORKER = '/vault-media-worker.js'
const PATH = '/vault-media/'
/** More is not decrypted at once: the player asks for the rest when it wants it. */
const LONGEST_ANSWER = 2 * 1024 * 1024
/** A worker that does not take over by then is taken for missing, as after a forced reload. */
const TAKEOVER_TIMEOUT = 5000

const playing = new Map<string, Playing>()
let registering: Promise<boolean> | undefined

/** Whether this browser can: it needs service workers, which private windows of some do not have. */
export function canPlayVaultMedia(): boolean {
  return 'serviceWorker' in navigator
}

/**
 * Creates an address for an opened envelope that the browser's players can seek in. What plays is NOT VERIFIED to the end, and
 * the page has to say so. The key stays in the page: the service worker asks it for each range. Undefined where that
 * cannot be had: then `decryptToFile` first.
 */
export async function openVaultMedia(envelope: OpenedEnvelope, type: string): Promise<VaultMedia | undefined> {
  if (!canPlayVaultMedia()) return undefined
  registering ??= register()
  if (!(await registering)) {
    registering = undefined
    return undefined
  }
  const id = crypto.randomUUID()
  const end = new AbortController()
  playing.set(id, { envelope, type, end })
  return {
    address: PATH + id,
    close() {
      playing.delete(id)
      end.abort()
    },
  }
}

/** Has the worker take this page over, and answers what it asks. The worker goes with the page. */
async function register(): Promise<boolean> {
  const { serviceWorker } = navigator
  try {
    const registration = await serviceWorker.register(WORKER, { scope: '/' })
    if (!serviceWorker.controller) await untilControlled(serviceWorker)
    serviceWorker.addEventListener('message', response)
    serviceWorker.startMessages()
    window.addEventListener(
      'pagehide',
      () => {
        playing.clear()
        registering = undefined
        serviceWorker.removeEventListener('message', response)
        void registration.unregister()
      },
      { once: true },
    )
    return true
  } catch {
    return false
  }
}

function untilControlled(serviceWorker: ServiceWorkerContainer): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The service worker did not take over.')), TAKEOVER_TIMEOUT)
    serviceWorker.addEventListener(
      'controllerchange',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

async function response({ data, ports }: MessageEvent<MediaRequest>): Promise<void> {
  const media = playing.get(data.vaultMedia)
  const answered = media ? await rangeResponse(media, data.range).catch(() => refuse(502)) : refuse(404)
  ports[0]?.postMessage(answered, answered.body ? [answered.body.buffer] : [])
}

/**
 * The response to a request for a part of a file. It may be shorter than what was asked for, as HTTP allows. The whole of
 * a file is not given: that is how a browser saves one, and nothing unverified is to be saved.
 */
export async function rangeResponse({ envelope, type, end }: Playing, range: string | null): Promise<MediaResponse> {
  const { size } = envelope
  if (range === null) return refuse(403)
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const requested = first && last ? Number(last) + 1 : size
  const stop = Math.min(requested, start + LONGEST_ANSWER, size)
  if (start >= stop) return refuse(416, { 'content-range': `bytes */${size}` })
  const body = await decryptRange(envelope, start, stop - start, end.signal)
  const headers = {
    'content-type': type,
    'content-length': String(body.length),
    'content-range': `bytes ${start}-${start + body.length - 1}/${size}`,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
  }
  return { status: 206, headers, body }
}

function refuse(status: number, headers: Record<string, string> = {}): MediaResponse {
  return { status, headers, body: null }
}
