import { expect, it } from 'vitest'
import { app, setUpDrive, user } from '../../testing/drive.ts'
import { addNames, indexNames } from '../../testing/many-names.ts'
import { takeChangedOwners } from './changed-owners.ts'
import { findNamesToIndex } from './sync-search.ts'

setUpDrive()

const countPending = async () =>
  (await app.services.db.selectFrom('search_pending').select('owner_id').where('owner_id', '=', user.id).execute())
    .length

it('names that no server knows of, as after a restart, are found and indexed', async () => {
  await addNames(
    app.services.db,
    user,
    Array.from({ length: 1100 }, (_, index) => `name ${index}`),
  )
  // What the server that they came to has remembered is gone.
  for (let twice = 0; twice < 2; twice++) takeChangedOwners(app.services.db)
  await indexNames(app.services)
  expect(await countPending()).toBe(1100)
  await findNamesToIndex(app.services)
  await indexNames(app.services)
  expect(await countPending()).toBe(0)
})
