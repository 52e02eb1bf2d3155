import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '../../platform/db/database.ts'
import { prepareAhead, type Value } from '../../platform/db/prepared-query.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { lookUpOnce, runsAtOnce } from './at-once.ts'
import { changeTree } from './change-tree.ts'
import { changeQuota } from './quota.ts'

let app: TestApp
let userId: string

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  userId = (await app.createUser()).id
})

function change<T>(work: (tx: Tx) => Promise<T>, options = {}): Promise<T> {
  return changeTree({ ...app.services, user: { id: userId } }, work, options)
}

const queue = (tx: Tx, kind: string) =>
  tx
    .insertInto('jobs')
    .values({ id: `${userId} ${kind}`, kind, payload: '', run_at: 9e15, attempts: 0 })
    .execute()

async function readKinds(): Promise<string[]> {
  const rows = await app.services.db.selectFrom('jobs').select('kind').where('id', 'like', `${userId}%`).execute()
  return rows.map((row) => row.kind).sort()
}

it('runs concurrent changes one after the other and returns each its own result', async () => {
  let running = 0
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      change(async (tx) => {
        expect(++running).toBe(1)
        await queue(tx, String(index))
        running--
        return index
      }),
    ),
  )
  expect(responses).toEqual(Array.from({ length: 40 }, (_, index) => index))
  expect(await readKinds()).toHaveLength(40)
})

it('rolls back a failed change without affecting the others', async () => {
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'fails', 'c', 'breaks', 'd'].map((kind) =>
      change(async (tx) => {
        await queue(tx, kind)
        if (kind === 'fails') throw new Error('refused')
        // On PostgreSQL a failed statement aborts the transaction unless there is a savepoint.
        if (kind === 'breaks') await queue(tx, kind)
        return kind
      }),
    ),
  )
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(await readKinds()).toEqual(['a', 'b', 'c', 'd'])
  expect(await change(async () => 'goes on')).toBe('goes on')
})

it.each([
  ['a', 'b', 'fails'],
  ['fails', 'a', 'b'],
])(
  'announces the version that a transaction has reached, without what failed changes had raised: %s, %s, %s',
  async (...kinds) => {
    const stream = app.services.events.open({
      ...{ userId, sessionId: '', isAppPassword: false, isSilent: false, ip: '127.0.0.1' },
      endsAt: Number.POSITIVE_INFINITY,
    })
    let text = ''
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
    await Promise.allSettled(
      kinds.map((kind) =>
        change(async (tx) => {
          await changeQuota(tx, userId, { used: 1 })
          if (kind === 'fails') throw new Error('refused')
        }),
      ),
    )
    const { rows } = await sql<{ tree_version: number }>`select tree_version from users where id = ${userId}`.execute(
      app.services.db,
    )
    expect(rows).toEqual([{ tree_version: 3 }])
    await expect.poll(() => text.match(/"version":"(\d+)/)?.[1]).toBe('3')
    stream.destroy()
  },
)

it('rejects all changes of a deleted user, alone and together, and keeps nothing of them', async () => {
  userId = 'nobody'
  await expect(change(async () => 'done')).rejects.toThrow('not found')
  const changes = ['a', 'b', 'c'].map((kind) => change((tx) => queue(tx, kind)))
  for (const outcome of await Promise.allSettled(changes)) expect(outcome.status).toBe('rejected')
  expect(await readKinds()).toEqual([])
})

describe('changes that may run again', () => {
  const together = <T>(kinds: readonly string[], work: (tx: Tx, kind: string) => Promise<T>) =>
    Promise.allSettled(kinds.map((kind) => change((tx) => work(tx, kind), { mayRunAgain: true })))

  it('run at once if there are several, and look up the same only once', async () => {
    let lookUps = 0
    const outcomes = await together(['a', 'b', 'c'], async (tx, kind) => {
      await queue(tx, kind)
      return [runsAtOnce(tx), await lookUpOnce(tx, 'what', async () => ++lookUps)]
    })
    expect(outcomes).toEqual(Array(3).fill({ status: 'fulfilled', value: [true, 1] }))
    expect(await readKinds()).toEqual(['a', 'b', 'c'])
    expect(await change(async (tx) => runsAtOnce(tx), { mayRunAgain: true })).toBe(false)
  })

  it.each(['refused', 'broken', 'refused later'])(
    'run each for itself, with one effect each, if one is %s',
    async (how) => {
      let runs = 0
      const outcomes = await together(['a', 'b', how, 'c'], async (tx, kind) => {
        runs++
        await changeQuota(tx, userId, { used: 1 })
        await queue(tx, kind)
        if (kind === 'broken') await queue(tx, kind)
        if (kind === 'refused' || (kind === 'refused later' && !runsAtOnce(tx))) throw new Error('refused')
        if (kind === 'refused later') await letNextRefuse(tx, { id: userId }, () => expect.fail('refused'))
      })
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
      expect(runs).toBeGreaterThan(4)
      expect(await readKinds()).toEqual(['a', 'b', 'c'])
      const { used_bytes } = await app.services.db
        .selectFrom('users')
        .select('used_bytes')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      expect(used_bytes).toBe(3)
    },
  )

  it('do not run again if only the commit failed, which may have been kept', async () => {
    const { db } = app.services
    await sql`create table at_commit (id integer primary key,
      other integer references at_commit (id) deferrable initially deferred)`.execute(db)
    let runs = 0
    const outcomes = await together(['a', 'b'], async (tx, kind) => {
      runs++
      await queue(tx, kind)
      await sql`insert into at_commit values (${sql.lit(runs)}, 99)`.execute(tx)
    })
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(runs).toBe(2)
    expect(await readKinds()).toEqual([])
  })
})

const letNextRefuse = prepareAhead((db, value: Value<{ id: string }>) =>
  db.selectFrom('users').select('id').where('id', '=', value('id')),
)
