import { crc32, deflateSync } from 'node:zlib'
import { letterShapes, personShape, type Stroke } from './letter-shapes.ts'

/** Dark enough for white letters. */
const COLORS = ['#286854', '#965719', '#a3263a', '#9c2c20', '#1f6b9b', '#473d3a'] as const

/** The height of one letter and of two, relative to the size of the picture: clients cut a circle out of it. */
const HEIGHT_OF_ONE = 0.38
const HEIGHT_OF_TWO = 0.28
/** Relative to the height of a letter. */
const STROKE_WIDTH = 0.18
const GAP = 0.38

interface Segment {
  x: number
  y: number
  dx: number
  dy: number
}

/**
 * Draws the initials of a name on a color as a square PNG, which all clients can show; some can't show SVG. The letters are strokes
 * of our own, because a server may have no fonts. `key` chooses the color.
 */
export function drawAvatar(name: string, key: string, size: number): Buffer {
  const color = COLORS[crc32(key) % COLORS.length] as string
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  const letters = initialsOf(name)
  const height = (letters.length > 1 ? HEIGHT_OF_TWO : HEIGHT_OF_ONE) * size
  const segments = layOut(letters, height, size)
  const half = (STROKE_WIDTH * height) / 2
  // Each line of a PNG begins with its filter: none.
  const bytes = Buffer.alloc(size * (1 + 3 * size))
  for (let y = 0, at = 0; y < size; y++) {
    at++
    const near = segments.filter((segment) => isNear(segment, y + 0.5, half + 1))
    for (let x = 0; x < size; x++, at += 3) {
      const share = near.length === 0 ? 0 : Math.min(1, Math.max(0, half + 0.5 - distanceTo(near, x + 0.5, y + 0.5)))
      bytes[at] = red + (255 - red) * share
      bytes[at + 1] = green + (255 - green) * share
      bytes[at + 2] = blue + (255 - blue) * share
    }
  }
  return encodePng(bytes, size)
}

/** Returns up to two letters: those with which the first and the last word of a name begin. Accents are dropped. */
function initialsOf(name: string): string[] {
  const words = name
    .normalize('NFKD')
    .replace(/@.*|\p{M}/gsu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0]?.toUpperCase() ?? '')
  return letters.filter((letter) => Object.hasOwn(letterShapes, letter))
}

/** Returns the strokes of the letters as segments in pixels, in the middle of the picture. */
function layOut(letters: readonly string[], height: number, size: number): Segment[] {
  const shapes =
    letters.length === 0 ? [personShape] : letters.map((letter) => letterShapes[letter] as readonly Stroke[])
  const widths = shapes.map((strokes) => Math.max(...strokes.flat().map(([x]) => x)))
  const total = widths.reduce((sum, width) => sum + width, 0) + GAP * (shapes.length - 1)
  let left = (size - total * height) / 2
  const top = (size - height) / 2
  return shapes.flatMap((strokes, index) => {
    const from = left
    left += ((widths[index] as number) + GAP) * height
    return strokes.flatMap((stroke) =>
      stroke.slice(1).map(([toX, toY], end): Segment => {
        const [x, y] = stroke[end] as Stroke[number]
        return { x: from + x * height, y: top + y * height, dx: (toX - x) * height, dy: (toY - y) * height }
      }),
    )
  })
}

function isNear({ y, dy }: Segment, line: number, reach: number): boolean {
  return line > Math.min(y, y + dy) - reach && line < Math.max(y, y + dy) + reach
}

function distanceTo(segments: readonly Segment[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY
  for (const { x: fromX, y: fromY, dx, dy } of segments) {
    const length = dx * dx + dy * dy
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / length))
    const [awayX, awayY] = [x - fromX - share * dx, y - fromY - share * dy]
    least = Math.min(least, awayX * awayX + awayY * awayY)
  }
  return Math.sqrt(least)
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Encodes lines of RGB pixels (PNG specification, section 5). */
function encodePng(lines: Buffer, size: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits for each color, no palette; then the only methods of compression, filtering and no interlacing.
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
