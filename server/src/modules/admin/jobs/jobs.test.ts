import { randomUUID } from 'node:crypto'
import { discardJob, getJobs, retryFailedJobs, retryJob } from '@alcove/contract/admin-jobs'
import { listAuditLog } from '@alcove/contract/audit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/define-job.ts'
import { sweepFailedJobs } from '../../../platform/jobs/failed-jobs.ts'
import { startSchedule } from '../../../platform/jobs/schedule.ts'
import type { TestClient } from '../../../testing/clients/client.ts'
import { createTestApp, openTestServer, type TestApp } from '../../../testing/engines/test-app.ts'

const JOB = defineJob('a test', z.object({ secret: z.string() }), async () => {})

let app: TestApp
let admin: TestClient
/** What the job does; it fails as long as this throws. */
let work: () => Promise<void>
beforeEach(async () => {
  app = await createTestApp()
  admin = (await app.createUser({ isAdmin: true })).client
  work = async () => {
    throw new Error('The mail server is away.\nA second line')
  }
  app.services.jobs.handle(JOB, () => work())
})
afterEach(() => app.close())

const enqueue = () =>
  app.services.db.transaction().execute((tx) => app.services.jobs.enqueue(tx, JOB, { secret: 'very-secret' }))

async function read() {
  // The session would end.
  admin = (await app.createUser({ isAdmin: true })).client
  return (await admin.call(getJobs, {})).body
}

/** Lets a job fail until it is given up. */
async function giveUp(): Promise<string> {
  await enqueue()
  for (let attempt = 0; attempt < 12; attempt++) {
    await app.services.jobs.runDue()
    app.clock.advance(3_600_000)
  }
  return (await read()).jobs[0]?.id as string
}

it('shows a job that fails, with the first line of its error and without its content', async () => {
  await enqueue()
  await app.services.jobs.runDue()
  const shown = await read()
  expect(shown).toMatchObject({
    counts: { waiting: 0, running: 0, retrying: 1, failed: 0 },
    jobs: [{ kind: 'a test', state: 'retrying', attempts: 1, error: 'The mail server is away.' }],
  })
  expect(JSON.stringify(shown)).not.toContain('very-secret')
})

it('keeps a job that was given up, doesn’t run it any more, and forgets it after 30 days', async () => {
  const id = await giveUp()
  expect(await read()).toMatchObject({
    counts: { waiting: 0, running: 0, retrying: 0, failed: 1 },
    jobs: [{ id, state: 'failed', attempts: 12 }],
  })
  let runs = 0
  work = async () => {
    runs += 1
  }
  app.clock.advance(24 * 3_600_000)
  await app.services.jobs.runDue()
  expect(runs).toBe(0)
  await sweepFailedJobs(app.services)
  expect((await read()).counts.failed).toBe(1)
  app.clock.advance(30 * 24 * 3_600_000)
  await sweepFailedJobs(app.services)
  expect((await read()).counts.failed).toBe(0)
})

it('tries a failed job again, and notes who wanted it', async () => {
  const id = await giveUp()
  let runs = 0
  work = async () => {
    runs += 1
  }
  expect((await admin.call(retryJob, { id })).status).toBe(200)
  await app.services.jobs.runDue()
  expect(runs).toBe(1)
  expect((await read()).jobs).toEqual([])
  expect((await admin.call(retryJob, { id })).status).toBe(404)
  const { entries } = (await admin.call(listAuditLog, {})).body
  expect(entries).toMatchObject([{ action: 'job.retry', target: 'a test' }])
})

it('tries all failed jobs again, but leaves one alone that is running', async () => {
  await giveUp()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  work = () => {
    begin()
    return ended
  }
  await enqueue()
  const round = app.services.jobs.runDue()
  await begun
  const { counts, jobs } = await read()
  expect(counts).toEqual({ waiting: 0, running: 1, retrying: 0, failed: 1 })
  const running = jobs.find(({ state }) => state === 'running')?.id as string
  expect((await admin.call(retryJob, { id: running })).status).toBe(404)
  expect((await admin.call(discardJob, { id: running })).status).toBe(404)
  work = async () => {}
  expect((await admin.call(retryFailedJobs, {})).body.message).toBe('One job is tried again now.')
  end()
  await round
  await app.services.jobs.runDue()
  expect((await read()).jobs).toEqual([])
})

it('deletes a failed job', async () => {
  const id = await giveUp()
  expect((await admin.call(discardJob, { id: randomUUID() })).status).toBe(404)
  expect((await admin.call(discardJob, { id })).status).toBe(200)
  expect((await read()).jobs).toEqual([])
})

it('shows the last run of each scheduled job on each server, and its last error', async () => {
  const other = await openTestServer({ ...app.services.config, port: 5999 }, app.clock)
  let isBroken = true
  const run = async () => {
    if (isBroken) throw new Error('no route to host\nat somewhere')
  }
  const jobs = [{ name: 'sweep things', every: 3_600_000, work: run }]
  const stop = startSchedule(jobs, app.services.log, app.services.schedule)
  await stop()
  isBroken = false
  const stopOther = startSchedule(jobs, other.services.log, other.services.schedule)
  await stopOther()
  await other.services.schedule.save()
  const { schedule } = await read()
  expect(schedule.map(({ server }) => server.split(':').at(-1)).sort()).toEqual(['5100', '5999'])
  expect(schedule.find(({ server }) => server.endsWith(':5100'))).toMatchObject({
    name: 'sweep things',
    every: 3600,
    endedAt: expect.any(String),
    error: 'no route to host',
  })
  expect(schedule.find(({ server }) => server.endsWith(':5999'))).toMatchObject({ error: null, errorAt: null })
  // A server that is gone disappears after a day.
  app.clock.advance(25 * 3_600_000)
  expect((await read()).schedule.map(({ server }) => server.split(':').at(-1))).toEqual(['5100'])
  await other.stop()
})
