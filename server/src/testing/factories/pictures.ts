import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Draws a picture that is red at the top, blue at the bottom and green at its left edge. */
export function drawTestPicture(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="50%" fill="#f00"/><rect y="50%" width="100%" height="50%" fill="#00f"/>
    <rect width="10%" height="100%" fill="#0f0"/></svg>`
  return sharp(Buffer.from(svg)).removeAlpha()
}

/** Draws noise, which doesn't compress, so the file is large. */
export function drawNoise(width: number, height: number): Sharp {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
}

/** Returns the colour of a pixel. The position is a fraction of the width and the height. */
export async function colorAt(picture: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  return [...data.subarray(at, at + 3)]
}

/** Creates a PNG of a hundred kilobytes with 30,000 x 30,000 pixels. */
export function drawBomb(): Buffer {
  const side = 30_000
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Greyscale with one bit per pixel.
  header[8] = 1
  const rows = deflateSync(Buffer.alloc((side / 8 + 1) * side))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

/** A HEIC of 128 x 96 pixels as a phone writes it, red at the top and blue at the bottom. No installed package can encode HEIC. */
export const smallHeic = Buffer.from(
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAALQAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoBAgYWW6kkprm4EBAwIAAAMAAgAAAwACECIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAIAAAABgAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAA1bWRhdAAAACkoAa8ZgPd8hTf/+KGH/mta/6/Bk+PQb/9wa6+tUL/hpN3ZLaNT38wtyA==',
  'base64',
)

/** Creates a PDF of A4 pages, each filled with a colour. `kids` replaces the list of pages. */
export function drawPdfPages(colors: readonly string[], kids?: string): Buffer {
  const first = 3
  const pages = colors.flatMap((color, index) => {
    const fill = `${color} rg 0 0 595 842 re f`
    const contents = `${first + index * 2 + 1} 0 R`
    return [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents ${contents}>>`,
      `<</Length ${fill.length}>>stream\n${fill}\nendstream`,
    ]
  })
  const list = kids ?? colors.map((_color, index) => `${first + index * 2} 0 R`).join(' ')
  return writePdf(['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Kids[${list}]/Count ${colors.length}>>`, ...pages])
}

/** Creates a small PDF whose page takes practically forever to render: each of its forms draws the next one many times. */
export function drawEndlessPdf(): Buffer {
  const levels = 12
  const first = 5
  const draw = '/X Do '.repeat(20)
  const form = (content: string, next: number) =>
    `<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X ${next} 0 R>>>>/Length ${content.length}>>stream\n${content}\nendstream`
  const forms = Array.from({ length: levels }, (_, level) => form(draw, first + level + 1))
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</X ${first} 0 R>>>>>>`,
    `<</Length ${draw.length}>>stream\n${draw}\nendstream`,
    ...forms,
    form('1 0 0 rg 0 0 595 842 re f', first),
  ])
}

function writePdf(objects: readonly string[]): Buffer {
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`)
}
