import sharp from 'sharp'
import type { LogoShape } from './thumbnail-maker.ts'

/** The largest drawings: three times as large as a logo is shown, for sharp screens. */
const boxes: Readonly<Record<LogoShape, { width: number; height: number }>> = {
  logo: { width: 720, height: 192 },
  icon: { width: 192, height: 192 },
}
const MAX_PIXELS = 50_000_000
const SVG_LOADERS = ['VipsForeignLoadSvgFile', 'VipsForeignLoadSvgBuffer']
/** Points per inch, with which an SVG is drawn large enough to be made smaller. */
const DENSITY = { usual: 72, most: 2400 }

/**
 * Draws a logo as PNG, without metadata. Of the formats, only SVG has a program in it: it is drawn here, where it has no network and
 * no other files, and browsers get only the picture.
 */
export async function drawLogo(content: Uint8Array, shape: LogoShape): Promise<Uint8Array> {
  if (!isSvg(content)) return draw(content, shape, DENSITY.usual)
  sharp.unblock({ operation: SVG_LOADERS })
  try {
    const { width, height } = await sharp(content, { limitInputPixels: MAX_PIXELS }).metadata()
    const box = boxes[shape]
    const scale = Math.min(box.width / width, box.height / height)
    const density = Math.min(DENSITY.most, Math.max(DENSITY.usual, Math.ceil(DENSITY.usual * scale)))
    return await draw(content, shape, density)
  } finally {
    sharp.block({ operation: SVG_LOADERS })
  }
}

async function draw(content: Uint8Array, shape: LogoShape, density: number): Promise<Uint8Array> {
  const { width, height } = boxes[shape]
  const picture = sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error', density }).autoOrient()
  const isIcon = shape === 'icon'
  return picture
    .resize(width, height, {
      fit: isIcon ? 'contain' : 'inside',
      withoutEnlargement: !isIcon,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** Returns whether bytes are XML with an element `svg` near the start. */
function isSvg(content: Uint8Array): boolean {
  const start = Buffer.from(content.subarray(0, 4096)).toString('utf8')
  return /^\uFEFF?\s*</.test(start) && /<svg[\s>]/i.test(start)
}
