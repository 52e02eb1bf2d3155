import { randomUUID } from 'node:crypto'
import { getThumbnail } from '@alcove/contract/bytes'
import { uploadChunk } from '@alcove/contract/uploads'
import sharp from 'sharp'
import { type Account, openAccount, startAlcove, timeStorage } from '../alcove.ts'
import type { Row } from '../measurements.ts'
import { inRounds, type Part } from '../stage.ts'

const PICTURES = 200
/** The number of thumbnails that the web loads at once. */
const AT_ONCE = 4
const IDLE = 5_000

/** Measures thumbnails of 12-megapixel photos, and the effect on other calls meanwhile. */
export const thumbs: Part = {
  name: 'thumbs',
  needsCurl: false,
  async run(stage) {
    const account = await openAccount(await startAlcove(stage.dir))
    const photo = await drawPhoto(4000, 3000)
    const rate: Row = { what: 'thumbnails of photos of 12 Mpx, per second', alcove: [] }
    const waits: Row & { reference: { figures: number[] } } = {
      what: `GET /storage while ${PICTURES} thumbnails are created, p95, ms`,
      alcove: [],
      reference: { name: 'Alcove at rest', figures: [] },
    }
    await inRounds(stage, async (round) => {
      const ids: string[] = []
      for (let index = 0; index < PICTURES; index += 1)
        ids.push(await uploadPhoto(account, `${round} ${index}.jpg`, photo))
      const rest = new AbortController()
      setTimeout(() => rest.abort(), IDLE)
      waits.reference.figures.push(await timeStorage(account, rest.signal))
      const made = new AbortController()
      const waiting = timeStorage(account, made.signal)
      const start = performance.now()
      await Promise.all(Array.from({ length: AT_ONCE }, () => makeAll(account, ids)))
      rate.alcove.push((PICTURES / (performance.now() - start)) * 1000)
      made.abort()
      waits.alcove.push(await waiting)
    })
    return [rate, waits]
  },
}

/** Draws a photo with some grain, like that of a camera. */
export function drawPhoto(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const grain = sharp({ create: { width, height, channels: 3, background: '#888', noise } })
  return grain.blur(1).jpeg({ quality: 85 }).toBuffer()
}

export async function uploadPhoto({ api, authorization }: Account, filename: string, photo: Buffer): Promise<string> {
  const form = new FormData()
  const fields = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true }
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('chunk', new Blob([new Uint8Array(photo)]))
  const response = await fetch(`${api}${uploadChunk.path}`, { method: 'POST', headers: { authorization }, body: form })
  if (!response.ok) throw new Error(`an upload failed with ${response.status}`)
  return ((await response.json()) as { id: string }).id
}

async function makeAll({ api, authorization }: Account, ids: string[]): Promise<void> {
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
    const response = await fetch(`${api}${getThumbnail.path.replace('{id}', id)}?size=256`, {
      headers: { authorization },
    })
    if (!response.ok) throw new Error(`a thumbnail failed with ${response.status}`)
    await response.arrayBuffer()
  }
}
