import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, openTestServer, type TestApp, type TestServer } from '../../testing/engines/test-app.ts'
import { defineJob } from './define-job.ts'
import { JobQueue } from './job-queue.ts'

/** Defines a job that accepts any payload. Each test registers its own handler. */
const createJob = (kind: string) => defineJob(kind, z.unknown(), async () => {})
const JOB = createJob('a test')
const log = pino({ level: 'silent' })

let app: TestApp
/** Another server with the same database. */
let other: TestServer
beforeEach(async () => {
  app = await createTestApp()
  other = await openTestServer(app.services.config, app.clock)
})
afterEach(async () => {
  await other.stop()
  await app.close()
})

/** Queues a job as an operator command does. No server runs it until a test calls `runDue`. */
const enqueue = (payload: unknown) =>
  app.services.db.transaction().execute((tx) => new JobQueue(app.services.db, app.clock, log).enqueue(tx, JOB, payload))

const waiting = () => app.services.db.selectFrom('jobs').select('id').where('kind', '=', JOB.kind).execute()

it('runs each job once when several servers process the queue', async () => {
  const done: unknown[] = []
  for (const { jobs } of [app.services, other.services]) {
    jobs.handle(JOB, async (payload) => {
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

it('runs the job of a dead server on another server once its claim has expired', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  // Never renews its claim, like a server that has died.
  const dying = new JobQueue(app.services.db, app.clock, log, { renewEvery: 2 ** 30 })
  dying.handle(JOB, () => {
    begin()
    return new Promise(() => {})
  })
  await enqueue('work')
  void dying.runDue()
  await begun

  const done: unknown[] = []
  other.services.jobs.handle(JOB, async (payload) => {
    done.push(payload)
  })
  await other.services.jobs.runDue()
  // The first server might still be working on it.
  expect(done).toEqual([])
  app.clock.advance(60_001)
  await other.services.jobs.runDue()
  expect(done).toEqual(['work'])
  expect(await waiting()).toEqual([])
})

it('leaves the remaining jobs in the queue when a server stops', async () => {
  const done: unknown[] = []
  other.services.jobs.handle(JOB, async (payload) => {
    done.push(payload)
    void other.services.jobs.stop()
  })
  for (const payload of [1, 2, 3]) await enqueue(payload)
  await other.services.jobs.runDue()
  expect(done).toHaveLength(1)
  expect(await waiting()).toHaveLength(2)
})

it('does not wait for jobs that are queued while it runs', async () => {
  let runs = 0
  app.services.jobs.handle(JOB, async () => {
    runs += 1
    app.clock.advance(1)
    await enqueue('the rest')
  })
  await enqueue('work')
  await app.services.jobs.runDue()
  expect(runs).toBe(1)
  await app.services.jobs.runDue()
  expect(runs).toBe(2)
  await app.services.db.deleteFrom('jobs').execute()
})

it('runs jobs of one kind without waiting for others, but waits for running jobs of that kind', async () => {
  const done: string[] = []
  const gates = { slow: Promise.withResolvers<void>(), urgent: Promise.withResolvers<void>() }
  for (const kind of ['slow', 'urgent'] as const) {
    app.services.jobs.handle(createJob(kind), async (payload) => {
      if (payload === 'first') await gates[kind].promise
      done.push(`${kind} ${payload}`)
    })
  }
  const queue = (kind: string, payload: string) =>
    app.services.db.transaction().execute((tx) => app.services.jobs.enqueue(tx, createJob(kind), payload))
  await queue('slow', 'first')
  const round = app.services.jobs.runDue()
  await queue('urgent', 'second')
  await app.services.jobs.runDueOf([createJob('urgent')])
  expect(done).toEqual(['urgent second'])
  gates.slow.resolve()
  await round

  await queue('urgent', 'first')
  const next = app.services.jobs.runDue()
  const attempts = () => app.services.db.selectFrom('jobs').select('attempts').execute()
  await expect.poll(attempts).toEqual([{ attempts: 1 }])
  const own = app.services.jobs.runDueOf([createJob('urgent')]).then(() => done.push('returned'))
  await setTimeout(20)
  expect(done).toEqual(['urgent second', 'slow first'])
  gates.urgent.resolve()
  await Promise.all([own, next])
  expect(done).toEqual(['urgent second', 'slow first', 'urgent first', 'returned'])
})

it('leaves jobs to a server if the process that queues them has no handlers', async () => {
  const command = new JobQueue(app.services.db, app.clock, log)
  await app.services.db.transaction().execute((tx) => command.enqueue(tx, JOB, 'work'))
  // Longer than the delay after which a server would run the job.
  await setTimeout(200)
  const { attempts } = await app.services.db.selectFrom('jobs').select('attempts').executeTakeFirstOrThrow()
  expect(attempts).toBe(0)
})

it('renews the claim of a long job, so that no other server runs it', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const slow = new JobQueue(app.services.db, app.clock, log, { renewEvery: 5 })
  slow.handle(JOB, () => {
    begin()
    return ended
  })
  await enqueue('work')
  const working = slow.runDue()
  await begun
  let doneByOther = 0
  other.services.jobs.handle(JOB, async () => {
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
  return (await db.selectFrom('jobs').select('run_at').where('kind', '=', JOB.kind).executeTakeFirstOrThrow()).run_at
}
