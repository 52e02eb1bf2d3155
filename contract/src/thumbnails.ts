import { AUDIO_EXTENSIONS, extensionOf } from './file-types.ts'
import { isMacMetadata } from './names.ts'

/**
 * The sizes of thumbnails in pixels. The two small ones cover a frame of 4 : 3 with that width. The large one replaces pictures
 * that a browser can't display, and its longer side has at most that length.
 */
export const THUMBNAIL_SIZES = [256, 512, 1280] as const
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number]

export type ThumbnailKind = 'picture' | 'page' | 'video' | 'cover'

const kinds: Record<string, ThumbnailKind> = {
  jpg: 'picture',
  jpeg: 'picture',
  png: 'picture',
  gif: 'picture',
  webp: 'picture',
  avif: 'picture',
  tif: 'picture',
  tiff: 'picture',
  heic: 'picture',
  heif: 'picture',
  pdf: 'page',
  mp4: 'video',
  m4v: 'video',
  mov: 'video',
  webm: 'video',
  mkv: 'video',
  avi: 'video',
  flv: 'video',
  mpg: 'video',
  mpeg: 'video',
  '3gp': 'video',
  ogv: 'video',
}

const music: readonly string[] = AUDIO_EXTENSIONS

/**
 * Returns what a thumbnail of a file shows, or undefined for a file without one. Not every server can create thumbnails of
 * videos, and music has one only if the file contains a cover.
 */
export function thumbnailKindOf(filename: string, hasCover = false): ThumbnailKind | undefined {
  if (isMacMetadata(filename)) return undefined
  const extension = extensionOf(filename)
  return hasCover && music.includes(extension) ? 'cover' : kinds[extension]
}
