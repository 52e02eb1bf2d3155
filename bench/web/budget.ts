import { INTERACTIONS, OPEN_FOLDER } from './interactions.ts'

/** Limits in a window of 1440 px and in one of 412 px. */
type Pair = readonly [wide: number, narrow: number]
const WIDTHS = [1440, 412] as const

/** What web.dev and Lighthouse call good: times in milliseconds, and the layout shift that our browser tests allow. */
const GOOD = { firstPaint: 1800, blocking: 300, shift: 0.02, interaction: 200 }

/** What a first visit downloads is the same on any machine: the requests are exact, and the sizes in KB have 1 % for dates and keys. */
const DOWNLOADS: Readonly<Record<string, { requests: Pair; total: Pair; script: Pair }>> = {
  landing: { requests: [49, 49], total: [410, 410], script: [275, 275] },
  'sign-in': { requests: [50, 50], total: [405, 405], script: [274, 274] },
  files: { requests: [129, 119], total: [695, 644], script: [459, 459] },
  'public link': { requests: [74, 68], total: [515, 485], script: [281, 281] },
}

/** The paints of a first visit, in milliseconds. Those of public links are what was measured and a quarter more. */
const PAINTS: Readonly<Record<string, { first: number; largest: number }>> = {
  landing: { first: GOOD.firstPaint, largest: 1800 },
  'sign-in': { first: GOOD.firstPaint, largest: 2200 },
  files: { first: GOOD.firstPaint, largest: 2800 },
  'public link': { first: 3700, largest: 5200 },
}

/** What was measured while a folder scrolled, and a quarter more. The machine was busy: lower these on a quiet one. */
const SCROLLING: Readonly<Record<string, { tasks: Pair; work: Pair; p95: Pair; dropped: Pair; blank: Pair }>> = {
  grid: { tasks: [17, 23], work: [3200, 2700], p95: [335, 295], dropped: [95, 95], blank: [20, 15] },
  list: { tasks: [24, 23], work: [3200, 3200], p95: [450, 400], dropped: [95, 95], blank: [22, 15] },
}
/** Likewise the interactions that took longer than is good, and the processor time of all together, in milliseconds. */
const SLOWER: Readonly<Record<string, number>> = {
  'open a folder': 545,
  'open the menu of an item': 260,
  'close the preview': 440,
}
const INTERACTION_WORK = 10_000

function* limits(): Generator<[what: string, limit: number]> {
  for (const [place, width] of WIDTHS.entries()) {
    for (const [screen, { requests, total, script }] of Object.entries(DOWNLOADS)) {
      const where = `${screen} at ${width}`
      const paints = PAINTS[screen]
      if (paints) {
        yield [`${where}: first contentful paint, ms`, paints.first]
        yield [`${where}: largest contentful paint, ms`, paints.largest]
      }
      yield [`${where}: layout shift`, GOOD.shift]
      yield [`${where}: total blocking time, ms`, screen === 'public link' ? 520 : GOOD.blocking]
      yield [`${where}: requests`, requests[place] ?? 0]
      yield [`${where}: KB in total`, total[place] ?? 0]
      yield [`${where}: KB of script`, script[place] ?? 0]
    }
    for (const [view, { tasks, work, p95, dropped, blank }] of Object.entries(SCROLLING)) {
      const where = `scrolling the ${view} at ${width}`
      yield [`${where}: long tasks`, tasks[place] ?? 0]
      yield [`${where}: processor time, ms`, work[place] ?? 0]
      yield [`${where}: p95 of the frames, ms`, p95[place] ?? 0]
      yield [`${where}: dropped frames, %`, dropped[place] ?? 0]
      yield [`${where}: frames with blank rows, %`, blank[place] ?? 0]
    }
  }
  for (const { name } of [OPEN_FOLDER, ...INTERACTIONS])
    yield [`${name}: input to paint, ms`, SLOWER[name] ?? GOOD.interaction]
  yield ['… 75th percentile of all, ms', GOOD.interaction]
  yield ['… slowest of all, ms', Math.max(...Object.values(SLOWER))]
  yield ['… processor time of all, ms', INTERACTION_WORK]
}

/** The most that each value of the part `web` may be. */
export const BUDGET: ReadonlyMap<string, number> = new Map(limits())
