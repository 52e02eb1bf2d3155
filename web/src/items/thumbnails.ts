import { getThumbnail } from '@alcove/contract/bytes'
import type { File } from '@alcove/contract/items'
import { MEBIBYTE } from '@alcove/contract/limits'
import { type ThumbnailSize, thumbnailKindOf } from '@alcove/contract/thumbnails'
import { ApiError, fetchBlob } from '../api/api.ts'
import { thumbnailAddress, thumbnailInput, tileThumbnailSize } from '../api/call-address.ts'
import { onSessionChange } from '../api/session.ts'
import { hasVideoThumbnails } from '../lib/site.ts'

/** Where a thumbnail comes from: a key that changes with the picture, and the function that fetches it. */
export interface ThumbnailSource {
  readonly key: string
  readonly load: (signal: AbortSignal) => Promise<Blob>
}

interface ThumbnailStore {
  /** Returns the address of a picture that has been fetched. */
  find(key: string): string | undefined
  /** Calls `listener` with the address once the picture is there, and keeps it until the returned function is called. */
  request(source: ThumbnailSource, listener: (url: string) => void): () => void
  /** Remembers that a picture can't be shown, so that it isn't requested again. */
  reject(key: string): void
  /** Forgets all pictures, because the next user must not see them. */
  clear(): void
}

interface Picture {
  readonly source: ThumbnailSource
  /** One listener for each tile that shows the picture or waits for it. */
  readonly users: Set<(url: string) => void>
  readonly controller: AbortController
  tries: number
  url?: string
  bytes: number
}

/** A browser opens six connections to a server. Some stay free for what the user does. */
const LIMITS = { atOnce: 4, delay: 100, retryDelay: 3000, maxBytes: 48 * MEBIBYTE }
const MAX_TRIES = 4
const MAX_REJECTED = 10_000

/**
 * Fetches the pictures of tiles and keeps the most recent ones. A request waits a moment, so that tiles that only scroll
 * past fetch nothing. Then the newest go first, because they are in view. A request is aborted when its last tile leaves.
 */
export function createThumbnailStore(given: Partial<typeof LIMITS> = {}): ThumbnailStore {
  const limits = { ...LIMITS, ...given }
  /** In the order of their last use. */
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
    // Nothing has scrolled past before the very first request.
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
      if (isWanted(picture)) retryOrReject(picture, error)
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

  /** Retries if the server is busy or the network is down. A refusal is final. */
  function retryOrReject(picture: Picture, error: unknown): void {
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

/** The pictures of all tiles, on every screen. */
export const thumbnails = createThumbnailStore()

onSessionChange(thumbnails.clear)

/** Returns whether the server may have a thumbnail of a file. Music has one only if the file contains a cover. */
export function hasThumbnail(
  { name, size, isEncrypted }: Pick<File, 'name' | 'size' | 'isEncrypted'>,
  hasCover = false,
): boolean {
  const kind = thumbnailKindOf(name, hasCover)
  return kind !== undefined && (kind !== 'video' || hasVideoThumbnails) && size > 0 && !isEncrypted
}

/** Fetches the pictures of files before their tiles are rendered. */
export function prefetchTileThumbnails(files: readonly File[]): void {
  for (const file of files) {
    const source = findThumbnailSource(file)
    if (!source) continue
    const release = thumbnails.request(source, () => queueMicrotask(() => release()))
  }
}

/** Returns the source of the thumbnail of the user's own file, in the size of a tile by default. Undefined if it has none. */
export function findThumbnailSource(file: File, given?: ThumbnailSize, hasCover = false): ThumbnailSource | undefined {
  if (!hasThumbnail(file, hasCover)) return undefined
  const size = given ?? tileThumbnailSize()
  return {
    key: thumbnailAddress(file, size),
    load: (signal) => fetchBlob(getThumbnail, thumbnailInput(file, size), { signal }),
  }
}

/** Returns the source of the thumbnail of an earlier version, like `findThumbnailSource`. */
export function findVersionThumbnail(file: File, versionId: string, size: ThumbnailSize): ThumbnailSource | undefined {
  if (!hasThumbnail(file, false)) return undefined
  return {
    key: `version ${versionId} ${size}`,
    load: (signal) => fetchBlob(getThumbnail, { id: file.id, versionId, size: String(size) }, { signal }),
  }
}
