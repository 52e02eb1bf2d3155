import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, openAccount, startAlcove } from '../alcove.ts'
import { slowDown } from '../browser/slow-device.ts'
import { bestAtMost, isMet, median, percentile, type Row } from '../measurements.ts'
import { formatFigure } from '../report.ts'
import { inRounds, type Part, type Stage } from '../stage.ts'
import { limitOf } from '../web/budget.ts'
import { storeManyItems, storePictures } from '../web/drive.ts'
import { type Figure, measureFirstLoads } from '../web/first-loads.ts'
import { timeFixedWork } from '../web/fixed-work.ts'
import { INTERACTIONS, OPEN_FOLDER, timeInteraction } from '../web/interactions.ts'
import { onScreen, type Screen, type Viewport } from '../web/screen.ts'
import { scroll } from '../web/scrolling.ts'

const WEB = join(import.meta.dirname, '../../web/dist/index.html')
const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 412, height: 823 },
] as const
type Session = Readonly<Record<string, string>>

/** Measures first visits, interactions and scrolling in Chromium, on slow 4G with a processor slowed by 4. Fails beyond the budget. */
export const web: Part = {
  name: 'web',
  needsCurl: false,
  async run(stage) {
    if (!existsSync(WEB)) {
      stage.say('skipped, because the web is not built: npm run build')
      return []
    }
    const account = await openAccount(await startAlcove(stage.dir))
    const sharePath = await storePictures(account)
    const session = {
      token: account.authorization.replace('Bearer ', ''),
      email: 'bench@example.com',
      planName: 'free',
    }
    const values = new Map<string, number[]>()
    const add = (figures: Figure[]) => {
      for (const [what, value] of figures) values.set(what, [...(values.get(what) ?? []), value])
    }
    await inRounds(stage, async () => {
      for (const viewport of VIEWPORTS) add(await measureFirstLoads(stage, account, viewport, session, sharePath))
    })
    stage.say('10,000 items are stored')
    await storeManyItems(account)
    const fixedTimes: number[] = []
    await inRounds(stage, async () => {
      fixedTimes.push(await timeFixedWork(stage, account.api.replace(/\/api$/, ''), VIEWPORTS[0]))
      add(await measureInteractions(stage, account, session))
      for (const viewport of VIEWPORTS) add(await measureScrolling(stage, account, session, viewport))
    })
    const fixedWork = median(fixedTimes)
    stage.say(`the fixed work: ${Math.round(fixedWork)} ms`)
    const rows = Array.from(
      values,
      ([what, alcove]): Row => ({ what, alcove, floor: bestAtMost(limitOf(what, fixedWork)) }),
    )
    assertBudget(stage, rows)
    return rows
  },
}

/** Names each value that exceeds its limit even in the best round, and makes the bench fail then. */
function assertBudget(stage: Stage, rows: readonly Row[]): void {
  for (const row of rows) {
    if (!row.floor || isMet(row, row.floor)) continue
    const best = Math.min(...row.alcove)
    const { limit } = row.floor
    stage.say(`over budget: ${row.what}: ${formatFigure(best)}, ${formatFigure(best - limit)} more than ${limit}`)
    process.exitCode = 1
  }
}

async function measureInteractions(stage: Stage, account: Account, session: Session): Promise<Figure[]> {
  return inLargeFolder(stage, account, session, VIEWPORTS[0], async (screen, opened) => {
    const figures: Figure[] = [[OPEN_FOLDER.name, opened.time]]
    let allWork = opened.work
    for (const interaction of INTERACTIONS) {
      const { time, work } = await timeInteraction(screen, interaction)
      stage.say(`${interaction.name}: ${Math.round(time)} ms, of processor time ${Math.round(work)} ms`)
      figures.push([interaction.name, time])
      allWork += work
    }
    const times = figures.map(([, time]) => time)
    return [
      ...figures.map(([name, time]): Figure => [`${name}: input to paint, ms`, time]),
      ['… 75th percentile of all, ms', percentile(times, 0.75)],
      ['… slowest of all, ms', Math.max(...times)],
      ['… processor time of all, ms', allWork],
    ]
  })
}

async function measureScrolling(
  stage: Stage,
  account: Account,
  session: Session,
  viewport: Viewport,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const view of ['grid', 'list']) {
    const scrolled = await inLargeFolder(stage, account, { ...session, fileView: view }, viewport, (screen) =>
      scroll(screen, { x: viewport.width / 2, y: viewport.height / 2 }),
    )
    stage.say(`${view} at ${viewport.width}: ${JSON.stringify(scrolled)}`)
    const where = `scrolling the ${view} at ${viewport.width}`
    figures.push(
      [`${where}: long tasks`, scrolled.longTasks],
      [`${where}: processor time, ms`, scrolled.work],
      [`${where}: p95 of the frames, ms`, scrolled.p95],
      [`${where}: dropped frames, %`, scrolled.dropped],
      [`${where}: frames with blank rows, %`, scrolled.blank],
    )
  }
  return figures
}

/** Opens the root folder and then the large one, and lets `work` use it when all of it has loaded. */
async function inLargeFolder<T>(
  { dir }: Stage,
  { api }: Account,
  session: Session,
  viewport: Viewport,
  work: (screen: Screen, opened: { time: number; work: number }) => Promise<T>,
): Promise<T> {
  return onScreen(dir, viewport, session, api.replace(/\/api$/, '/profile'), async (screen) => {
    await screen.page.until(`document.querySelector('[data-item-id]')`, 30_000)
    await screen.rest()
    await slowDown(screen.page)
    const opened = await timeInteraction(screen, OPEN_FOLDER)
    await screen.rest()
    return work(screen, opened)
  })
}
