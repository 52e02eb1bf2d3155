import { searchItems } from '@alcove/contract/search'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import { addNames, indexNames, timeInserts } from '@alcove/server/testing/factories/many-items'
import { type Page, runClient } from '../client/jobs.ts'
import { percentile, type Row, timeSeconds, valueAtMost } from '../measurements.ts'
import { makeNames } from '../names.ts'
import { inRounds, onBothDatabases, type Part, type Stage } from '../stage.ts'

/** The number of names of a user, and the limit for the median of the searches in milliseconds. */
const SIZES = [
  { names: 10_000, max: 2 },
  { names: 100_000, max: undefined },
] as const
const NAMES = 1_000_000
const INSERTED = 10_000
const TIMES = 5

const MIXES: Record<string, string[]> = {
  '1 letter': ['i', 's', '2', 'z', '東', 'ё', '"', '%', 'q'],
  '2 letters': ['im', '20', 're', 'pg', 'zq', '東京', 'фо', '%_'],
  common: ['img', '2024', 'jpg', '.jpg', '_20', 'report', 'screenshot'],
  rare: ['img_20240513', '999999', 'lisbon berlin tokyo', 'отпуск семья 12', '東京会議', '100%_12345'],
  none: ['zzzzqq', 'img_xyz', 'report report report zzz', '絵文字はない', '"*"'],
}

/** Measures searches among up to a million names of one user on each database, and the cost of indexing names. */
export const search: Part = {
  name: 'search',
  needsCurl: false,
  run: (stage) => onBothDatabases((engine) => measure(stage, engine)),
}

async function measure(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const rows: Row[] = []
    // Users are added one by one, so that the server has only the names that it is measured with.
    for (const { names, max } of SIZES) {
      const { token } = await addUser(app, stage, engine, makeNames(names))
      const times = [...(await measureSearches(stage, url, token)).perMix.values()].flat()
      const what = `${engine}: a search among ${names.toLocaleString('en-US')}`
      rows.push(
        { what: `${what}, p50, ms`, alcove: [percentile(times, 0.5)], ...(max && { aim: valueAtMost(max) }) },
        { what: `${what}, p95, ms`, alcove: [percentile(times, 0.95)], floor: valueAtMost(50) },
      )
    }
    const names = makeNames(NAMES + 2 * INSERTED)
    const { user, token, indexed } = await addUser(app, stage, engine, names.slice(2 * INSERTED))
    rows.push({ what: `${engine}: indexing a million names, s`, alcove: [indexed] })
    rows.push(...describeSearches(engine, await measureSearches(stage, url, token)))
    const { db } = app.services
    const alone = await timeInserts(db, user, names.slice(0, INSERTED), 1)
    const six = await timeInserts(db, user, names.slice(INSERTED, 2 * INSERTED), 6)
    rows.push({ what: `${engine}: storing a name, a transaction each, µs`, alcove: [alone] })
    rows.push({ what: `${engine}: storing a name, 6 in a transaction, µs`, alcove: [six] })
    return rows
  } finally {
    await app.close()
  }
}

/** Creates a user with these names. `indexed` is how many seconds indexing took. */
async function addUser(app: TestApp, stage: Stage, engine: string, names: string[]) {
  const user = await app.createUser()
  stage.say(`${engine}: ${names.length.toLocaleString('en-US')} names are added and indexed`)
  await addNames(app.services.db, user, names)
  return { user, token: user.token, indexed: await timeSeconds(() => indexNames(app.services)) }
}

interface Times {
  /** The milliseconds of each search, by kind of text. */
  perMix: Map<string, number[]>
  /** The server's processor time per search in milliseconds, for each round. */
  processorTime: number[]
}

async function measureSearches(stage: Stage, url: string, token: string): Promise<Times> {
  const perMix = new Map(Object.keys(MIXES).map((mix) => [mix, [] as number[]]))
  const pages = Object.entries(MIXES).flatMap(([mix, texts]) =>
    texts.map((q): Page & { mix: string } => ({
      mix,
      url: `${url}/api${searchItems.path}?${new URLSearchParams({ q })}`,
      headers: { authorization: `Bearer ${token}` },
    })),
  )
  await runClient({ work: 'time pages', pages, times: 1 })
  // The server runs in this process, the client in another.
  const processorTime: number[] = []
  await inRounds(stage, async () => {
    const before = process.cpuUsage()
    const { milliseconds } = await runClient({ work: 'time pages', pages, times: TIMES })
    const { user, system } = process.cpuUsage(before)
    processorTime.push((user + system) / 1000 / (pages.length * TIMES))
    for (const [index, times] of milliseconds.entries()) perMix.get(pages[index]?.mix ?? '')?.push(...times)
  })
  return { perMix, processorTime }
}

function describeSearches(engine: string, { perMix, processorTime }: Times): Row[] {
  const rows = [...perMix].flatMap(([mix, times]): Row[] => [
    { what: `${engine}: a search, ${mix}, p50, ms`, alcove: [percentile(times, 0.5)] },
    {
      what: `${engine}: a search, ${mix}, p95, ms`,
      alcove: [percentile(times, 0.95)],
      floor: valueAtMost(50),
      aim: valueAtMost(10),
    },
  ])
  const all = percentile([...perMix.values()].flat(), 0.5)
  return [
    { what: `${engine}: a search among 1,000,000, all of them, p50, ms`, alcove: [all], aim: valueAtMost(10) },
    ...rows,
    { what: `${engine}: processor time of the server for a search, ms`, alcove: processorTime },
  ]
}
