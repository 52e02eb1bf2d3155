import { searchItems } from '@alcove/contract/search'
import { addNames, indexNames, timeInserts } from '@alcove/server/testing/many-names'
import { startPostgres } from '@alcove/server/testing/postgres-engine'
import { createTestApp } from '@alcove/server/testing/test-app'
import type { Page } from '../client/jobs.ts'
import { makeNames } from '../names.ts'
import { type Row, valueAtMost } from '../rows.ts'
import { runClient } from '../run-client.ts'
import { inRounds, type Part, type Stage } from '../stage.ts'
import { percentile } from '../statistics.ts'

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

/** Searches among a million names of one user, on each database, and what it costs that new names can be found. */
export const search: Part = {
  name: 'search',
  needsCurl: false,
  async run(stage) {
    const rows = await measure(stage, 'SQLite')
    const postgres = await startPostgres()
    process.env.ALCOVE_TEST_DATABASE = 'postgres'
    process.env.ALCOVE_TEST_POSTGRES_URL = postgres.url
    try {
      return [...rows, ...(await measure(stage, 'PostgreSQL'))]
    } finally {
      delete process.env.ALCOVE_TEST_DATABASE
      await postgres.stop()
    }
  },
}

async function measure(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    const { db } = app.services
    const user = await app.createUser()
    const names = makeNames(NAMES + 2 * INSERTED)
    stage.say(`${engine}: ${NAMES.toLocaleString('en-US')} names go in`)
    await addNames(db, user, names.slice(2 * INSERTED))
    stage.say(`${engine}: they are indexed`)
    const startedAt = performance.now()
    await indexNames(app.services)
    const rows: Row[] = [
      { what: `${engine}: indexing a million names, s`, alcove: [(performance.now() - startedAt) / 1000] },
      ...(await timeSearches(stage, engine, await app.app.listen({ port: 0, host: '127.0.0.1' }), user.token)),
    ]
    const alone = await timeInserts(db, user, names.slice(0, INSERTED), 1)
    const six = await timeInserts(db, user, names.slice(INSERTED, 2 * INSERTED), 6)
    rows.push({ what: `${engine}: storing a name, a transaction each, µs`, alcove: [alone] })
    rows.push({ what: `${engine}: storing a name, 6 in a transaction, µs`, alcove: [six] })
    return rows
  } finally {
    await app.close()
  }
}

async function timeSearches(stage: Stage, engine: string, url: string, token: string): Promise<Row[]> {
  const taken = new Map(Object.keys(MIXES).map((mix) => [mix, [] as number[]]))
  const pages = Object.entries(MIXES).flatMap(([mix, texts]) =>
    texts.map((q): Page & { mix: string } => ({
      mix,
      url: `${url}/api${searchItems.path}?${new URLSearchParams({ q })}`,
      headers: { authorization: `Bearer ${token}` },
    })),
  )
  await runClient({ work: 'time pages', pages, times: 1 })
  // The server is this process, the client another one.
  const processorTime: number[] = []
  await inRounds(stage, async () => {
    const before = process.cpuUsage()
    const { milliseconds } = await runClient({ work: 'time pages', pages, times: TIMES })
    const { user, system } = process.cpuUsage(before)
    processorTime.push((user + system) / 1000 / (pages.length * TIMES))
    for (const [index, times] of milliseconds.entries()) taken.get(pages[index]?.mix ?? '')?.push(...times)
  })
  const perMix = [...taken].flatMap(([mix, times]): Row[] => [
    { what: `${engine}: a search, ${mix}, p50, ms`, alcove: [percentile(times, 0.5)] },
    {
      what: `${engine}: a search, ${mix}, p95, ms`,
      alcove: [percentile(times, 0.95)],
      floor: valueAtMost(50),
      aim: valueAtMost(10),
    },
  ])
  return [...perMix, { what: `${engine}: processor time of the server for a search, ms`, alcove: processorTime }]
}
