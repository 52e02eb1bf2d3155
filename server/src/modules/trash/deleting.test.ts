import { fetchFile } from '@alcove/contract/bytes'
import { getFolder, listRootFolders, trashFile } from '@alcove/contract/files'
import { deleteFile, deleteFolder, emptyTrash, listTrash, restoreFile, restoreFolder } from '@alcove/contract/trash'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../testing/engines/test-app.ts'
import {
  app,
  makeFolder,
  namesOf,
  setUpDrive,
  trash,
  trashNames,
  uploadTrashed,
  usedBytes,
  user,
} from '../../testing/factories/drive.ts'
import { removeQueuedBlobs } from '../storage/remove-blobs.ts'
import { sweepTrash } from './sweep-trash.ts'

const DAY = 86_400_000

// Sessions must outlive the months that pass in these tests.
setUpDrive({ sessionTtl: 365 * DAY, sessionMaxAge: 365 * DAY })

/** Returns all items of a user except the roots, including trashed ones. */
async function rowsOf(userId: string) {
  return app.services.db
    .selectFrom('items')
    .select(['id', 'blob_key'])
    .where('owner_id', '=', userId)
    .where('parent_id', 'is not', null)
    .execute()
}

describe('permanently deleting items', () => {
  it('deletes a trashed file with its bytes and releases its space', async () => {
    const file = await user.client.upload('a', 'abcde')
    const [row] = await rowsOf(user.id)
    const refused = await user.client.call(deleteFile, { id: file.id })
    expect(refused).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    await trash(file.id, 'file')
    expect(await usedBytes()).toBe(5)
    expect(await user.client.call(deleteFile, { id: file.id })).toMatchObject({
      status: 200,
      body: { message: 'File permanently deleted.' },
    })
    expect(await usedBytes()).toBe(0)
    expect(await rowsOf(user.id)).toEqual([])
    await removeQueuedBlobs(app.services)
    const stored = await app.services.db
      .selectFrom('blobs')
      .select('key')
      .where('key', '=', row?.blob_key ?? '')
      .execute()
    expect(stored).toEqual([])
    expect((await user.client.call(deleteFile, { id: file.id })).status).toBe(404)
    expect((await user.client.call(restoreFile, { id: file.id })).status).toBe(404)
  })

  it('deletes a folder with its contents and keeps items that were trashed before it', async () => {
    const a = await makeFolder('a')
    const b = await makeFolder('b', a.id)
    const c = await makeFolder('c', b.id)
    for (const name of ['1', '2', '3']) await user.client.upload(name, 'abcd', { folderId: c.id })
    const kept = await user.client.upload('kept', 'xy', { folderId: c.id })
    await trash(kept.id, 'file')
    const keptFolder = await makeFolder('kept folder', b.id)
    const keptInside = await user.client.upload('inside', 'z', { folderId: keptFolder.id })
    await trash(keptFolder.id, 'folder')
    await trash(b.id, 'folder')
    app.clock.advance(1)
    await trash(a.id, 'folder')
    expect((await user.client.call(deleteFolder, { id: c.id })).status).toBe(409)
    expect((await user.client.call(deleteFolder, { id: b.id })).status).toBe(200)
    expect(await trashNames()).toEqual({ files: ['kept'], folders: ['a', 'kept folder'] })
    expect(await usedBytes()).toBe(3)
    const { files, folders } = (await user.client.call(listTrash, {})).body
    expect([...files, ...folders].map(({ originalPath }) => originalPath)).toEqual(['/', '/', '/'])
    await removeQueuedBlobs(app.services)
    await user.client.call(restoreFile, { id: kept.id })
    await user.client.call(restoreFolder, { id: keptFolder.id })
    expect((await user.client.raw(fetchFile, { filename: 'kept' })).bytes.toString()).toBe('xy')
    const inside = { filename: 'inside', folderId: keptFolder.id }
    expect((await user.client.raw(fetchFile, inside)).bytes.toString()).toBe('z')
    expect((await user.client.call(getFolder, { id: keptFolder.id })).body.files[0]?.id).toBe(keptInside.id)
  })

  it("empties the user's trash and deletes nothing else", async () => {
    const folder = await makeFolder('f')
    await user.client.upload('in folder', 'x', { folderId: folder.id })
    await uploadTrashed('trashed before', 'x', { folderId: folder.id })
    await trash(folder.id, 'folder')
    await uploadTrashed('of the vault', 'x', { isEncrypted: true })
    await user.client.upload('stays', 'xyz')
    const other = await app.createUser()
    const theirs = await other.client.upload('theirs', 'x')
    await other.client.call(trashFile, { id: theirs.id })
    expect((await user.client.call(emptyTrash, {})).status).toBe(200)
    expect(await trashNames()).toEqual({ files: [], folders: [] })
    expect(await rowsOf(user.id)).toHaveLength(1)
    expect(await usedBytes()).toBe(3)
    expect(namesOf((await other.client.call(listTrash, {})).body.files)).toEqual(['theirs'])
    // Emptying an empty trash isn't an error.
    expect((await user.client.call(emptyTrash, {})).status).toBe(200)
  })

  it('keeps what came to the trash after the given time', async () => {
    await uploadTrashed('asked about', 'x')
    const [{ deleted_at: trashedUntil } = { deleted_at: '' }] = (await user.client.call(listTrash, {})).body.files
    app.clock.advance(1)
    await uploadTrashed('later', 'y')
    expect((await user.client.call(emptyTrash, { trashedUntil })).status).toBe(200)
    expect(await trashNames()).toEqual({ files: ['later'], folders: [] })
    expect((await user.client.raw(emptyTrash, { trashedUntil: 'now' } as never)).status).toBe(400)
  })

  it('keeps the bytes of a visible file with the same name', async () => {
    await uploadTrashed('a', 'gone')
    await user.client.upload('a', 'stays')
    await user.client.call(emptyTrash, {})
    await app.services.jobs.runDue()
    expect((await user.client.raw(fetchFile, { filename: 'a' })).bytes.toString()).toBe('stays')
  })

  it('completes only one of a concurrent restore and deletion of a folder', async () => {
    for (let round = 0; round < 8; round++) {
      const folder = await makeFolder(`f${round}`)
      const file = await user.client.upload('a', 'abc', { folderId: folder.id })
      await trash(folder.id, 'folder')
      const calls = [
        () => user.client.call(deleteFolder, { id: folder.id }),
        () => user.client.call(restoreFolder, { id: folder.id }),
      ]
      const [first, second] = await Promise.all((round % 2 ? calls : calls.toReversed()).map((call) => call()))
      const statuses = [first?.status, second?.status].sort()
      await removeQueuedBlobs(app.services)
      const found = await user.client.call(getFolder, { id: folder.id })
      // After a deletion there is nothing to restore. After a restore the folder must not be deleted.
      expect(statuses).toEqual(found.status === 200 ? [200, 409] : [200, 404])
      if (found.status === 200) {
        expect(found.body.files[0]?.id).toBe(file.id)
        const response = await user.client.raw(fetchFile, { filename: 'a', folderId: folder.id })
        expect(response.bytes.toString()).toBe('abc')
      }
    }
    const folders = (await user.client.call(listRootFolders, {})).body
    expect(await usedBytes()).toBe(3 * folders.length)
  })

  it('releases the space of a file once when it is deleted several times at once', async () => {
    await user.client.upload('stays', 'xyz')
    const file = await uploadTrashed('a', 'abcde')
    const responses = await Promise.all([
      user.client.call(deleteFile, { id: file.id }),
      user.client.call(deleteFile, { id: file.id }),
      user.client.call(emptyTrash, {}),
      user.client.call(emptyTrash, {}),
    ])
    for (const { status } of responses) expect([200, 404]).toContain(status)
    expect(await usedBytes()).toBe(3)
  })
})

describe('the trash sweep', () => {
  it('permanently deletes the items of all users after the retention period', async () => {
    const other = await app.createUser()
    const theirs = await other.client.upload('theirs', 'x')
    await other.client.call(trashFile, { id: theirs.id })
    const folder = await makeFolder('old')
    await user.client.upload('inside', 'abc', { folderId: folder.id })
    await trash(folder.id, 'folder')
    app.clock.advance(DAY)
    await uploadTrashed('newer', 'xy')
    app.clock.advance(29 * DAY - 1)
    await sweepTrash(app.services)
    expect(await trashNames()).toEqual({ files: ['newer'], folders: ['old'] })
    app.clock.advance(1)
    await sweepTrash(app.services)
    await sweepTrash(app.services)
    expect(await trashNames()).toEqual({ files: ['newer'], folders: [] })
    expect(await usedBytes()).toBe(2)
    expect(await rowsOf(other.id)).toEqual([])
  })

  it('sweeps the trash after the configured retention period', async () => {
    const short = await createTestApp({ trashRetention: 1000 })
    const { client } = await short.createUser()
    const file = await client.upload('a', 'x')
    await client.call(trashFile, { id: file.id })
    short.clock.advance(1001)
    await sweepTrash(short.services)
    expect((await client.call(listTrash, {})).body.files).toEqual([])
    await short.close()
  })
})
