import type { ThumbnailSize } from '@alcove/contract/thumbnails'

interface Extent {
  width: number
  height: number
}

/**
 * How large the thumbnail of a picture becomes: a small one covers a bed of 4 : 3, though no side is longer than twice the
 * bed is wide; the large one lies within its square. Nothing is made larger than it is.
 */
export function fitThumbnail({ width, height }: Extent, size: ThumbnailSize): Extent {
  const within = (side: number) => Math.min(side / width, side / height)
  const covering = Math.max(size / width, (size * 3) / 4 / height)
  const scale = Math.min(1, size === 1280 ? within(size) : Math.min(covering, within(2 * size)))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
