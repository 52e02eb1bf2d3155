import { randomUUID } from 'node:crypto'
import { listFiles } from '@alcove/contract/files'
import { deleteFile, deleteFolder, listTrash, restoreFile, restoreFolder } from '@alcove/contract/trash'
import { describe, expect, it } from 'vitest'
import {
  app,
  makeFolder,
  namesOf,
  setUpDrive,
  trash,
  trashNames,
  uploadTrashed,
  user,
} from '../../testing/factories/drive.ts'

const DAY = 86_400_000

// Sessions must outlive the months that pass in these tests.
setUpDrive({ sessionTtl: 365 * DAY, sessionMaxAge: 365 * DAY })

describe('listing the trash', () => {
  it('returns an empty trash for a new user', async () => {
    expect(await user.client.call(listTrash, {})).toMatchObject({ status: 200, body: { files: [], folders: [] } })
  })

  it('lists trashed items, newest first, with their original path and days left', async () => {
    const photos = await makeFolder('Photos')
    const year = await makeFolder('2024', photos.id)
    const file = await user.client.upload('a.jpg', 'abc', { folderId: year.id })
    const inside = await makeFolder('inside', year.id)
    const root = await uploadTrashed('b.jpg')
    app.clock.advance(1000)
    const deletedAt = new Date(app.clock.now()).toISOString()
    await trash(file.id, 'file')
    await trash(year.id, 'folder')
    app.clock.advance(DAY)
    const { files, folders } = (await user.client.call(listTrash, {})).body
    expect(files).toEqual([
      { ...file, deleted_at: deletedAt, originalPath: '/Photos/2024', daysLeft: 29 },
      { ...root, deleted_at: expect.any(String), originalPath: '/', daysLeft: 29 },
    ])
    expect(folders).toEqual([
      { ...year, deleted_at: deletedAt, originalPath: '/Photos', daysLeft: 29, isEncrypted: false },
    ])
    expect(namesOf(folders)).not.toContain(inside.name)
  })

  it('rounds up the number of days left in the trash', async () => {
    await uploadTrashed('a')
    const daysLeft = async () => (await user.client.call(listTrash, {})).body.files[0]?.daysLeft
    expect(await daysLeft()).toBe(30)
    app.clock.advance(1)
    expect(await daysLeft()).toBe(30)
    app.clock.advance(29 * DAY)
    expect(await daysLeft()).toBe(1)
    app.clock.advance(5 * DAY)
    expect(await daysLeft()).toBe(0)
  })

  it('includes vault items and marks them as encrypted', async () => {
    const folder = await makeFolder('secret', undefined, true)
    const file = await user.client.upload('s.txt', 'x', { folderId: folder.id, isEncrypted: true })
    await trash(file.id, 'file')
    await trash(folder.id, 'folder')
    const { files, folders } = (await user.client.call(listTrash, {})).body
    expect(files).toMatchObject([{ id: file.id, isEncrypted: true, originalPath: '/secret' }])
    expect(folders).toMatchObject([{ id: folder.id, isEncrypted: true, originalPath: '/' }])
    expect((await user.client.call(restoreFile, { id: file.id })).body).toMatchObject({
      folder_id: null,
      isEncrypted: true,
    })
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
  })
})

describe('restoring and deleting by a wrong id', () => {
  it("rejects other users', unknown and malformed ids and changes nothing", async () => {
    const file = await uploadTrashed('a')
    const folder = await makeFolder('f')
    await trash(folder.id, 'folder')
    const stranger = (await app.createUser()).client
    const { drive_root_id } = await app.services.db
      .selectFrom('users')
      .select('drive_root_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    for (const call of [restoreFile, deleteFile]) {
      expect((await stranger.call(call, { id: file.id })).status).toBe(404)
      for (const id of [folder.id, randomUUID()]) expect((await user.client.call(call, { id })).status).toBe(404)
      expect((await user.client.raw(call, { id: 'x' })).status).toBe(400)
    }
    for (const call of [restoreFolder, deleteFolder]) {
      expect((await stranger.call(call, { id: folder.id })).status).toBe(404)
      for (const id of [file.id, drive_root_id]) expect((await user.client.call(call, { id })).status).toBe(404)
      expect((await user.client.raw(call, { id: '%00' })).status).toBe(400)
    }
    expect(await trashNames()).toEqual({ files: ['a'], folders: ['f'] })
  })
})
