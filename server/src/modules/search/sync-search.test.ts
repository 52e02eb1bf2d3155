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

// It takes PostgreSQL some seconds to index eight thousand names, and a busy machine many more.
it('rebuilds a segment with more names than a new one can have, and finds each name in between', {
  timeout: 60_000,
}, async () => {
  const { db } = app.services
  const names = Array.from({ length: MAX_NAMES + 100 }, (_, index) => `Plan ${String(index).padStart(5, '0')}x.pdf`)
  await addNames(db, user, names)
  await indexNames(app.services)
  const [segment] = await listSegments()
  expect([segment?.size, await countPending()]).toEqual([MAX_NAMES, 100])
  // A segment of an earlier version has the other names, too.
  const others = await db.selectFrom('search_pending').select('item_id').where('owner_id', '=', user.id).execute()
  const firstPlace = (segment?.id ?? 0) * SEGMENT_SIZE + MAX_NAMES
  const members = others.map(({ item_id }, index) => ({ item_id, place: firstPlace + index }))
  await db.insertInto('search_members').values(members).execute()
  await db.deleteFrom('search_pending').where('owner_id', '=', user.id).execute()
  await db.updateTable('search_segments').set({ is_stale: 1 }).where('owner_id', '=', user.id).execute()
  for (let twice = 0; twice < 2; twice++) takeChangedOwners(db)

  await findNamesToIndex(app.services)
  await syncSearch(app.services)
  expect(await listSegments()).toEqual([{ id: expect.any(Number), size: MAX_NAMES, is_stale: 0 }])
  expect(await countPending()).toBe(100)
  for (const at of [0, MAX_NAMES - 1, MAX_NAMES, MAX_NAMES + 99]) {
    const found = await user.client.call(searchItems, { q: `${String(at).padStart(5, '0')}x` })
    expect(found.body.map(({ name }) => name)).toEqual([names[at]])
  }
})

it('rebuilds one stale segment in a round, and deletes the replaced ones after a minute even if nobody changes a name', async () => {
  const { db } = app.services
  for (const kind of ['one', 'two']) {
    await addNames(
      db,
      user,
      Array.from({ length: 1100 }, (_, index) => `${kind} ${index}`),
    )
    await indexNames(app.services)
  }
  await db.updateTable('search_segments').set({ is_stale: 1 }).where('owner_id', '=', user.id).execute()
  for (let twice = 0; twice < 2; twice++) takeChangedOwners(db)
  const countStale = async () => (await listSegments()).filter(({ is_stale }) => is_stale === 1).length
  const countSegments = async () =>
    (await db.selectFrom('search_segments').select('id').where('owner_id', '=', user.id).execute()).length

  await findNamesToIndex(app.services)
  expect(await countStale()).toBe(2)
  await syncSearch(app.services)
  expect(await countStale()).toBe(1)
  await syncSearch(app.services)
  expect([await countStale(), await countSegments()]).toEqual([0, 4])
  for (let twice = 0; twice < 2; twice++) takeChangedOwners(db)
  app.clock.advance(120_000)
  await expect
    .poll(async () => {
      await syncSearch(app.services)
      return countSegments()
    })
    .toBe(2)
})

const listSegments = () =>
  app.services.db
    .selectFrom('search_segments')
    .select(['id', 'size', 'is_stale'])
    .where('owner_id', '=', user.id)
    .where('state', '=', 'ready')
    .orderBy('id')
    .execute()
