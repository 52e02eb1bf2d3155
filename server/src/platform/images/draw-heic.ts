import { readFile, stat } from 'node:fs/promises'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import sharp from 'sharp'
import { encodeThumbnail } from './draw-picture.ts'

/** The brands of files with pictures in HEVC, which the ordinary decoder leaves out. */
const BRANDS = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1']
const MAX_BYTES = 64 * 1024 * 1024
const MAX_PIXELS = 50_000_000

export function isHeic(start: Buffer): boolean {
  if (start.toString('latin1', 4, 8) !== 'ftyp') return false
  // AVIF may call itself 'mif1' too, but then says what it is among the brands that follow.
  const brands = start.toString('latin1', 8, Math.min(start.length, start.readUInt32BE(0)))
  return BRANDS.includes(brands.slice(0, 4)) && !brands.includes('avif')
}

/** A small WebP of a photo as phones take it. The decoder itself turns it upright. */
export async function drawHeic(content: Uint8Array | string, size: ThumbnailSize): Promise<Uint8Array> {
  if (typeof content === 'string' && (await stat(content)).size > MAX_BYTES) throw new Error('the file is too large')
  const buffer = typeof content === 'string' ? await readFile(content) : content
  // Nine megabytes of decoder are loaded where there is something to decode, and not before.
  const { all } = await import('heic-decode')
  const pictures = await all({ buffer })
  try {
    const [picture] = pictures
    if (!picture) throw new Error('the file has no picture')
    const { width, height } = picture
    if (width * height > MAX_PIXELS) throw new Error('the picture is too large')
    const { data } = await picture.decode()
    return await encodeThumbnail(sharp(data, { raw: { width, height, channels: 4 } }), { width, height }, size)
  } finally {
    pictures.dispose()
  }
}
