import { decryptRange, type OpenedEnvelope } from './decrypt.ts'

/** Audio or video that plays while only the needed ranges are fetched and decrypted. */
export interface VaultMedia {
  /** For `<video src>` and `<audio src>`, on this origin. Serves ranges until this page is closed. */
  readonly address: string
  /** Stops serving the address. */
  close(): void
}

/** A message of the service worker for one request; see public/vault-media-worker.js. */
interface MediaRequest {
  readonly vaultMedia: string
  /** The `Range` header. */
  readonly range: string | null
}

/** The response for it to send. */
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
/** The maximum length of a response. The player requests the rest when it needs it. */
const MAX_RESPONSE_LENGTH = 2 * 1024 * 1024
/** After this time, a worker that has not taken over counts as missing, as after a forced reload. */
const TAKEOVER_TIMEOUT = 5000

const playing = new Map<string, Playing>()
let registering: Promise<boolean> | undefined

/** Returns whether this browser has service workers, which the private windows of some don't. */
export function canPlayVaultMedia(): boolean {
  return 'serviceWorker' in navigator
}

/**
 * Creates an address for an opened envelope, in which the browser's players can seek. The content is NOT VERIFIED to the end,
 * and the page has to say so. The key stays in the page: the service worker requests each range from it. Returns undefined
 * if that isn't possible: use `decryptToFile` then.
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

/** Has the worker control this page, and responds to its messages. The worker is unregistered with the page. */
async function register(): Promise<boolean> {
  const { serviceWorker } = navigator
  try {
    const registration = await serviceWorker.register(WORKER, { scope: '/' })
    if (!serviceWorker.controller) await untilControlled(serviceWorker)
    serviceWorker.addEventListener('message', respond)
    serviceWorker.startMessages()
    window.addEventListener(
      'pagehide',
      () => {
        playing.clear()
        registering = undefined
        serviceWorker.removeEventListener('message', respond)
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

async function respond({ data, ports }: MessageEvent<MediaRequest>): Promise<void> {
  const media = playing.get(data.vaultMedia)
  const response = media ? await rangeResponse(media, data.range).catch(() => refuse(502)) : refuse(404)
  ports[0]?.postMessage(response, response.body ? [response.body.buffer] : [])
}

/**
 * Returns the response to a range request. It may be shorter than requested, as HTTP allows. Requests without a range are
 * refused: browsers send them to save a file, and unverified content must not be saved.
 */
export async function rangeResponse({ envelope, type, end }: Playing, range: string | null): Promise<MediaResponse> {
  const { size } = envelope
  if (range === null) return refuse(403)
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const requested = first && last ? Number(last) + 1 : size
  const stop = Math.min(requested, start + MAX_RESPONSE_LENGTH, size)
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
