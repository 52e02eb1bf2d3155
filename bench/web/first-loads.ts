import type { Account } from '../alcove.ts'
import { loadPage, type PageLoad } from '../browser/load-page.ts'
import type { Stage } from '../stage.ts'
import type { Viewport } from './screen.ts'

/** A value that was measured, described with its unit. */
export type Figure = readonly [what: string, value: number]

const METRICS: readonly (readonly [what: string, of: (load: PageLoad) => number])[] = [
  ['first contentful paint, ms', (load) => load.firstPaint],
  ['largest contentful paint, ms', (load) => load.largestPaint],
  ['layout shift', (load) => load.shift],
  ['total blocking time, ms', (load) => load.blocking],
  ['requests', (load) => load.requests],
  ['KB in total', (load) => load.bytes / 1000],
  ['KB of script', (load) => load.scriptBytes / 1000],
]

/** Loads each screen in a new browser profile, on a slow network and processor. */
export async function measureFirstLoads(
  stage: Stage,
  account: Account,
  viewport: Viewport,
  session: Readonly<Record<string, string>>,
  sharePath: string,
): Promise<Figure[]> {
  const screens = [
    { name: 'landing', path: '/' },
    { name: 'sign-in', path: '/login' },
    { name: 'files', path: '/profile', storage: session },
    { name: 'public link', path: sharePath },
  ]
  const figures: Figure[] = []
  for (const { name, path, storage } of screens) {
    const url = account.api.replace(/\/api$/, path)
    const load = await loadPage(stage.dir, { url, viewport, storage })
    if (!load) throw new Error('There is no Chromium: ALCOVE_CHROMIUM can name one.')
    const where = `${name} at ${viewport.width}`
    stage.say(`${where}: largest paint ${Math.round(load.largestPaint)} ms of ${load.largestElement}`)
    for (const [what, of] of METRICS) figures.push([`${where}: ${what}`, of(load)])
  }
  return figures
}
