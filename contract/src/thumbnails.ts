import { extensionOf } from './file-types.ts'

/**
 * The sizes that thumbnails are made in. The two small ones cover a bed of 4 : 3 that is so many pixels wide; the large
 * one stands for the picture itself where a browser cannot draw it, and no side of it is longer.
 */
export const THUMBNAIL_SIZES = [256, 512, 1280] as const
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number]

export type ThumbnailKind = 'picture' | 'page' | 'video'

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

/** What a thumbnail of a file shows, or undefined for a file that has none. Not every server can make those of videos. */
export function thumbnailKindOf(filename: string): ThumbnailKind | undefined {
  return kinds[extensionOf(filename)]
}
