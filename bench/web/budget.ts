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
  files: { requests: [126, 116], total: [692, 641], script: [457, 457] },
  'public link': { requests: [74, 68], total: [515, 485], script: [281, 281] },
}

/** The paints of a first visit, in milliseconds. Those of public links are what was measured and a quarter more. */
const PAINTS: Readonly<Record<string, { first: number; largest: number }>> = {
  landing: { first: GOOD.firstPaint, largest: 1800 },
  'sign-in': { first: GOOD.firstPaint, largest: 2200 },
  files: { first: GOOD.firstPaint, largest: 2800 },
  'public link': { first: 3700, largest: 5200 },
}

/** What the fixed work takes on the machine that the times below are for, in milliseconds. A slower one gets more time. */
const FIXED_WORK = 530

/** What was measured while a folder scrolled for four seconds, and a quarter more; a tenth for the processor, busy for most of them. */
const SCROLLING: Readonly<Record<string, { tasks: Pair; work: Pair; p95: Pair; dropped: Pair; blank: Pair }>> = {
  grid: { tasks: [17, 23], work: [3800, 3800], p95: [300, 230], dropped: [95, 90], blank: [20, 15] },
  list: { tasks: [24, 23], work: [3800, 3800], p95: [230, 210], dropped: [95, 90], blank: [22, 12] },
}
/** Likewise the interactions that take longer than is good, and the processor time of all together, in milliseconds. */
const SLOWER: Readonly<Record<string, number>> = {
  'open the menu of an item': 260,
  'close the preview': 340,
}
const INTERACTION_WORK = 10_000

/** A limit for a value. One that `grows` is for a machine on which the fixed work takes `FIXED_WORK`. */
interface Limit {
  readonly most: number
  readonly grows: boolean
}

const atMost = (most = 0): Limit => ({ most, grows: false })
const growing = (most = 0): Limit => ({ most, grows: true })

function* limits(): Generator<[what: string, limit: Limit]> {
  for (const [place, width] of WIDTHS.entries()) {
    for (const [screen, { requests, total, script }] of Object.entries(DOWNLOADS)) {
      const where = `${screen} at ${width}`
      const paints = PAINTS[screen]
      if (paints) {
        yield [`${where}: first contentful paint, ms`, atMost(paints.first)]
        yield [`${where}: largest contentful paint, ms`, atMost(paints.largest)]
      }
      yield [`${where}: layout shift`, atMost(GOOD.shift)]
      yield [`${where}: total blocking time, ms`, growing(GOOD.blocking)]
      yield [`${where}: requests`, atMost(requests[place])]
      yield [`${where}: KB in total`, atMost(total[place])]
      yield [`${where}: KB of script`, atMost(script[place])]
    }
    for (const [view, { tasks, work, p95, dropped, blank }] of Object.entries(SCROLLING)) {
      const where = `scrolling the ${view} at ${width}`
      yield [`${where}: long tasks`, growing(tasks[place])]
      yield [`${where}: processor time, ms`, atMost(work[place])]
      yield [`${where}: p95 of the frames, ms`, growing(p95[place])]
      yield [`${where}: dropped frames, %`, atMost(dropped[place])]
      yield [`${where}: frames with blank rows, %`, growing(blank[place])]
    }
  }
  for (const { name } of [OPEN_FOLDER, ...INTERACTIONS])
    yield [`${name}: input to paint, ms`, growing(SLOWER[name] ?? GOOD.interaction)]
  yield ['… 75th percentile of all, ms', growing(GOOD.interaction)]
  yield ['… slowest of all, ms', growing(Math.max(...Object.values(SLOWER)))]
  yield ['… processor time of all, ms', growing(INTERACTION_WORK)]
}

const budget: ReadonlyMap<string, Limit> = new Map(limits())

/** Returns the most that a value of the part `web` may be where the fixed work takes so many milliseconds. */
export function limitOf(what: string, fixedWork: number): number {
  // A value without a limit fails. Nobody would notice it otherwise.
  const { most, grows } = budget.get(what) ?? atMost()
  return grows ? Math.round(most * Math.max(1, fixedWork / FIXED_WORK)) : most
}
