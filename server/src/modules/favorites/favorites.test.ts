import { randomUUID } from 'node:crypto'
import { addFavorite, listFavorites, removeFavorite } from '@alcove/contract/favorites'
import { getFolder, listFiles, renameFile, trashFile, trashFolder } from '@alcove/contract/files'
import { restoreFile, restoreFolder } from '@alcove/contract/trash'
import { describe, expect, it } from 'vitest'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'

setUpDrive()

const mark = (itemType: 'file' | 'folder', itemId: string) => user.client.call(addFavorite, { itemType, itemId })

async function favoriteNames(): Promise<string[]> {
  return (await user.client.call(listFavorites, {})).body.map(({ item }) => item.name)
}

describe('favorites', () => {
  it('returns no favorites for a new user', async () => {
    expect(await user.client.call(listFavorites, {})).toMatchObject({ status: 200, body: [] })
  })

  it('lists favorites of all folders, folders first, in natural order of names', async () => {
    const folder = await makeFolder('Photos')
    const inside = await user.client.upload('b10.jpg', 'x', { folderId: folder.id })
    const outside = await user.client.upload('b9.jpg', 'x')
    await user.client.upload('unmarked.jpg', 'x')
    expect(await mark('file', inside.id)).toMatchObject({ status: 200, body: { message: 'Added to favorites' } })
    await mark('file', outside.id)
    await mark('folder', folder.id)
    expect((await user.client.call(listFavorites, {})).body).toEqual([
      { item_type: 'folder', item_id: folder.id, item: { ...folder, isFavorite: true } },
      { item_type: 'file', item_id: outside.id, item: { ...outside, isFavorite: true } },
      { item_type: 'file', item_id: inside.id, item: { ...inside, isFavorite: true } },
    ])
    const { body } = await user.client.call(getFolder, { id: folder.id })
    expect(body.files[0]).toMatchObject({ isFavorite: true })
  })

  it('returns the same response when an item is marked or unmarked repeatedly', async () => {
    const file = await user.client.upload('a', 'x')
    for (let times = 0; times < 2; times++) expect((await mark('file', file.id)).status).toBe(200)
    expect(await favoriteNames()).toEqual(['a'])
    for (let times = 0; times < 2; times++) {
      const response = await user.client.call(removeFavorite, { itemType: 'file', itemId: file.id })
      expect(response).toMatchObject({ status: 200, body: { message: 'Removed from favorites' } })
    }
    expect(await favoriteNames()).toEqual([])
    expect((await user.client.call(listFiles, {})).body.files[0]?.isFavorite).toBe(false)
  })

  it('accepts the fields in the body when a favorite is unmarked', async () => {
    const file = await user.client.upload('a', 'x')
    await mark('file', file.id)
    const response = await user.client.request({
      method: 'DELETE',
      url: '/api/favorite',
      payload: { itemType: 'file', itemId: file.id },
    })
    expect(response.status).toBe(200)
    expect(await favoriteNames()).toEqual([])
  })

  it('keeps the favorite mark of a renamed item', async () => {
    const file = await user.client.upload('a', 'x')
    await mark('file', file.id)
    await user.client.call(renameFile, { oldFilename: 'a', newName: 'b' })
    expect(await favoriteNames()).toEqual(['b'])
  })

  it('ends in one state when an item is marked and unmarked at once', async () => {
    const file = await user.client.upload('a', 'x')
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        user.client.call(index % 2 ? addFavorite : removeFavorite, { itemType: 'file', itemId: file.id }),
      ),
    )
    for (const response of responses) expect(response.status).toBe(200)
    expect((await favoriteNames()).length).toBeLessThan(2)
  })
})

describe('a favorite in the trash', () => {
  it('hides a trashed favorite, rejects marking it, and lists it again once restored', async () => {
    const file = await user.client.upload('a', 'x')
    await mark('file', file.id)
    await user.client.call(trashFile, { id: file.id })
    expect(await favoriteNames()).toEqual([])
    expect((await mark('file', file.id)).status).toBe(404)
    expect((await user.client.call(removeFavorite, { itemType: 'file', itemId: file.id })).status).toBe(404)
    expect((await user.client.call(restoreFile, { id: file.id })).body).toMatchObject({ isFavorite: true })
    expect(await favoriteNames()).toEqual(['a'])
  })

  it('hides and restores a favorite together with its folder', async () => {
    const folder = await makeFolder('f')
    const file = await user.client.upload('a', 'x', { folderId: folder.id })
    await mark('file', file.id)
    await user.client.call(trashFolder, { id: folder.id })
    expect(await favoriteNames()).toEqual([])
    await user.client.call(restoreFolder, { id: folder.id })
    expect(await favoriteNames()).toEqual(['a'])
  })

  it('never lists a file that is marked and trashed at once', async () => {
    for (let round = 0; round < 5; round++) {
      const file = await user.client.upload(`${round}`, 'x')
      await Promise.all([mark('file', file.id), user.client.call(trashFile, { id: file.id })])
    }
    expect(await favoriteNames()).toEqual([])
  })
})

describe('rejected favorites', () => {
  it.each([
    [{}],
    [{ itemType: 'file' }],
    [{ itemId: randomUUID() }],
    [{ itemType: 'files', itemId: randomUUID() }],
    [{ itemType: 'file', itemId: 'x' }],
    [{ itemType: ['file'], itemId: randomUUID() }],
    [{ itemType: 'file', itemId: null }],
  ])('rejects the malformed favorite input %j', async (input) => {
    expect(await user.client.raw(addFavorite, input)).toMatchObject({ status: 400, body: { code: 'malformed' } })
    const byBody = await user.client.request({ method: 'DELETE', url: '/api/favorite', payload: input })
    expect(byBody).toMatchObject({ status: 400, body: { code: 'malformed' } })
  })

  it("returns 404 for unknown ids, the wrong type, root folders and other users' items", async () => {
    const file = await user.client.upload('a', 'x')
    const folder = await makeFolder('f')
    const { drive_root_id } = await app.services.db
      .selectFrom('users')
      .select('drive_root_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    const stranger = (await app.createUser()).client
    await mark('file', file.id)
    for (const call of [addFavorite, removeFavorite]) {
      const responses = await Promise.all([
        user.client.call(call, { itemType: 'file', itemId: randomUUID() }),
        user.client.call(call, { itemType: 'file', itemId: folder.id }),
        user.client.call(call, { itemType: 'folder', itemId: file.id }),
        user.client.call(call, { itemType: 'folder', itemId: drive_root_id }),
        stranger.call(call, { itemType: 'file', itemId: file.id }),
        stranger.call(call, { itemType: 'folder', itemId: folder.id }),
      ])
      for (const response of responses) expect(response.status).toBe(404)
    }
    expect(await favoriteNames()).toEqual(['a'])
    expect((await stranger.call(listFavorites, {})).body).toEqual([])
  })

  it('rejects vault files and folders as favorites', async () => {
    const file = await user.client.upload('a', 'x', { isEncrypted: true })
    const folder = await makeFolder('f', undefined, true)
    for (const response of [await mark('file', file.id), await mark('folder', folder.id)]) {
      expect(response).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    }
  })
})
