import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openAccount } from '../account.ts'
import { startAlcove } from '../alcove.ts'
import { loadPage, type PageLoad } from '../pages/load-page.ts'
import { storePictures } from '../pages/sample-pictures.ts'
import { type Row, valueAtMost } from '../rows.ts'
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

/** What is measured of each screen. */
const FIGURES: readonly { what: string; of: (load: PageLoad) => number; max?: number }[] = [
  { what: 'first contentful paint, ms', of: (load) => load.firstPaint },
  { what: 'layout shift', of: (load) => load.shift, max: 0.02 },
  { what: 'total blocking time, ms', of: (load) => load.blocking, max: 300 },
  { what: 'requests', of: (load) => load.requests },
  { what: 'KB in all', of: (load) => load.bytes / 1000 },
  { what: 'KB of script', of: (load) => load.scriptBytes / 1000 },
]

/** How a first visit to the screens goes in Chromium, on slow 4G with a processor a fourth as fast. */
export const pages: Part = {
  name: 'pages',
  needsCurl: false,
  async run(stage) {
    if (!existsSync(WEB)) {
      stage.say('left out, because the web is not built: npm run build')
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
          for (const { what, of, max } of FIGURES)
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
