import { getThumbnail } from '@alcove/contract/bytes'
import { type AnyCall, type InputOf, pathParameters } from '@alcove/contract/call'
import type { File } from '@alcove/contract/items'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'

const API_BASE = '/api'

/**
 * Returns the address of a call: the path with its parameters, and for GET and DELETE the other fields as the query.
 */
export function addressOf<C extends AnyCall>(call: C, input: InputOf<C>): string {
  const fields = input as Record<string, unknown>
  const path = pathParameters(call.path).reduce(
    (filled, name) => filled.replace(`{${name}}`, () => encodeURIComponent(String(fields[name]))),
    API_BASE + call.path,
  )
  if (hasBody(call)) return path
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(withoutPathParameters(call, input))) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** Returns whether the fields of a call are sent in its body. */
export function hasBody(call: AnyCall): boolean {
  return call.method === 'POST' || call.method === 'PUT'
}

/** Returns the fields that are not part of the path. */
export function withoutPathParameters(call: AnyCall, input: object): Record<string, unknown> {
  const inPath = pathParameters(call.path)
  return Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)))
}

/** Returns the size of thumbnails for tiles on this screen. */
export function tileThumbnailSize(): ThumbnailSize {
  return window.devicePixelRatio > 1 ? 512 : 256
}

/** Returns the input of the call. It changes with the file's content, so that the browser may cache the response. */
export function thumbnailInput(file: Pick<File, 'id' | 'updatedAt'>, size: ThumbnailSize) {
  return { id: file.id, size: String(size), v: file.updatedAt }
}

/** Returns the address of the thumbnail of the user's own file. */
export function thumbnailAddress(file: Pick<File, 'id' | 'updatedAt'>, size: ThumbnailSize): string {
  return addressOf(getThumbnail, thumbnailInput(file, size))
}
