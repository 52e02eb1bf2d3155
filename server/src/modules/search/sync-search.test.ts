import { searchItems } from '@alcove/contract/search'
import { expect, it } from 'vitest'
import { app, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addNames, indexNames } from '../../testing/factories/many-items.ts'
import { takeChangedOwners } from './changed-owners.ts'
import { MAX_NAMES, SEGMENT_SIZE } from './postings.ts'
import { findNamesToIndex, syncSearch } from './sync-search.ts'

setUpDrive()

const countPending = async () =>
  (await app.services.db.selectFrom('search_pending').select('owner_id').where('owner_id', '=', user.id).execute())
    .length

it('finds and indexes pending names that no server remembers, as after a restart', async () => {
  await addNames(
    app.services.db,
    user,
    Array.from({ length: 1100 }, (_, index) => `name ${index}`),
  )
  // Makes the server forget that these names are pending.
  for (let twice = 0; twice < 2; twice++) takeChangedOwners(app.services.db)
  await indexNames(app.services)
  expect(await countPending()).toBe(1100)
  await findNamesToIndex(app.services)
  await indexNames(app.services)
  expect(await countPending()).toBe(0)
})

/** Counts the positions in the user's segments without a stored name. */
async function countNameless(): Promise<number> {
  const rows = await app.services.db
    .selectFrom('search_members')
    .innerJoin('items', 'items.id', 'search_members.item_id')
    .select('place')
    .where('owner_id', '=', user.id)
    .where('folded', 'is', null)
    .execute()
  return rows.length
}

it('searches segments without stored names, and rebuilds them with names', async () => {
  const { db } = app.services
  const namesFor = async (q: string) => (await user.client.call(searchItems, { q })).body.map(({ name }) => name)
  const names = Array.from({ length: 3000 }, (_, index) => `Scan 99${String(index).padStart(4, '0')}9.pdf`)
  await addNames(db, user, names)
  await indexNames(app.services)
  expect([await countPending(), await countNameless()]).toEqual([0, 0])
  expect(await namesFor('9912349')).toEqual(['Scan 9912349.pdf'])

  const ofUser = db.selectFrom('items').select('id').where('owner_id', '=', user.id)
  await db.updateTable('search_members').set({ folded: null }).where('item_id', 'in', ofUser).execute()
  await db.updateTable('search_segments').set({ is_stale: 1 }).where('owner_id', '=', user.id).execute()
  expect(await namesFor('9912349')).toEqual(['Scan 9912349.pdf'])
  expect(await namesFor('999999')).toEqual([])

  await addNames(db, user, ['another'])
  await indexNames(app.services)
  await db.deleteFrom('search_segments').where('state', '=', 'retired').where('owner_id', '=', user.id).execute()
  expect(await countNameless()).toBe(0)
  expect(await namesFor('9912349')).toEqual(['Scan 9912349.pdf'])
})

it('rebuilds segments that are too large, after a restart, one in a round, and finds each name in between', async () => {
  const { db } = app.services
  const names = Array.from({ length: 2 * MAX_NAMES }, (_, index) => `Plan ${String(index).padStart(5, '0')}x.pdf`)
  await addNames(db, user, names)
  await indexNames(app.services)
  const [first, second] = await listSegments()
  expect([first?.size, second?.size, await countPending()]).toEqual([MAX_NAMES, MAX_NAMES, 0])
  // A segment of an earlier version, with 8192 names: those of the first one and some of the second one.
  const moved = await db
    .selectFrom('search_members')
    .select(['item_id', 'folded'])
    .where('place', '>=', (second?.id ?? 0) * SEGMENT_SIZE)
    .orderBy('place')
    .limit(SEGMENT_SIZE - MAX_NAMES)
    .execute()
  const added = moved.map((member, index) => ({
    ...member,
    place: (first?.id ?? 0) * SEGMENT_SIZE + MAX_NAMES + index,
  }))
  await db.insertInto('search_members').values(added).execute()
  await db.updateTable('search_segments').set({ is_stale: 1 }).where('owner_id', '=', user.id).execute()
  for (let twice = 0; twice < 2; twice++) takeChangedOwners(db)

  const search = async (q: string) => (await user.client.call(searchItems, { q })).body.map(({ name }) => name)
  const expectAll = async () => {
    for (const at of [0, MAX_NAMES - 1, MAX_NAMES, 2 * MAX_NAMES - 1]) {
      expect(await search(`${String(at).padStart(5, '0')}x`)).toEqual([names[at]])
    }
  }
  await findNamesToIndex(app.services)
  await syncSearch(app.services)
  expect((await listSegments()).map(({ size, is_stale }) => ({ size, is_stale }))).toEqual([
    { size: MAX_NAMES, is_stale: 1 },
    { size: MAX_NAMES, is_stale: 0 },
  ])
  expect(await countPending()).toBe(SEGMENT_SIZE - MAX_NAMES)
  await expectAll()
  await syncSearch(app.services)
  expect((await listSegments()).every(({ is_stale }) => is_stale === 0)).toBe(true)
  await expectAll()
})

it('deletes replaced segments after a minute, some in a round, although nobody changes a name', async () => {
  const { db } = app.services
  await addNames(
    db,
    user,
    Array.from({ length: 1100 }, (_, index) => `name ${index}`),
  )
  await indexNames(app.services)
  await db.updateTable('search_segments').set({ is_stale: 1 }).where('owner_id', '=', user.id).execute()
  await findNamesToIndex(app.services)
  await indexNames(app.services)
  const countRetired = async () =>
    (
      await db
        .selectFrom('search_segments')
        .select('id')
        .where('owner_id', '=', user.id)
        .where('state', '=', 'retired')
        .execute()
    ).length
  expect(await countRetired()).toBe(1)
  for (let twice = 0; twice < 2; twice++) takeChangedOwners(db)
  app.clock.advance(120_000)
  await expect
    .poll(async () => {
      await syncSearch(app.services)
      return countRetired()
    })
    .toBe(0)
})

const listSegments = () =>
  app.services.db
    .selectFrom('search_segments')
    .select(['id', 'size', 'is_stale'])
    .where('owner_id', '=', user.id)
    .where('state', '=', 'ready')
    .orderBy('id')
    .execute()
