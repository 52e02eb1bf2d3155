import { fetchFile } from '@alcove/contract/bytes'
import { addFavorite } from '@alcove/contract/favorites'
import { getFolder, listFiles, moveFolder } from '@alcove/contract/files'
import { deleteFolder, listTrash, restoreFile, restoreFolder } from '@alcove/contract/trash'
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

setUpDrive()

describe('restoring items', () => {
  it('restores a file to its original folder', async () => {
    const folder = await makeFolder('f')
    const file = await user.client.upload('a', 'text', { folderId: folder.id })
    await trash(file.id, 'file')
    app.clock.advance(1000)
    expect(await user.client.call(restoreFile, { id: file.id })).toMatchObject({ status: 200, body: file })
    expect((await user.client.raw(fetchFile, { filename: 'a', folderId: folder.id })).bytes.toString()).toBe('text')
    expect(await trashNames()).toEqual({ files: [], folders: [] })
  })

  it('restores a folder with its contents and favorites but no items trashed before it', async () => {
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

  it('numbers a restored item only if its exact name is taken', async () => {
    for (const content of ['1', '2', '3']) await uploadTrashed('A.txt', content)
    await user.client.upload('A.txt', 'new')
    await user.client.upload('a.TXT', 'new')
    const { files } = (await user.client.call(listTrash, {})).body
    const restored = await Promise.all(files.map(({ id }) => user.client.call(restoreFile, { id })))
    expect(restored.map(({ body }) => body.name).sort()).toEqual(['A (1).txt', 'A (2).txt', 'A (3).txt'])
    const folder = await makeFolder('docs')
    await trash(folder.id, 'folder')
    await user.client.upload('DOCS', 'x')
    expect((await user.client.call(restoreFolder, { id: folder.id })).body.name).toBe('docs')
  })

  it('restores a file to the root when its folder is trashed or deleted', async () => {
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

  it('restores a file into its folder after the folder was moved', async () => {
    const [a, b] = [await makeFolder('a'), await makeFolder('b')]
    const file = await uploadTrashed('f', 'x', { folderId: a.id })
    await user.client.call(moveFolder, { folderId: a.id, targetFolderId: b.id })
    expect((await user.client.call(listTrash, {})).body.files[0]?.originalPath).toBe('/b/a')
    expect((await user.client.call(restoreFile, { id: file.id })).body.folder_id).toBe(a.id)
  })

  it('rejects items that are visible or inside a trashed folder', async () => {
    const folder = await makeFolder('f')
    const file = await user.client.upload('a', 'x', { folderId: folder.id })
    const refused = { status: 409, body: { code: 'state_conflict', error: 'This file is not in the trash.' } }
    expect(await user.client.call(restoreFile, { id: file.id })).toMatchObject(refused)
    expect((await user.client.call(restoreFolder, { id: folder.id })).status).toBe(409)
    await trash(folder.id, 'folder')
    expect((await user.client.call(restoreFile, { id: file.id })).status).toBe(409)
  })

  it('restores a file once when it is restored several times at once', async () => {
    for (let round = 0; round < 5; round++) {
      const file = await uploadTrashed(`${round}`)
      const responses = await Promise.all([1, 2, 3].map(() => user.client.call(restoreFile, { id: file.id })))
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    }
    expect(namesOf((await user.client.call(listFiles, {})).body.files)).toEqual(['0', '1', '2', '3', '4'])
  })

  it('gives items with equal names different names when they are restored at once', async () => {
    const ids: string[] = []
    for (let count = 0; count < 6; count++) ids.push((await uploadTrashed('a')).id)
    const responses = await Promise.all(ids.map((id) => user.client.call(restoreFile, { id })))
    expect(new Set(responses.map(({ body }) => body.name)).size).toBe(6)
  })
})
