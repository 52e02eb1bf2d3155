import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { parseBuffer, parseFile, selectCover } from 'music-metadata'
import { drawPicture } from './draw-picture.ts'

const OPTIONS = { duration: false, skipPostHeaders: true }

/** A small WebP of the cover that lies in a piece of music. */
export async function drawCover(content: Uint8Array | string, size: ThumbnailSize): Promise<Uint8Array> {
  const { common } =
    typeof content === 'string' ? await parseFile(content, OPTIONS) : await parseBuffer(content, undefined, OPTIONS)
  const cover = selectCover(common.picture)
  if (!cover) throw new Error('the music has no cover')
  return drawPicture(cover.data, size)
}
