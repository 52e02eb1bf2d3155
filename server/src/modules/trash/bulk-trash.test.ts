import { randomUUID } from 'node:crypto'
import { listItems, trashItems } from '@alcove/contract/item-calls'
import { deleteItems, listTrash, restoreItems } from '@alcove/contract/trash'
import { describe, expect, it } from 'vitest'
import { app, makeFolder, namesIn, setUpDrive, usedBytes, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'

setUpDrive()

async function trashNames() {
  const { files, folders } = (await user.client.call(listTrash, {})).body
  return [...folders, ...files].map(({ name }) => name).sort()
}

const trash = (...itemIds: string[]) => user.client.call(trashItems, { itemIds })
const restore = (...itemIds: string[]) => user.client.call(restoreItems, { itemIds })
const remove = (...itemIds: string[]) => user.client.call(deleteItems, { itemIds })
const many = (count: number) => Array.from({ length: count }, (_unused, index) => `n${index}.txt`)

describe('trashing several items', () => {
  it('trashes each selected item with everything below it', async () => {
    const folder = await makeFolder('f')
    const inner = await makeFolder('inner', folder.id)
    const below = await user.client.upload('below', 'x', { folderId: inner.id })
    const file = await user.client.upload('a', 'x')
    await user.client.upload('stays', 'x')
    expect(await trash(folder.id, file.id, below.id)).toMatchObject({
      status: 200,
      body: { message: '2 items moved to the trash.', count: 2, itemIds: [folder.id, file.id] },
    })
    expect(await namesIn()).toEqual(['stays'])
    expect(await trashNames()).toEqual(['a', 'f'])
    expect((await restore(folder.id, file.id)).status).toBe(200)
    expect(await namesIn(inner.id)).toEqual(['below'])
  })

  it('accepts a repeated call and returns only the items that this call trashed', async () => {
    const folder = await makeFolder('f')
    const below = await user.client.upload('below', 'x', { folderId: folder.id })
    const file = await user.client.upload('a', 'x')
    await trash(folder.id)
    app.clock.advance(1000)
    expect((await trash(folder.id, file.id)).body).toMatchObject({ count: 1, itemIds: [file.id] })
    expect((await trash(below.id)).body).toMatchObject({ count: 0, itemIds: [] })
    expect(await trashNames()).toEqual(['a', 'f'])
  })

  it('keeps an item that was trashed before its folder as a separate entry', async () => {
    const folder = await makeFolder('f')
    const before = await user.client.upload('before', 'x', { folderId: folder.id })
    await trash(before.id)
    await trash(folder.id)
    expect(await trashNames()).toEqual(['before', 'f'])
    expect((await restore(folder.id)).status).toBe(200)
    expect(await namesIn(folder.id)).toEqual([])
  })

  it("trashes nothing when an id is unknown, another user's or a root folder", async () => {
    const file = await user.client.upload('a', 'x')
    const stranger = await app.createUser()
    const theirs = await stranger.client.upload('theirs', 'x')
    const root = await app.services.db
      .selectFrom('users')
      .select('drive_root_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    for (const id of [theirs.id, randomUUID(), root.drive_root_id]) {
      expect(await trash(file.id, id)).toMatchObject({ status: 404, body: { failed: [{ itemId: id }] } })
    }
    expect(await namesIn()).toEqual(['a'])
    expect((await stranger.client.call(listItems, {})).body.total).toBe(1)
  })

  it('trashes everything at the root of either the drive or the vault', async () => {
    await user.client.upload('d', 'x')
    await user.client.upload('v', 'x', { isEncrypted: true })
    const allIn = { folderId: null, isEncrypted: true }
    expect((await user.client.call(trashItems, { allIn })).body.count).toBe(1)
    expect(await namesIn()).toEqual(['d'])
    expect((await user.client.call(trashItems, { allIn: { folderId: null } })).body.count).toBe(1)
    expect((await user.client.call(trashItems, { allIn: { folderId: null } })).body).toMatchObject({
      count: 0,
      message: '0 items moved to the trash.',
    })
  })

  it('loses no file that is uploaded while its folder is emptied', async () => {
    const folder = await makeFolder('f')
    await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names: many(2000) })
    const uploads = Array.from({ length: 20 }, (_unused, index) =>
      user.client.upload(`new ${index}`, 'x', { folderId: folder.id }),
    )
    const [trashed] = await Promise.all([user.client.call(trashItems, { allIn: { folderId: folder.id } }), ...uploads])
    const left = (await user.client.call(listItems, { folderId: folder.id })).body.total
    expect(trashed.body.count + left).toBe(2020)
    expect(await usedBytes()).toBe(2020)
  })

  it('returns each item from exactly one of several concurrent calls', async () => {
    const ids = await addManyItems(app.services, { ownerId: user.id, names: many(1000) })
    const responses = await Promise.all([trash(...ids), trash(...ids), trash(...ids)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(responses.flatMap(({ body }) => body.itemIds).sort()).toEqual([...ids].sort())
    expect(await usedBytes()).toBe(1000)
  })

  it('trashes, restores and deletes 30,000 items in one call each', async () => {
    const folder = await makeFolder('f')
    const names = many(30_000)
    const ids = await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names })
    expect((await trash(...ids)).body.count).toBe(30_000)
    expect(await namesIn(folder.id)).toEqual([])
    expect((await restore(...ids)).body.count).toBe(30_000)
    expect((await user.client.call(listItems, { folderId: folder.id })).body.total).toBe(30_000)
    expect((await user.client.call(trashItems, { allIn: { folderId: folder.id } })).body.count).toBe(30_000)
    expect((await remove(...ids)).body.count).toBe(30_000)
    expect(await usedBytes()).toBe(0)
  }, 240_000)
})

describe('restoring several items', () => {
  it('numbers restored items with equal names', async () => {
    const ids: string[] = []
    for (const content of ['1', '2', '3']) {
      const file = await user.client.upload('a.txt', content)
      ids.push(file.id)
      await trash(file.id)
    }
    await user.client.upload('a.txt', 'new')
    expect((await restore(...ids)).body).toMatchObject({ message: '3 items restored.', itemIds: ids })
    expect(await namesIn()).toEqual(['a (1).txt', 'a (2).txt', 'a (3).txt', 'a.txt'])
  })

  it('restores an item into a folder that is restored in the same call', async () => {
    const folder = await makeFolder('f')
    const inner = await makeFolder('inner', folder.id)
    const file = await user.client.upload('a', 'x', { folderId: inner.id })
    await trash(file.id)
    await trash(folder.id)
    expect((await restore(file.id, inner.id, folder.id)).body.itemIds).toEqual([file.id, folder.id])
    expect(await namesIn(inner.id)).toEqual(['a'])
  })

  it('restores an item to the root when its folder stays in the trash', async () => {
    const folder = await makeFolder('f')
    const file = await user.client.upload('a', 'x', { folderId: folder.id })
    await user.client.upload('a', 'x')
    await trash(file.id)
    await trash(folder.id)
    await restore(file.id)
    expect(await namesIn()).toEqual(['a', 'a (1)'])
  })

  it('restores and deletes nothing when an item is unknown, visible or in a trashed folder', async () => {
    const file = await user.client.upload('a', 'x')
    const visible = await user.client.upload('visible', 'x')
    const folder = await makeFolder('f')
    const hidden = await user.client.upload('hidden', 'x', { folderId: folder.id })
    await trash(file.id, folder.id)
    expect(await restore(file.id, randomUUID())).toMatchObject({ status: 404 })
    for (const id of [visible.id, hidden.id]) {
      for (const act of [restore, remove]) {
        expect(await act(file.id, id)).toMatchObject({
          status: 409,
          body: { code: 'state_conflict', failed: [{ itemId: id, code: 'state_conflict' }] },
        })
      }
    }
    const stranger = await app.createUser()
    for (const call of [restoreItems, deleteItems]) {
      expect(await stranger.client.call(call, { itemIds: [file.id] })).toMatchObject({ status: 404 })
      expect((await user.client.raw(call, { itemIds: [] })).status).toBe(400)
      expect((await user.client.raw(call, { allIn: { folderId: null } })).status).toBe(400)
    }
    expect(await trashNames()).toEqual(['a', 'f'])
  })
})

describe('permanently deleting several items', () => {
  it('deletes items with everything that was trashed with them and nothing else', async () => {
    const folder = await makeFolder('f')
    const inside = await user.client.upload('inside', 'abc', { folderId: folder.id })
    const own = await user.client.upload('own', 'abc', { folderId: folder.id })
    const file = await user.client.upload('a', 'abc')
    await trash(own.id)
    await trash(folder.id, file.id)
    expect(await remove(folder.id, file.id, inside.id)).toMatchObject({
      status: 200,
      body: { message: '2 items permanently deleted.', itemIds: [folder.id, file.id] },
    })
    expect(await trashNames()).toEqual(['own'])
    expect(await usedBytes()).toBe(3)
    expect((await remove(file.id)).status).toBe(404)
  })

  it('lets only one of a concurrent restore and deletion succeed', async () => {
    const ids = await addManyItems(app.services, { ownerId: user.id, names: many(300) })
    await trash(...ids)
    const [restored, deleted] = await Promise.all([restore(...ids), remove(...ids)])
    expect([restored.status, deleted.status].filter((status) => status === 200)).toHaveLength(1)
    const left = restored.status === 200 ? 300 : 0
    expect((await user.client.call(listItems, {})).body.total).toBe(left)
    expect(await usedBytes()).toBe(left)
  })
})
