import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import type { ThumbnailSource } from '../items/thumbnails/thumbnail-store.ts'

/** What the previewer knows of a file, and all that it asks of whoever has the file: the drive, a public link, the vault. */
export interface PreviewItem {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  /** When it was last changed, as ISO 8601. */
  readonly updatedAt?: string
  /** The name of the folder it lies in, where that is not plain from the page. */
  readonly place?: string
  /** What else there is to know before it is trusted. */
  readonly note?: string
  /** False while its address takes a question; then nothing of it is fetched ahead. */
  readonly isReady?: () => boolean
  /** Absent where there are no hearts. */
  readonly isFavorite?: boolean
  /** `url` itself says why it failed, better than the preview could. */
  readonly tellsFailures?: boolean
  /**
   * An address of the bytes on our origin, or a `blob:` one; good for parts too. It may be remembered, but with
   * `isFresh` it must be a new one: the last was refused.
   */
  readonly url: (options?: { readonly isFresh: boolean }) => Promise<string>
  /** Of sound and pictures: playlists to play it from where the browser fails with the bytes, the best first. */
  readonly playlists?: () => Promise<readonly string[]>
  /** Of sound and pictures: the metadata in the file, where the server has read it. */
  readonly tags?: () => Promise<MediaTags>
  /** A small picture of it, or nothing where there is none. */
  readonly thumbnail?: (size: ThumbnailSize) => ThumbnailSource | undefined
}

/** What a sound or film says of itself. */
export interface MediaTags {
  readonly title?: string | undefined
  readonly artist?: string | undefined
  readonly album?: string | undefined
  readonly cover?: ThumbnailSource | undefined
}

/** What can be done with the item on show. What is absent has no button. */
export interface PreviewActions {
  readonly download?: (item: PreviewItem) => void
  readonly toggleFavorite?: (item: PreviewItem) => void
  readonly openLink?: (item: PreviewItem) => void
  /** Asks first. The item then goes from `items`, and the next one is shown. */
  readonly remove?: (item: PreviewItem) => void
}
