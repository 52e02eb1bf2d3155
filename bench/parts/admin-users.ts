import { listUsers } from '@alcove/contract/admin-users'
import type { InputOf } from '@alcove/contract/call'
import { createTestApp } from '@alcove/server/testing/engines/test-app'
import { addUsers } from '@alcove/server/testing/factories/administrators'
import { analyzeTables } from '@alcove/server/testing/factories/many-items'
import { percentile, type Row, timeSeconds, valueAtMost } from '../measurements.ts'
import { inRounds, onBothDatabases, type Part, type Stage, settle } from '../stage.ts'

const USERS = 100_000
const TIMES = 40

type Input = InputOf<typeof listUsers>

/** What an administrator looks at: each first page, a page in the middle, and each search also counts its matches. */
const views: readonly [string, Input][] = [
  ['first page by address', {}],
  ['first page by used space', { sort: 'usedBytes', order: 'desc' }],
  ['first page by last seen', { sort: 'lastSeenAt', order: 'desc' }],
  ['first page by creation', { sort: 'createdAt', order: 'desc' }],
  ['search that finds one', { search: 'user-77777-' }],
  ['search for a name with other letters', { search: 'PÉRSON 77777' }],
  ['search that finds nothing', { search: 'nobody at all' }],
  ['search that finds all, by used space', { search: 'example', sort: 'usedBytes', order: 'desc' }],
  ['suspended users', { state: 'suspended' }],
  ['users of a plan, by last seen', { planId: 3, sort: 'lastSeenAt' }],
]

/** Measures the administrators' list of 100,000 users. */
export const adminUsers: Part = {
  name: 'admin-users',
  needsCurl: false,
  run: (stage) => onBothDatabases((engine) => measure(stage, engine)),
}

async function measure(stage: Stage, engine: string): Promise<Row[]> {
  const app = await createTestApp()
  try {
    const { client } = await app.createUser({ isAdmin: true })
    stage.say(`${engine}: ${USERS.toLocaleString('en-US')} users are created`)
    await addUsers(app, USERS)
    await analyzeTables(app.services)
    await settle()
    const measured: [string, Input][] = [...views]
    for (const sort of ['email', 'usedBytes'] as const) {
      // A page deep in the list.
      const page = (await client.call(listUsers, { sort, limit: 1000 })).body
      measured.push([`later page by ${sort}`, { sort, cursor: page.nextCursor ?? '' }])
    }
    const rows = measured.map(([what]): Row & { alcove: number[] } => ({
      what: `${engine}: ${what}, p95, ms`,
      alcove: [],
      floor: valueAtMost(100),
    }))
    await inRounds(stage, async () => {
      for (const [index, [, input]] of measured.entries()) {
        const times: number[] = []
        for (let time = 0; time < TIMES; time += 1) {
          times.push(1000 * (await timeSeconds(() => client.call(listUsers, input))))
        }
        rows[index]?.alcove.push(percentile(times, 0.95))
      }
    })
    return rows
  } finally {
    await app.close()
  }
}
