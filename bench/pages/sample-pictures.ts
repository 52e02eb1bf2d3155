import { randomUUID } from 'node:crypto'
import { getThumbnail } from '@alcove/contract/bytes'
import { uploadChunk } from '@alcove/contract/uploads'
import sharp from 'sharp'
import type { Account } from '../account.ts'

const PICTURES = 24

/** Stores pictures at the root and has their thumbnails made. */
export async function storePictures({ api, authorization }: Account): Promise<void> {
  for (let index = 0; index < PICTURES; index += 1) {
    const form = new FormData()
    const filename = `Picture ${index + 1}.jpg`
    const fields = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true }
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('chunk', new Blob([new Uint8Array(await drawPicture(index))]))
    const stored = await fetch(`${api}${uploadChunk.path}`, { method: 'POST', headers: { authorization }, body: form })
    if (!stored.ok) throw new Error(`an upload answered ${stored.status}`)
    const { id } = (await stored.json()) as { id: string }
    for (const size of [256, 512]) {
      const made = await fetch(`${api}${getThumbnail.path.replace('{id}', id)}?size=${size}`, {
        headers: { authorization },
      })
      if (!made.ok) throw new Error(`a thumbnail answered ${made.status}`)
      await made.arrayBuffer()
    }
  }
}

/** Smooth colors with some detail, so that a thumbnail has about as many bytes as one of a photo. */
function drawPicture(index: number): Promise<Buffer> {
  const hue = (index * 47) % 360
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 75%)"/>
    <stop offset="1" stop-color="hsl(${hue + 60} 50% 40%)"/></linearGradient></defs>
    <rect width="1200" height="900" fill="url(#sky)"/>
    ${Array.from({ length: 60 }, (_, dot) => {
      const [x, y] = [(dot * 197 + index * 31) % 1200, (dot * 331) % 900]
      return `<circle cx="${x}" cy="${y}" r="${20 + (dot % 7) * 9}" fill="hsl(${hue + dot * 9} 60% 50%)" opacity=".6"/>`
    }).join('')}</svg>`
  return sharp(Buffer.from(drawing)).jpeg({ quality: 85 }).toBuffer()
}
