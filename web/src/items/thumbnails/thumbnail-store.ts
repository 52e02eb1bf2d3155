import { MEBIBYTE } from '@alcove/contract/limits'
import { ApiError } from '../../api/api.ts'

/** A small picture to be had: a key that changes with the picture, and how it is fetched. */
export interface ThumbnailSource {
  readonly key: string
  readonly load: (signal: AbortSignal) => Promise<Blob>
}

export interface ThumbnailStore {
  /** The address of a picture that is there already. */
  find(key: string): string | undefined
  /** Tells `listener` the address once the picture is there, and keeps it until the returned function is called. */
  request(source: ThumbnailSource, listener: (url: string) => void): () => void
  /** Notes that a picture cannot be shown, so that it is not asked for again. */
  reject(key: string): void
  /** Forgets all: another user must find none of it. */
  clear(): void
}

interface Picture {
  readonly source: ThumbnailSource
  /** One for each tile that shows it, or waits for it. */
  readonly users: Set<(url: string) => void>
  readonly controller: AbortController
  tries: number
  url?: string
  bytes: number
}

/** A browser keeps six connections to a server: some stay free for what the user does. */
const LIMITS = { atOnce: 4, delay: 100, retryDelay: 3000, maxBytes: 48 * MEBIBYTE }
const MAX_TRIES = 4
const MAX_REJECTED = 10_000

/**
 * Fetches the pictures of tiles and keeps the last ones. What is asked for waits a moment, so that tiles that only fly
 * past ask for nothing; then the newest come first, since they are what is in view. Who leaves takes the request along.
 */
export function createThumbnailStore(given: Partial<typeof LIMITS> = {}): ThumbnailStore {
  const limits = { ...LIMITS, ...given }
  /** The one used last is the last. */
  const pictures = new Map<string, Picture>()
  const rejected = new Set<string>()
  let keptBytes = 0
  let fresh: Picture[] = []
  let waiting: Picture[] = []
  let running = 0
  let isFirst = true

  const isWanted = (picture: Picture) => pictures.get(picture.source.key) === picture

  function want(source: ThumbnailSource): Picture {
    const picture: Picture = { source, users: new Set(), controller: new AbortController(), tries: 0, bytes: 0 }
    // Nothing has flown past yet when the first of all are asked for.
    if (fresh.length === 0) setTimeout(startFresh, isFirst ? 0 : limits.delay)
    isFirst = false
    fresh.push(picture)
    return picture
  }

  function startFresh(): void {
    waiting = [...fresh, ...waiting].filter(isWanted)
    fresh = []
    startNext()
  }

  function startNext(): void {
    while (running < limits.atOnce) {
      const next = waiting.shift()
      if (!next) return
      if (isWanted(next)) void load(next)
    }
  }

  async function load(picture: Picture): Promise<void> {
    running += 1
    picture.tries += 1
    try {
      const blob = await picture.source.load(picture.controller.signal)
      if (isWanted(picture)) keep(picture, blob)
    } catch (error) {
      if (isWanted(picture)) bear(picture, error)
    } finally {
      running -= 1
      startNext()
    }
  }

  function keep(picture: Picture, blob: Blob): void {
    const url = URL.createObjectURL(blob)
    Object.assign(picture, { url, bytes: blob.size })
    keptBytes += blob.size
    for (const tell of picture.users) tell(url)
    evict()
  }

  /** A server that is busy, and a network that is gone, may do better later; a refusal stands. */
  function bear(picture: Picture, error: unknown): void {
    const { key } = picture.source
    const refused = error instanceof ApiError && error.status < 500 && error.status !== 429 ? error : undefined
    if (refused || picture.tries >= MAX_TRIES) {
      pictures.delete(key)
      if (refused && refused.status !== 401) reject(key)
      return
    }
    const seconds = error instanceof ApiError ? error.retryAfter : undefined
    const again = () => {
      if (isWanted(picture)) waiting.push(picture)
      startNext()
    }
    setTimeout(again, seconds === undefined ? limits.retryDelay : seconds * 1000)
  }

  function reject(key: string): void {
    if (rejected.size >= MAX_REJECTED) rejected.clear()
    rejected.add(key)
  }

  function evict(): void {
    for (const [key, picture] of pictures) {
      if (keptBytes <= limits.maxBytes) return
      if (picture.url === undefined || picture.users.size > 0) continue
      pictures.delete(key)
      keptBytes -= picture.bytes
      URL.revokeObjectURL(picture.url)
    }
  }

  return {
    find: (key) => pictures.get(key)?.url,
    request(source, listener) {
      const { key } = source
      if (rejected.has(key)) return () => {}
      const picture = pictures.get(key) ?? want(source)
      pictures.delete(key)
      pictures.set(key, picture)
      const user = (url: string) => listener(url)
      picture.users.add(user)
      if (picture.url !== undefined) listener(picture.url)
      return () => {
        picture.users.delete(user)
        if (picture.users.size > 0 || picture.url !== undefined) return
        if (isWanted(picture)) pictures.delete(key)
        picture.controller.abort()
      }
    },
    reject,
    clear() {
      for (const { url, controller } of pictures.values()) {
        controller.abort()
        if (url !== undefined) URL.revokeObjectURL(url)
      }
      pictures.clear()
      rejected.clear()
      keptBytes = 0
    },
  }
}
