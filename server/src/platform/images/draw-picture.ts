import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import sharp, { type Sharp } from 'sharp'
import { fitThumbnail } from './fit-thumbnail.ts'

/** A JPEG is decoded in a smaller size from the start, so it may be larger than a picture that has to be read whole. */
const MAX_JPEG_PIXELS = 268_000_000
const MAX_PIXELS = 100_000_000

// All that is needed, and nothing that runs a language or reads other files: no SVG, no PDF, no ImageMagick.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignLoad${format}Buffer`,
  ]),
})
sharp.concurrency(1)
sharp.cache(false)

/** A small WebP of a JPEG, PNG, WebP, GIF (its first frame), TIFF (its first page) or AVIF. */
export async function drawPicture(content: Uint8Array | string, size: ThumbnailSize): Promise<Uint8Array> {
  const options = { limitInputPixels: MAX_JPEG_PIXELS, failOn: 'error', sequentialRead: true } as const
  const { format, autoOrient } = await sharp(content, options).metadata()
  const limitInputPixels = format === 'jpeg' ? MAX_JPEG_PIXELS : MAX_PIXELS
  return encodeThumbnail(sharp(content, { ...options, limitInputPixels }).autoOrient(), autoOrient, size)
}

/** What says where a photo was taken, and by what, does not get into it; its colours are brought to sRGB. */
export async function encodeThumbnail(
  picture: Sharp,
  from: { width: number; height: number },
  size: ThumbnailSize,
): Promise<Uint8Array> {
  const { width, height } = fitThumbnail(from, size)
  return picture.resize(width, height, { fit: 'fill' }).webp({ quality: 80, effort: 3 }).toBuffer()
}
