import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { getThumbnail } from '@alcove/contract/bytes'
import { uploadChunk } from '@alcove/contract/uploads'
import sharp from 'sharp'
import { type Account, openAccount, startAlcove } from '../alcove.ts'
import { loadPage, type PageLoad } from '../browser/load-page.ts'
import { type Row, valueAtMost } from '../measurements.ts'
import { inRounds, type Part } from '../stage.ts'

const WEB = join(import.meta.dirname, '../../web/dist/index.html')

const SCREENS = [
  { name: 'landing', path: '/', largestPaint: 1800 },
  { name: 'sign-in', path: '/login', largestPaint: 2200 },
  { name: 'files', path: '/profile', largestPaint: 2800 },
] as const
const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 412, height: 823 },
] as const

/** The metrics of each screen. */
const METRICS: readonly { what: string; of: (load: PageLoad) => number; max?: number }[] = [
  { what: 'first contentful paint, ms', of: (load) => load.firstPaint },
  { what: 'layout shift', of: (load) => load.shift, max: 0.02 },
  { what: 'total blocking time, ms', of: (load) => load.blocking, max: 300 },
  { what: 'requests', of: (load) => load.requests },
  { what: 'KB in total', of: (load) => load.bytes / 1000 },
  { what: 'KB of script', of: (load) => load.scriptBytes / 1000 },
]

/** Measures a first visit to the screens in Chromium, on slow 4G with a processor slowed by 4. */
export const pages: Part = {
  name: 'pages',
  needsCurl: false,
  async run(stage) {
    if (!existsSync(WEB)) {
      stage.say('skipped, because the web is not built: npm run build')
      return []
    }
    const alcove = await startAlcove(stage.dir)
    const account = await openAccount(alcove)
    await storePictures(account)
    const storage = {
      token: account.authorization.replace('Bearer ', ''),
      email: 'bench@example.com',
      planName: 'free',
    }
    const rows = new Map<string, Row>()
    const add = (row: Row) => {
      const known = rows.get(row.what)
      if (known) known.alcove.push(...row.alcove)
      else rows.set(row.what, row)
    }
    await inRounds(stage, async () => {
      for (const viewport of VIEWPORTS) {
        for (const { name, path, largestPaint } of SCREENS) {
          const url = alcove.api.replace(/\/api$/, path)
          const load = await loadPage(stage.dir, { url, viewport, storage: name === 'files' ? storage : {} })
          if (!load) throw new Error('There is no Chromium: ALCOVE_CHROMIUM can name one.')
          const where = `${name} at ${viewport.width}`
          stage.say(`${where}: largest paint ${Math.round(load.largestPaint)} ms of ${load.largestElement}`)
          add({
            what: `${where}: largest contentful paint, ms`,
            alcove: [load.largestPaint],
            aim: valueAtMost(largestPaint),
          })
          for (const { what, of, max } of METRICS)
            add({
              what: `${where}: ${what}`,
              alcove: [of(load)],
              aim: max === undefined ? undefined : valueAtMost(max),
            })
        }
      }
    })
    return [...rows.values()]
  },
}

const PICTURES = 24

/** Stores pictures in the root folder and creates their thumbnails. */
async function storePictures({ api, authorization }: Account): Promise<void> {
  for (let index = 0; index < PICTURES; index += 1) {
    const form = new FormData()
    const filename = `Picture ${index + 1}.jpg`
    const fields = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true }
    for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
    form.append('chunk', new Blob([new Uint8Array(await drawPicture(index))]))
    const stored = await fetch(`${api}${uploadChunk.path}`, { method: 'POST', headers: { authorization }, body: form })
    if (!stored.ok) throw new Error(`an upload failed with ${stored.status}`)
    const { id } = (await stored.json()) as { id: string }
    for (const size of [256, 512]) {
      const made = await fetch(`${api}${getThumbnail.path.replace('{id}', id)}?size=${size}`, {
        headers: { authorization },
      })
      if (!made.ok) throw new Error(`a thumbnail failed with ${made.status}`)
      await made.arrayBuffer()
    }
  }
}

/** Draws a picture whose thumbnail has about as many bytes as that of a photo. */
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
