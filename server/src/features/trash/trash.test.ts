import { randomUUID } from 'node:crypto'
import { addFavorite } from '@alcove/contract/favorites'
import {
  createFolder,
  fetchFile,
  getFolder,
  getStorage,
  listFiles,
  listRootFolders,
  moveFolder,
  trashFile,
  trashFolder,
} from '@alcove/contract/files'
import { deleteFile, deleteFolder, emptyTrash, listTrash, restoreFile, restoreFolder } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestUser } from '../../testing/factories.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { removeQueuedBlobs } from '../../tree/remove-blobs.ts'
import { sweepTrash } from './sweep-trash.ts'

const DAY = 86_400_000

let app: TestApp
let user: TestUser

beforeAll(async () => {
  // Sessions outlive the months that pass here.
  app = await createTestApp({ sessionTtl: 365 * DAY })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

async function makeFolder(folderName: string, parentFolderId?: string, isEncrypted?: boolean) {
  return (await user.client.call(createFolder, { folderName, parentFolderId, isEncrypted })).body
}

const trash = async (id: string, kind: 'file' | 'folder') =>
  expect((await user.client.call(kind === 'file' ? trashFile : trashFolder, { id })).status).toBe(200)

async function uploadTrashed(name: string, content = 'x', fields = {}) {
  const file = await user.client.upload(name, content, fields)
  await trash(file.id, 'file')
  return file
}

const names = (items: readonly { name: string }[]) => items.map((item) => item.name)

async function trashNames() {
  const { files, folders } = (await user.client.call(listTrash, {})).body
  return { files: names(files), folders: names(folders) }
}

async function usedBytes() {
  return (await user.client.call(getStorage, {})).body.used_bytes
}

/** All that a user has, in the trash or not, but the roots. */
async function rowsOf(userId: string) {
  return app.services.db
    .selectFrom('items')
    .select(['id', 'blob_key'])
    .where('owner_id', '=', userId)
    .where('parent_id', 'is not', null)
    .execute()
}

describe('the trash', () => {
  it('is empty at first', async () => {
    expect(await user.client.call(listTrash, {})).toMatchObject({ status: 200, body: { files: [], folders: [] } })
  })

  it('lists what was put there by itself, the newest first, with where it was and how long it stays', async () => {
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
    expect(names(folders)).not.toContain(inside.name)
  })

  it('says how many days are left, begun ones included', async () => {
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

  it('holds what was in the vault as well, and says so', async () => {
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

describe('restoring', () => {
  it('brings a file back to where it was', async () => {
    const folder = await makeFolder('f')
    const file = await user.client.upload('a', 'text', { folderId: folder.id })
    await trash(file.id, 'file')
    app.clock.advance(1000)
    expect(await user.client.call(restoreFile, { id: file.id })).toMatchObject({ status: 200, body: file })
    expect((await user.client.raw(fetchFile, { filename: 'a', folderId: folder.id })).bytes.toString()).toBe('text')
    expect(await trashNames()).toEqual({ files: [], folders: [] })
  })

  it('brings a folder back with all that went with it, marks included, and nothing else', async () => {
    const a = await makeFolder('a')
    const b = await makeFolder('b', a.id)
    const file = await user.client.upload('f', 'x', { folderId: b.id })
    const before = await uploadTrashed('before', 'x', { folderId: b.id })
    await user.client.call(addFavorite, { itemType: 'file', itemId: file.id })
    await trash(a.id, 'folder')
    expect(await user.client.call(restoreFolder, { id: a.id })).toMatchObject({ status: 200, body: a })
    const { body } = await user.client.call(getFolder, { id: b.id })
    expect(body.files).toEqual([{ ...file, isFavorite: true }])
    expect(await trashNames()).toEqual({ files: ['before'], folders: [] })
    expect((await user.client.call(restoreFile, { id: before.id })).body.folder_id).toBe(b.id)
  })

  it('gives another name where the old one is taken, whatever its case', async () => {
    for (const content of ['1', '2', '3']) await uploadTrashed('A.txt', content)
    await user.client.upload('a.TXT', 'new')
    const { files } = (await user.client.call(listTrash, {})).body
    const restored = await Promise.all(files.map(({ id }) => user.client.call(restoreFile, { id })))
    expect(restored.map(({ body }) => body.name).sort()).toEqual(['A (1).txt', 'A (2).txt', 'A (3).txt'])
    const folder = await makeFolder('docs')
    await trash(folder.id, 'folder')
    await user.client.upload('DOCS', 'x')
    expect((await user.client.call(restoreFolder, { id: folder.id })).body.name).toBe('docs (1)')
  })

  it('brings back to the root what has no folder any more, or one that is in the trash itself', async () => {
    const a = await makeFolder('a')
    const b = await makeFolder('b', a.id)
    const first = await uploadTrashed('f', '1', { folderId: b.id })
    const second = await uploadTrashed('f', '2', { folderId: b.id })
    await trash(a.id, 'folder')
    expect((await user.client.call(restoreFile, { id: first.id })).body).toMatchObject({ name: 'f', folder_id: null })
    await user.client.call(deleteFolder, { id: a.id })
    const restored = (await user.client.call(restoreFile, { id: second.id })).body
    expect(restored).toMatchObject({ name: 'f (1)', folder_id: null })
    expect((await user.client.raw(fetchFile, { filename: 'f (1)' })).bytes.toString()).toBe('2')
  })

  it('follows a folder that has been moved meanwhile', async () => {
    const [a, b] = [await makeFolder('a'), await makeFolder('b')]
    const file = await uploadTrashed('f', 'x', { folderId: a.id })
    await user.client.call(moveFolder, { folderId: a.id, targetFolderId: b.id })
    expect((await user.client.call(listTrash, {})).body.files[0]?.originalPath).toBe('/b/a')
    expect((await user.client.call(restoreFile, { id: file.id })).body.folder_id).toBe(a.id)
  })

  it('is refused for what is not in the trash by itself', async () => {
    const folder = await makeFolder('f')
    const file = await user.client.upload('a', 'x', { folderId: folder.id })
    const refused = { status: 409, body: { code: 'state_conflict', error: 'This file is not in the trash.' } }
    expect(await user.client.call(restoreFile, { id: file.id })).toMatchObject(refused)
    expect((await user.client.call(restoreFolder, { id: folder.id })).status).toBe(409)
    await trash(folder.id, 'folder')
    expect((await user.client.call(restoreFile, { id: file.id })).status).toBe(409)
  })

  it('twice at once is one item', async () => {
    for (let round = 0; round < 5; round++) {
      const file = await uploadTrashed(`${round}`)
      const answers = await Promise.all([1, 2, 3].map(() => user.client.call(restoreFile, { id: file.id })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    }
    expect(names((await user.client.call(listFiles, {})).body.files)).toEqual(['0', '1', '2', '3', '4'])
  })

  it('of many items of one name at once gives each a name of its own', async () => {
    const ids: string[] = []
    for (let count = 0; count < 6; count++) ids.push((await uploadTrashed('a')).id)
    const answers = await Promise.all(ids.map((id) => user.client.call(restoreFile, { id })))
    expect(new Set(answers.map(({ body }) => body.name)).size).toBe(6)
  })
})

describe('deleting for good', () => {
  it('removes a file, its bytes, and what it took of the quota', async () => {
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

  it('removes a folder with all that went with it, and leaves what was trashed before', async () => {
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

  it('of everything empties the trash and nothing but the trash', async () => {
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
    expect(names((await other.client.call(listTrash, {})).body.files)).toEqual(['theirs'])
    // Nothing there: nothing to do, and no error.
    expect((await user.client.call(emptyTrash, {})).status).toBe(200)
  })

  it('takes no file’s bytes that is still wanted', async () => {
    await uploadTrashed('a', 'gone')
    await user.client.upload('a', 'stays')
    await user.client.call(emptyTrash, {})
    await app.services.jobs.runDue()
    expect((await user.client.raw(fetchFile, { filename: 'a' })).bytes.toString()).toBe('stays')
  })

  it('and restoring at once does one of the two, whole', async () => {
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
      // Deleted first: nothing to restore. Restored first: nothing that may be deleted.
      expect(statuses).toEqual(found.status === 200 ? [200, 409] : [200, 404])
      if (found.status === 200) {
        expect(found.body.files[0]?.id).toBe(file.id)
        const answer = await user.client.raw(fetchFile, { filename: 'a', folderId: folder.id })
        expect(answer.bytes.toString()).toBe('abc')
      }
    }
    const folders = (await user.client.call(listRootFolders, {})).body
    expect(await usedBytes()).toBe(3 * folders.length)
  })

  it('twice at once gives the room back once', async () => {
    await user.client.upload('stays', 'xyz')
    const file = await uploadTrashed('a', 'abcde')
    const answers = await Promise.all([
      user.client.call(deleteFile, { id: file.id }),
      user.client.call(deleteFile, { id: file.id }),
      user.client.call(emptyTrash, {}),
      user.client.call(emptyTrash, {}),
    ])
    for (const { status } of answers) expect([200, 404]).toContain(status)
    expect(await usedBytes()).toBe(3)
  })
})

describe('another’s, unknown and malformed ids', () => {
  it('are refused, and nothing happens', async () => {
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

describe('the sweep', () => {
  it('deletes for good what has been in the trash for too long, of all users', async () => {
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

  it('goes by the setting', async () => {
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
