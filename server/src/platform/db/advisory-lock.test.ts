import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { withAdvisoryLock } from './advisory-lock.ts'
import { openDatabase } from './database.ts'

const isPostgres = process.env.ALCOVE_TEST_DATABASE === 'postgres'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

it('runs the work each time and passes on its errors', async () => {
  let times = 0
  for (let time = 0; time < 3; time++) await withAdvisoryLock(app.services, 'count', async () => times++)
  expect(times).toBe(3)
  await expect(withAdvisoryLock(app.services, 'count', () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
  await withAdvisoryLock(app.services, 'count', async () => times++)
  expect(times).toBe(4)
})

it.runIf(isPostgres)('runs the work on one of several servers, and other work meanwhile', async () => {
  const { config } = app.services
  const another = { db: openDatabase(config), config }
  const done: string[] = []
  let end = () => {}
  const mine = withAdvisoryLock(app.services, 'count', async () => {
    done.push('mine')
    await new Promise<void>((resolve) => {
      end = resolve
    })
  })
  await expect.poll(() => done).toEqual(['mine'])
  await withAdvisoryLock(another, 'count', async () => done.push('theirs'))
  await withAdvisoryLock(another, 'other', async () => done.push('other'))
  expect(done).toEqual(['mine', 'other'])
  end()
  await mine
  await withAdvisoryLock(another, 'count', async () => done.push('theirs'))
  expect(done).toEqual(['mine', 'other', 'theirs'])
  await another.db.destroy()
})

it.runIf(isPostgres)('releases the lock when its server dies', async () => {
  const { config, db } = app.services
  const dying = { db: openDatabase(config), config }
  const dies = withAdvisoryLock(dying, 'count', async () => {
    await sql`
      select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
    `.execute(db)
    await wait(50)
  })
  await expect(dies).rejects.toThrow()
  let times = 0
  await withAdvisoryLock(app.services, 'count', async () => times++)
  expect(times).toBe(1)
  await dying.db.destroy()
})
