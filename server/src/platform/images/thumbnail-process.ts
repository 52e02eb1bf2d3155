import { open } from 'node:fs/promises'
import { FORMAT_HEAD, videoFormatOf } from '../media/media-format.ts'
import { serveWork } from '../processes/serve-work.ts'
import { drawLogo } from './draw-logo.ts'
import { drawPdf, isPdf } from './draw-pdf.ts'
import { drawCover, drawHeic, drawPicture, isHeic } from './draw-picture.ts'
import { drawVideo } from './draw-video.ts'
import type { DrawingOrder } from './thumbnail-maker.ts'

// The first bytes decide what a file is; its name is only the uploader's claim.
serveWork<DrawingOrder, Uint8Array | undefined>(async (order) => {
  if ('logo' in order) return drawLogo(order.content, order.logo)
  const { content, size, isMusic, ffmpeg } = order
  if (isMusic) return drawCover(content, size)
  const start = typeof content === 'string' ? await readStart(content) : Buffer.from(content.subarray(0, FORMAT_HEAD))
  if (isPdf(start)) return drawPdf(content, size)
  if (isHeic(start)) return drawHeic(content, size)
  const format = videoFormatOf(start)
  if (!format) return drawPicture(content, size)
  return ffmpeg === undefined ? undefined : drawVideo(content, format, size, ffmpeg)
})

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FORMAT_HEAD), 0, FORMAT_HEAD, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
