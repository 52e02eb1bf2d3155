import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPlace, type Place } from '../../testing/place.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { JobQueue } from './job-queue.ts'

const KIND = 'a test'
const log = pino({ level: 'silent' })

let app: TestApp
/** Another server, with the same database. */
let other: Place
beforeEach(async () => {
  app = await createTestApp()
  other = await openPlace(app.services.config, app.clock)
})
afterEach(async () => {
  await other.stop()
  await app.close()
})

const enqueue = (payload: unknown) =>
  app.services.db.transaction().execute((tx) => app.services.jobs.enqueue(tx, KIND, payload))

const waiting = () => app.services.db.selectFrom('jobs').select('id').where('kind', '=', KIND).execute()

it('every job is done once, by one of the servers that look for work', async () => {
  const done: unknown[] = []
  for (const { jobs } of [app.services, other.services]) {
    jobs.handle(KIND, async (payload) => {
      done.push(payload)
    })
  }
  const payloads = Array.from({ length: 60 }, (_, index) => index)
  for (const payload of payloads) await enqueue(payload)
  await Promise.all([
    app.services.jobs.runDue(),
    other.services.jobs.runDue(),
    app.services.jobs.runDue(),
    other.services.jobs.runDue(),
  ])
  expect(done.sort((a, b) => Number(a) - Number(b))).toEqual(payloads)
  expect(await waiting()).toEqual([])
})

it('a job whose server dies in the middle of it is done by another', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  // From then on nothing is heard of it any more.
  const dying = new JobQueue(app.services.db, app.clock, log, { renewEvery: 2 ** 30 })
  dying.handle(KIND, () => {
    begin()
    return new Promise(() => {})
  })
  await enqueue('work')
  void dying.runDue()
  await begun

  const done: unknown[] = []
  other.services.jobs.handle(KIND, async (payload) => {
    done.push(payload)
  })
  await other.services.jobs.runDue()
  // It might still be at it.
  expect(done).toEqual([])
  app.clock.advance(60_001)
  await other.services.jobs.runDue()
  expect(done).toEqual(['work'])
  expect(await waiting()).toEqual([])
})

it('a job that takes long stays with its server', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const slow = new JobQueue(app.services.db, app.clock, log, { renewEvery: 5 })
  slow.handle(KIND, () => {
    begin()
    return ended
  })
  await enqueue('work')
  const working = slow.runDue()
  await begun
  let doneByOther = 0
  other.services.jobs.handle(KIND, async () => {
    doneByOther += 1
  })
  for (let round = 0; round < 3; round++) {
    app.clock.advance(50_000)
    await expect.poll(readClaim, { timeout: 15_000 }).toBe(app.clock.now() + 60_000)
    await other.services.jobs.runDue()
  }
  end()
  await working
  expect(doneByOther).toBe(0)
  expect(await waiting()).toEqual([])
})

async function readClaim(): Promise<number> {
  const { db } = app.services
  return (await db.selectFrom('jobs').select('run_at').where('kind', '=', KIND).executeTakeFirstOrThrow()).run_at
}
