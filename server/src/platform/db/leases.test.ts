import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { endExpiredLeases, findLeases, type Lease, withLease } from './leases.ts'

const MINUTE = 60_000

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

const listLeases = () => findLeases(app.services.db, '').execute()

/** Takes a lease and holds it until `release` is called. */
async function hold(name: string, renewEvery?: number): Promise<{ lease: Lease; release: () => Promise<void> }> {
  const { promise: taken, resolve: take } = Promise.withResolvers<Lease>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const work = withLease(
    app.services,
    name,
    async (lease) => {
      take(lease)
      await ended
    },
    { renewEvery },
  )
  const release = async () => {
    end()
    await work
  }
  return { lease: await taken, release }
}

it('gives a lease to one holder at a time and releases it when its work ends or fails', async () => {
  const first = await hold('a')
  expect(await withLease(app.services, 'a', async () => 'done')).toBeUndefined()
  expect(await withLease(app.services, 'b', async () => 'done')).toBe('done')
  await first.release()
  await expect(withLease(app.services, 'a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withLease(app.services, 'a', async () => 'done')).toBe('done')
  expect(await listLeases()).toEqual([])
})

it('gives the lease to one of several concurrent callers', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let [holders, refused] = [0, 0]
  const asking = Array.from({ length: 5 }, async () => {
    const done = await withLease(app.services, 'a', async () => {
      holders += 1
      await ended
      return 'done'
    })
    if (done === undefined) refused += 1
  })
  await expect.poll(() => refused).toBe(4)
  end()
  await Promise.all(asking)
  expect(holders).toBe(1)
})

it('gives an expired lease to the next caller and tells its former holder that it is lost', async () => {
  const first = await hold('a', 20)
  const other = { name: 'a', holder: 'other', expires_at: app.clock.now() + 5 * MINUTE }
  await app.services.db.updateTable('leases').set(other).execute()
  await expect.poll(() => first.lease.lost.aborted).toBe(true)
  expect(await first.lease.held.execute()).toEqual([])
  await first.release()
  expect(await listLeases()).toHaveLength(1)
  app.clock.advance(5 * MINUTE)
  expect(await withLease(app.services, 'a', async ({ held }) => held.execute())).toHaveLength(1)
})

it('renews a lease while its work lasts', async () => {
  const { lease, release } = await hold('a', 20)
  app.clock.advance(4 * MINUTE)
  const end = app.clock.now() + 5 * MINUTE
  await expect
    .poll(() => app.services.db.selectFrom('leases').select('expires_at').execute())
    .toEqual([{ expires_at: end }])
  expect(lease.lost.aborted).toBe(false)
  await release()
})

it('ends expired leases whose name starts with a prefix', async () => {
  const first = await hold('removals 1')
  await endExpiredLeases(app.services, 'removals ')
  expect(await listLeases()).toHaveLength(1)
  app.clock.advance(5 * MINUTE)
  await endExpiredLeases(app.services, 'other ')
  expect(await listLeases()).toHaveLength(1)
  await endExpiredLeases(app.services, 'removals ')
  expect(await listLeases()).toEqual([])
  await first.release()
})
