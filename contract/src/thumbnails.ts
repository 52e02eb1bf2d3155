import { AUDIO_EXTENSIONS, extensionOf } from './file-types.ts'

/**
 * The sizes that thumbnails are made in. The two small ones cover a bed of 4 : 3 that is so many pixels wide; the large
 * one stands for the picture itself where a browser cannot draw it, and no side of it is longer.
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
 * What a thumbnail of a file shows, or undefined for a file that has none. Not every server can make those of videos, and
 * music has one only where a cover lies in it.
 */
export function thumbnailKindOf(filename: string, hasCover = false): ThumbnailKind | undefined {
  const extension = extensionOf(filename)
  return hasCover && music.includes(extension) ? 'cover' : kinds[extension]
}
