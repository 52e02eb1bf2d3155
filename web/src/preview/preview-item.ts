import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import type { ReactNode } from 'react'
import type { ThumbnailSource } from '../items/thumbnails.ts'

/** What the preview needs to know of a file. The drive, public links and the vault each make their own. */
export interface PreviewItem {
  readonly id: string
  /** Changes with the bytes, but also with the name. */
  readonly version: string
  readonly name: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  /** Its own modification date, as ISO 8601. */
  readonly modifiedAt?: string
  /** The name of its folder, if the page doesn't show it. */
  readonly place?: string
  /** A remark shown with the details. */
  readonly note?: string
  /** False if `url` would ask the user something, so that the file isn't prefetched. */
  readonly isReady?: () => boolean
  /** Absent if the item can't be a favorite. */
  readonly isFavorite?: boolean
  /** `url` reports its failures itself. */
  readonly tellsFailures?: boolean
  /**
   * Returns the address of the bytes: on our origin or a `blob:` URL, with support for ranges. Another version has another
   * address, because browsers combine ranges that they have cached. With `isFresh` it must be a new address, because the
   * server refused the last one.
   */
  readonly url: (options?: { readonly isFresh: boolean }) => Promise<string>
  /** For audio and video: playlists for browsers that can't play the file itself, the best first. */
  readonly playlists?: () => Promise<readonly string[]>
  /** For audio and video: the metadata that the server has read from the file. */
  readonly tags?: () => Promise<MediaTags>
  /** Returns a thumbnail, if there is one. */
  readonly thumbnail?: (size: ThumbnailSize) => ThumbnailSource | undefined
}

/** The metadata in an audio or video file. */
export interface MediaTags {
  readonly title?: string | undefined
  readonly artist?: string | undefined
  readonly album?: string | undefined
  readonly cover?: ThumbnailSource | undefined
}

/** What the user can do with the current item. An action that is absent has no button. */
export interface PreviewActions {
  readonly download?: (item: PreviewItem) => void
  readonly toggleFavorite?: (item: PreviewItem) => void
  readonly openLink?: (item: PreviewItem) => void
  /** Asks for confirmation. When the item disappears from `items`, the next one is shown. */
  readonly remove?: (item: PreviewItem) => void
}

export interface ViewerProps {
  /** Doesn't change while the viewer is mounted. */
  readonly item: PreviewItem
  readonly isInline: boolean
  /** Whether audio and video start without a click. */
  readonly isBegun: boolean
  readonly onFail: (problem: PreviewProblem) => void
}

/** A component that shows files of one kind. */
export type Viewer = (props: ViewerProps) => ReactNode

export const PREVIEW_FAILED = 'Failed to preview file.'

/** Why a file can't be shown. */
export type PreviewProblem =
  /** There is no viewer for this type of file. */
  | 'unsupported'
  /** The bytes are not in the format of the file's extension. */
  | 'broken'
  /** The browser doesn't support the audio or video format. */
  | 'unplayable'
  /** The file has other bytes than the item says, so the lists on screen are being refetched. */
  | 'replaced'
  /** The bytes can't be fetched now. */
  | 'unreachable'
