import { copyItems, trashItems } from '@alcove/contract/item-calls'
import { deleteItems } from '@alcove/contract/trash'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { blobOf } from '../../testing/factories/stored-blob.ts'
import { pauseRemovals, queueBlobRemoval, removeQueuedBlobs } from './remove-blobs.ts'

setUpDrive()

beforeEach(() => {
  // The tests say when jobs run.
  vi.spyOn(app.services.jobs, 'wake').mockImplementation(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.services.jobs.runDue()
})

const deleteForever = async (...itemIds: string[]) =>
  expect((await user.client.call(deleteItems, { itemIds })).status).toBe(200)

/** Uploads a file and copies it. Both are in the trash, and so is another file. */
async function makeTrashedCopies() {
  const { id } = await user.client.upload('a', 'bytes')
  const other = await user.client.upload('other', 'other bytes')
  const folder = await makeFolder('Folder')
  const copied = await user.client.call(copyItems, { itemIds: [id], targetFolderId: folder.id })
  const [copyId] = copied.body.itemIds as [string]
  const { key } = await blobOf(id)
  expect(await blobOf(copyId)).toMatchObject({ key })
  expect((await user.client.call(trashItems, { itemIds: [id, copyId, other.id] })).status).toBe(200)
  return { id, copyId, otherId: other.id, key }
}

/** Runs `work` once, just before the next bytes are removed. */
function beforeBytesAreRemoved(work: () => Promise<unknown>): void {
  const { blobs } = app.services
  const remove = blobs.remove.bind(blobs)
  vi.spyOn(blobs, 'remove').mockImplementationOnce(async (key) => {
    await work()
    return remove(key)
  })
}

const readQueue = async () => {
  const rows = await app.services.db.selectFrom('blob_removals').select('blob_key').execute()
  return rows.map(({ blob_key }) => blob_key)
}

it('queues a blob once when two files that share it are deleted together', async () => {
  const { id, copyId, key } = await makeTrashedCopies()
  await deleteForever(id, copyId)
  expect(await readQueue()).toEqual([key])
  await removeQueuedBlobs(app.services)
  expect(await app.services.blobs.sizeOf(key)).toBeUndefined()
})

it('removes a blob whose last reference goes while the bytes of others are being removed', async () => {
  const { id, copyId, otherId, key } = await makeTrashedCopies()
  beforeBytesAreRemoved(() => deleteForever(copyId))
  await deleteForever(id, otherId)
  await removeQueuedBlobs(app.services)
  expect(await readQueue()).toEqual([key])
  await app.services.jobs.runDue()
  expect(await readQueue()).toEqual([])
  expect(await app.services.db.selectFrom('blobs').select('key').where('key', '=', key).execute()).toEqual([])
  expect(await app.services.blobs.sizeOf(key)).toBeUndefined()
})

it('keeps the entry of a blob whose last reference goes in a transaction that has not ended', async () => {
  const { id, copyId, otherId, key } = await makeTrashedCopies()
  const { db, blobs } = app.services
  const [deleted, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let deletion = Promise.resolve()
  beforeBytesAreRemoved(async () => {
    deletion = db.transaction().execute(async (tx) => {
      await tx.deleteFrom('items').where('id', '=', copyId).execute()
      await queueBlobRemoval(app.services, tx, [key], app.clock.now())
      deleted.resolve()
      // On SQLite, the removal can't go on before this transaction ends.
      if (process.env.ALCOVE_TEST_DATABASE === 'postgres') await removed.promise
    })
    await deleted.promise
  })
  await deleteForever(id, otherId)
  await removeQueuedBlobs(app.services)
  expect(await readQueue()).toEqual([key])
  removed.resolve()
  await deletion
  await app.services.jobs.runDue()
  expect(await readQueue()).toEqual([])
  expect(await blobs.sizeOf(key)).toBeUndefined()
})

it('keeps the entry that another server adds while this one still works on an earlier one', async () => {
  const { id, copyId, otherId, key } = await makeTrashedCopies()
  beforeBytesAreRemoved(async () => {
    // The other server finds the blob in use. Its clock shows the same moment when the copy is deleted.
    await app.services.db.deleteFrom('blob_removals').where('blob_key', '=', key).execute()
    await deleteForever(copyId)
  })
  await deleteForever(id, otherId)
  await removeQueuedBlobs(app.services)
  expect(await readQueue()).toEqual([key])
})

it('keeps a blob whose last reference goes in a pause that began after the queue was read', async () => {
  const { id, copyId, key } = await makeTrashedCopies()
  await deleteForever(id)
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let pause = Promise.resolve()
  const db = afterReadingQueue(async () => {
    pause = pauseRemovals(app.services, () => {
      begun.resolve()
      return over.promise
    })
    await begun.promise
    await deleteForever(copyId)
  })
  await removeQueuedBlobs({ ...app.services, db })
  expect(await app.services.blobs.sizeOf(key)).toBe(5)
  expect(await readQueue()).toEqual([key])
  over.resolve()
  await pause
  await app.services.jobs.runDue()
  expect(await app.services.blobs.sizeOf(key)).toBeUndefined()
})

/** Returns the database, which runs `work` once, just after the queue has been read. */
function afterReadingQueue(work: () => Promise<unknown>): Database {
  let isRead = false
  return app.services.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isRead && result.rows.some((row) => 'blob_key' in row)) {
        isRead = true
        await work()
      }
      return result
    },
  })
}

it('forgets a blob that is still in use', async () => {
  const { id, copyId, otherId, key } = await makeTrashedCopies()
  await deleteForever(id, otherId)
  await removeQueuedBlobs(app.services)
  expect(await readQueue()).toEqual([])
  expect(await app.services.blobs.sizeOf(key)).toBe(5)
  await deleteForever(copyId)
})
