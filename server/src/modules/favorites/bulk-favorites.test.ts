import { randomUUID } from 'node:crypto'
import { favoriteItems, listFavorites } from '@alcove/contract/favorites'
import { createFolder } from '@alcove/contract/files'
import { trashItems } from '@alcove/contract/item-calls'
import { describe, expect, it } from 'vitest'
import { app, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'

setUpDrive()

const mark = (itemIds: string[], isFavorite?: boolean) => user.client.call(favoriteItems, { itemIds, isFavorite })
const favorites = async () => (await user.client.call(listFavorites, {})).body.map(({ item }) => item.name)

describe('marking several items as favorites', () => {
  it('marks and unmarks files and folders, even one inside the other', async () => {
    const folder = (await user.client.call(createFolder, { folderName: 'f' })).body
    const file = await user.client.upload('a', 'x', { folderId: folder.id })
    for (let time = 0; time < 2; time += 1) {
      expect(await mark([folder.id, file.id])).toMatchObject({
        status: 200,
        body: { message: '2 items added to favorites.', itemIds: [folder.id, file.id] },
      })
    }
    expect(await favorites()).toEqual(['f', 'a'])
    expect((await mark([folder.id], false)).body.message).toBe('1 item removed from favorites.')
    expect(await favorites()).toEqual(['a'])
  })

  it('marks either all items as favorites or none', async () => {
    const stranger = await app.createUser()
    const theirs = await stranger.client.upload('theirs', 'x')
    const file = await user.client.upload('a', 'x')
    const secret = await user.client.upload('s', 'x', { isEncrypted: true })
    const trashed = await user.client.upload('t', 'x')
    await user.client.call(trashItems, { itemIds: [trashed.id] })
    for (const id of [theirs.id, trashed.id, randomUUID()]) {
      expect(await mark([file.id, id])).toMatchObject({ status: 404, body: { failed: [{ itemId: id }] } })
    }
    expect(await mark([file.id, secret.id])).toMatchObject({
      status: 409,
      body: { failed: [{ itemId: secret.id, name: 's', error: 'Vault items cannot be favorites.' }] },
    })
    expect((await user.client.raw(favoriteItems, { itemIds: [file.id], isFavorite: 'yes' })).status).toBe(400)
    expect(await favorites()).toEqual([])
  })

  it('marks 30,000 items in one call', async () => {
    await addManyItems(app.services, {
      ownerId: user.id,
      names: Array.from({ length: 30_000 }, (_unused, index) => `n${index}`),
    })
    expect((await user.client.call(favoriteItems, { allIn: { folderId: null } })).body.count).toBe(30_000)
    expect(await favorites()).toHaveLength(30_000)
  }, 240_000)
})
