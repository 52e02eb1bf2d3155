import { searchItems } from '@alcove/contract/search'
import { expect, it } from 'vitest'
import { app, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addNames, indexNames } from '../../testing/factories/many-items.ts'
import { takeChangedOwners } from './changed-owners.ts'
import { findNamesToIndex } from './sync-search.ts'

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
