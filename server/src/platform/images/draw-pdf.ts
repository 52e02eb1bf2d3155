import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import sharp from 'sharp'
import { encodeThumbnail, fitThumbnail } from './draw-picture.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_IMAGE_PIXELS = 50_000_000
/** A page has no pixels of its own: it is drawn at the requested size, up to this limit. */
const MANY_POINTS = 10_000

export function isPdf(start: Buffer): boolean {
  return start.includes('%PDF-')
}

/** Draws a small WebP of a PDF's first page. Scripts, forms and links are ignored. */
export async function drawPdf(content: Uint8Array | string, size: ThumbnailSize): Promise<Uint8Array> {
  if (typeof content === 'string' && (await stat(content)).size > MAX_BYTES) throw new Error('the file is too large')
  const data = new Uint8Array(typeof content === 'string' ? await readFile(content) : content)
  const [pdf, canvases] = await Promise.all([import('pdfjs-dist/legacy/build/pdf.mjs'), import('@napi-rs/canvas')])
  const parts = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
  const loading = pdf.getDocument({
    data,
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    cMapUrl: join(parts, 'cmaps/'),
    standardFontDataUrl: join(parts, 'standard_fonts/'),
    wasmUrl: join(parts, 'wasm/'),
    verbosity: 0,
  })
  try {
    const page = await (await loading.promise).getPage(1)
    const whole = page.getViewport({ scale: 1 })
    const { width, height } = fitThumbnail(enlarge(whole), size)
    const viewport = page.getViewport({ scale: width / whole.width })
    const canvas = canvases.createCanvas(width, height)
    await page.render({ canvas: canvas as never, viewport, background: '#fff' }).promise
    const drawn = canvas.getContext('2d').getImageData(0, 0, width, height)
    const picture = sharp(drawn.data, { raw: { width, height, channels: 4 } }).removeAlpha()
    return await encodeThumbnail(picture, { width, height }, 1280)
  } finally {
    await loading.destroy()
  }
}

function enlarge({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = MANY_POINTS / Math.max(width, height)
  return { width: width * scale, height: height * scale }
}
