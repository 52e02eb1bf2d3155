import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tx } from '../../platform/db/database.ts'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { linesOf } from '../backups/save-everything.ts'
import { dumpTables, NAMED_BLOBS } from '../backups/table-files.ts'
import { compareRows } from './move-in.ts'

setUpDrive()

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alcove-rows-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Saves the tables, changes them, and compares them with what was saved. Returns the error message, and rolls back. */
async function compareAfter(change: (tx: Tx) => Promise<unknown>): Promise<string | undefined> {
  const { tables } = await dumpTables({ ...app.services, tell: () => {} }, folder)
  const files = tables.map(({ name }) => ({ name, path: linesOf(folder, name === 'blobs' ? NAMED_BLOBS : name) }))
  const rollback = new Error('rollback')
  return app.services.db
    .transaction()
    .execute(async (tx) => {
      await change(tx)
      await compareRows(tx, files)
      throw rollback
    })
    .catch((error: Error) => (error === rollback ? undefined : error.message))
}

it('accepts the same rows in another order, and ignores columns that are not moved', async () => {
  for (const name of ['a', 'b', 'c']) await user.client.upload(`${name}.txt`, name)
  const same = await compareAfter(async (tx) => {
    const [item] = await tx.selectFrom('items').selectAll().where('kind', '=', 'file').execute()
    const { media: _, ...row } = item as NonNullable<typeof item>
    await tx.deleteFrom('items').where('id', '=', row.id).execute()
    await tx.insertInto('items').values(row).execute()
    await tx.updateTable('users').set({ reserved_bytes: 7 }).execute()
  })
  expect(same).toBeUndefined()
})

it('detects a row that was changed', async () => {
  const { id } = await makeFolder('Photos')
  const message = 'The rows of the table items differ at the target. Nothing was committed.'
  expect(
    await compareAfter((tx) => tx.updateTable('items').set({ updated_at: 1 }).where('id', '=', id).execute()),
  ).toBe(message)
})

it('detects a row that is missing', async () => {
  const { id } = await makeFolder('Photos')
  expect(await compareAfter((tx) => tx.deleteFrom('items').where('id', '=', id).execute())).toMatch(/the table items/)
})
