import { readFile, stat } from 'node:fs/promises'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { parseBuffer, parseFile, selectCover } from 'music-metadata'
import sharp, { type Sharp } from 'sharp'

/** A JPEG is decoded at a reduced size, so it may be larger than a picture that has to be decoded in full. */
const MAX_JPEG_PIXELS = 268_000_000
const MAX_PIXELS = 100_000_000

// Only the formats that are needed, none that executes code or reads other files: no SVG, no PDF, no ImageMagick.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignLoad${format}Buffer`,
  ]),
})
sharp.concurrency(1)
sharp.cache(false)

/** Draws a small WebP of a JPEG, PNG, WebP, GIF (its first frame), TIFF (its first page) or AVIF. */
export async function drawPicture(content: Uint8Array | string, size: ThumbnailSize): Promise<Uint8Array> {
  const options = { limitInputPixels: MAX_JPEG_PIXELS, failOn: 'error', sequentialRead: true } as const
  const { format, autoOrient } = await sharp(content, options).metadata()
  const limitInputPixels = format === 'jpeg' ? MAX_JPEG_PIXELS : MAX_PIXELS
  return encodeThumbnail(sharp(content, { ...options, limitInputPixels }).autoOrient(), autoOrient, size)
}

/** Encodes a thumbnail in sRGB, without metadata about place and camera. */
export async function encodeThumbnail(
  picture: Sharp,
  from: { width: number; height: number },
  size: ThumbnailSize,
): Promise<Uint8Array> {
  const { width, height } = fitThumbnail(from, size)
  return picture.resize(width, height, { fit: 'fill' }).webp({ quality: 80, effort: 3 }).toBuffer()
}

interface Extent {
  width: number
  height: number
}

/**
 * Returns the size of a thumbnail. A small one covers a 4 : 3 area, with no side longer than twice the area's width; a large
 * one fits into a square. Pictures are never enlarged.
 */
export function fitThumbnail({ width, height }: Extent, size: ThumbnailSize): Extent {
  const within = (side: number) => Math.min(side / width, side / height)
  const covering = Math.max(size / width, (size * 3) / 4 / height)
  const scale = Math.min(1, size === 1280 ? within(size) : Math.min(covering, within(2 * size)))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The brands of HEVC pictures, which sharp doesn't decode. */
const HEIC_BRANDS = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1']
const MAX_HEIC_BYTES = 64 * 1024 * 1024
const MAX_HEIC_PIXELS = 50_000_000

export function isHeic(start: Buffer): boolean {
  if (start.toString('latin1', 4, 8) !== 'ftyp') return false
  // AVIF may have the brand 'mif1' too, but then has 'avif' among those that follow.
  const brands = start.toString('latin1', 8, Math.min(start.length, start.readUInt32BE(0)))
  return HEIC_BRANDS.includes(brands.slice(0, 4)) && !brands.includes('avif')
}

/** Draws a small WebP of a HEIC photo. The decoder turns it upright. */
export async function drawHeic(content: Uint8Array | string, size: ThumbnailSize): Promise<Uint8Array> {
  if (typeof content === 'string' && (await stat(content)).size > MAX_HEIC_BYTES)
    throw new Error('the file is too large')
  const buffer = typeof content === 'string' ? await readFile(content) : content
  // The decoder has nine megabytes, so it is loaded only when needed.
  const { all } = await import('heic-decode')
  const pictures = await all({ buffer })
  try {
    const [picture] = pictures
    if (!picture) throw new Error('the file has no picture')
    const { width, height } = picture
    if (width * height > MAX_HEIC_PIXELS) throw new Error('the picture is too large')
    const { data } = await picture.decode()
    return await encodeThumbnail(sharp(data, { raw: { width, height, channels: 4 } }), { width, height }, size)
  } finally {
    pictures.dispose()
  }
}

const COVER_OPTIONS = { duration: false, skipPostHeaders: true }

/** Draws a small WebP of the cover in a music file. */
export async function drawCover(content: Uint8Array | string, size: ThumbnailSize): Promise<Uint8Array> {
  const { common } =
    typeof content === 'string'
      ? await parseFile(content, COVER_OPTIONS)
      : await parseBuffer(content, undefined, COVER_OPTIONS)
  const cover = selectCover(common.picture)
  if (!cover) throw new Error('the music has no cover')
  return drawPicture(cover.data, size)
}
