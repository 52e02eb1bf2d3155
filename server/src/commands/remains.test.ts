import { randomUUID } from 'node:crypto'
import { deleteAccount } from '@alcove/contract/accounts'
import { trashFile } from '@alcove/contract/files'
import { expect, it } from 'vitest'
import { BATCH_SIZE } from '../modules/accounts/deletion/delete-leftovers.ts'
import { accountMailJobs, queueMail } from '../modules/accounts/mails.ts'
import { readStatistics } from '../modules/admin/metrics-endpoint.ts'
import { changeTree } from '../modules/items/change-tree.ts'
import { changeQuota } from '../modules/items/quota.ts'
import { findNamesToIndex, syncSearch } from '../modules/search/sync-search.ts'
import { sweepTrash } from '../modules/trash/sweep-trash.ts'
import { sweepUploads } from '../modules/uploads/unfinished-uploads.ts'
import { handleJobs } from '../platform/jobs/define-job.ts'
import { JobQueue } from '../platform/jobs/job-queue.ts'
import { app, setUpDrive, user } from '../testing/factories/drive.ts'
import { addManyItems } from '../testing/factories/many-items.ts'
import { countRows } from '../testing/factories/stored-blob.ts'
import { checkCounters } from './verify.ts'

setUpDrive()

it('ignores the remaining data of a deleted account in sweeps, statistics, checks and mails', async () => {
  const { services, clock } = app
  const { db } = services
  const before = await readStatistics(db)
  await addManyItems(services, {
    ownerId: user.id,
    names: Array.from({ length: 4 * BATCH_SIZE }, (_, index) => `${index}.txt`),
  })
  const trashed = await user.client.upload('trashed.txt', 'trashed')
  await user.client.call(trashFile, { id: trashed.id })
  const half = { uploadId: randomUUID(), filename: 'half.bin', chunkIndex: 0, totalChunks: 2, totalSize: 9 }
  await user.client.sendChunk(half, 'half')
  await services.jobs.runDue()
  const mailed = await app.readMails()
  // Stops the jobs that would delete the rest of the account.
  await services.jobs.stop()
  expect((await user.client.call(deleteAccount, {})).status).toBe(200)
  await db.transaction().execute((tx) => queueMail(services, tx, 'password changed mail', user.id, {}))

  // Calls that were in progress can't change its data anymore.
  await expect(changeTree({ ...services, user }, async () => {})).rejects.toThrow('not found')
  await expect(db.transaction().execute((tx) => changeQuota(tx, user.id, { used: 1 }))).rejects.toThrow()
  expect(await readStatistics(db)).toMatchObject({ users: before.users - 1, storedBytes: before.storedBytes })
  expect(await checkCounters(db, () => {})).toBe(0)
  clock.advance(40 * 24 * 3_600_000)
  await sweepTrash(services)
  await sweepUploads(services)
  await findNamesToIndex(services)
  await syncSearch(services)
  await syncSearch(services)
  const remains = await countRows(db, user.id)
  expect(remains.items).toBe(4 * BATCH_SIZE + 3)
  expect(remains).not.toHaveProperty('search_segments')
  const jobs = new JobQueue(db, clock, services.log)
  handleJobs({ ...services, jobs }, accountMailJobs)
  await jobs.runDue()
  expect(await app.readMails()).toEqual(mailed)
})
