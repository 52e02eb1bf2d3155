import { rename } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'

/** In milliseconds. The health check reuses its result for one second. */
const WITHIN = { timeout: 10_000, interval: 1100 }

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

const readHealth = () => app.visitor.request({ method: 'GET', url: '/api/health' })

it('returns 503 while the data directory is not writable, and 200 before and afterwards', async () => {
  expect(await readHealth()).toMatchObject({ status: 200, body: { status: 'ok' } })
  await rename(app.dataDir, `${app.dataDir}-away`)
  const closed = { status: 503, body: { code: 'unavailable', error: expect.stringMatching(/is not writable/) } }
  await vi.waitFor(async () => expect(await readHealth()).toMatchObject(closed), WITHIN)
  await rename(`${app.dataDir}-away`, app.dataDir)
  await vi.waitFor(async () => expect((await readHealth()).status).toBe(200), WITHIN)
})

it.skipIf(process.env.ALCOVE_TEST_DATABASE !== 'postgres')('returns 503 if the database is unreachable', async () => {
  await app.services.db.destroy()
  const away = {
    status: 503,
    body: { code: 'unavailable', error: expect.stringMatching(/^The database is not responding/) },
  }
  expect(await readHealth()).toMatchObject(away)
})
