import { randomUUID } from 'node:crypto'
import { addFavorite, favoriteItems, listFavorites, removeFavorite } from '@alcove/contract/favorites'
import { getFolder, listFiles, moveFile, renameFile, trashFile, trashFolder } from '@alcove/contract/files'
import { getItem, listItems } from '@alcove/contract/item-calls'
import { removeMember } from '@alcove/contract/members'
import { restoreFile, restoreFolder } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'
import { addTestMember, type TestMember } from '../../testing/factories/shares.ts'
import type { TestUser } from '../../testing/factories/users.ts'

setUpDrive()

let outer: string
let folder: string
let inner: string
let member: TestMember
beforeEach(async () => {
  outer = (await makeFolder('Private')).id
  folder = (await makeFolder('Trip', outer)).id
  inner = (await makeFolder('Day 1', folder)).id
  member = await addTestMember(app, user, folder, 'viewer')
})

const mark = (itemIds: string[], isFavorite?: boolean, by: TestUser = member) =>
  by.client.call(favoriteItems, { itemIds, isFavorite })
const favorites = async (by: TestUser = member) => (await by.client.call(listFavorites, {})).body
const names = async (by: TestUser = member) => (await favorites(by)).map(({ item }) => item.name)
const upload = (name: string, folderId = folder) => user.client.upload(name, 'x', { folderId })
const remove = () => user.client.call(removeMember, { id: folder, memberId: member.memberId })

describe('favorites of a member', () => {
  it('are the member’s own, in one list with the own items', async () => {
    const file = await upload('b10.jpg', inner)
    const own = await member.client.upload('b9.jpg', 'x')
    for (const [itemType, itemId] of [
      ['file', file.id],
      ['folder', folder],
      ['file', own.id],
    ] as const) {
      expect((await member.client.call(addFavorite, { itemType, itemId })).status).toBe(200)
    }
    const sharedBy = { email: user.email, displayName: null, role: 'viewer' }
    expect(await favorites()).toMatchObject([
      { item_type: 'folder', item_id: folder, item: { name: 'Trip', parentId: null, isFavorite: true, sharedBy } },
      { item_type: 'file', item_id: own.id, item: { name: 'b9.jpg', folder_id: null } },
      { item_type: 'file', item_id: file.id, item: { folder_id: inner, isFavorite: true, isShared: false, sharedBy } },
    ])
    expect((await favorites())[1]?.item).not.toHaveProperty('sharedBy')
    expect(await favorites(user)).toEqual([])
    expect((await user.client.call(getItem, { id: file.id })).body.item.isFavorite).toBe(false)
    expect((await member.client.call(removeFavorite, { itemType: 'file', itemId: file.id })).status).toBe(200)
    expect(await names()).toEqual(['Trip', 'b9.jpg'])
  })

  it('show in every list of the shared folder, but not the owner’s', async () => {
    const file = await upload('a.txt')
    const owners = await upload('owner.txt')
    await mark([owners.id], true, user)
    await mark([file.id, inner])
    const { client } = member
    const isMarked = { isFavorite: true }
    expect((await client.call(listItems, { folderId: folder })).body.items).toMatchObject([
      isMarked,
      { name: 'a.txt', ...isMarked },
      { name: 'owner.txt', isFavorite: false },
    ])
    const { body } = await client.call(getFolder, { id: folder })
    expect(body).toMatchObject({ subFolders: [isMarked], files: [isMarked, { isFavorite: false }] })
    expect((await client.call(listFiles, { folderId: folder })).body.files[0]).toMatchObject(isMarked)
    expect((await client.call(getItem, { id: file.id })).body.item).toMatchObject(isMarked)
    const editor = await addTestMember(app, user, folder, 'editor')
    await mark([file.id], true, editor)
    const change = { oldFilename: 'a.txt', newName: 'b.txt', folderId: folder }
    expect((await editor.client.call(renameFile, change)).body).toMatchObject({ name: 'b.txt', ...isMarked })
    const moved = await editor.client.call(moveFile, { fileId: file.id, targetFolderId: inner })
    expect(moved.body).toMatchObject(isMarked)
    expect(await names()).toEqual(['Day 1', 'b.txt'])
  })

  it('are marked and unmarked together with own items: all or none', async () => {
    const [file, outside] = [await upload('a'), await upload('b', outer)]
    const own = await member.client.upload('c', 'x')
    const stranger = await app.createUser()
    const theirs = await stranger.client.upload('theirs', 'x')
    for (const id of [outside.id, theirs.id, outer, randomUUID()]) {
      expect(await mark([own.id, file.id, id])).toMatchObject({ status: 404, body: { failed: [{ itemId: id }] } })
    }
    const trashed = await member.client.upload('t', 'x')
    await member.client.call(trashFile, { id: trashed.id })
    expect((await mark([trashed.id, file.id])).status).toBe(404)
    expect(await names()).toEqual([])
    for (let time = 0; time < 2; time += 1) {
      expect((await mark([file.id, own.id])).body).toMatchObject({ count: 2, message: '2 items added to favorites.' })
    }
    expect(await names()).toEqual(['a', 'c'])
    expect((await mark([own.id, file.id], false)).body.count).toBe(2)
    expect(await names()).toEqual([])
    expect((await mark([file.id], true, stranger)).status).toBe(404)
    const asFolder = await member.client.call(addFavorite, { itemType: 'folder', itemId: file.id })
    expect(asFolder.status).toBe(404)
  })

  it('end with the membership, and are hidden outside the shared folder and in the trash', async () => {
    const file = await upload('a', inner)
    await mark([file.id, folder])
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: outer })
    expect(await names()).toEqual(['Trip'])
    expect((await mark([file.id], false)).status).toBe(404)
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: inner })
    await user.client.call(trashFile, { id: file.id })
    expect(await names()).toEqual(['Trip'])
    await user.client.call(restoreFile, { id: file.id })
    expect(await names()).toEqual(['Trip', 'a'])
    await user.client.call(trashFolder, { id: outer })
    expect(await names()).toEqual([])
    await user.client.call(restoreFolder, { id: outer })
    await remove()
    expect(await names()).toEqual([])
    await addTestMember(app, user, folder, 'viewer', member)
    expect(await names()).toEqual([])
  })

  it('list an item once where folders inside each other are both shared', async () => {
    const file = await upload('a', inner)
    await addTestMember(app, user, inner, 'editor', member)
    await mark([file.id])
    expect(await favorites()).toMatchObject([{ item: { name: 'a', sharedBy: { role: 'editor' } } }])
    const { body } = await member.client.call(getFolder, { id: inner })
    expect(body.files).toMatchObject([{ isFavorite: true }])
  })

  it('never outlive a membership that ends at the same time', async () => {
    const file = await upload('a')
    const results = await Promise.all([...Array.from({ length: 5 }, () => mark([file.id])), remove()])
    for (const { status } of results) expect([200, 404]).toContain(status)
    expect(await names()).toEqual([])
    expect(
      await app.services.db.selectFrom('member_favorites').selectAll().where('user_id', '=', member.id).execute(),
    ).toEqual([])
  })

  it('are 30,000 in one call', async () => {
    const many = Array.from({ length: 30_000 }, (_unused, index) => `n${index}`)
    await addManyItems(app.services, { ownerId: user.id, folderId: inner, names: many })
    const { body } = await member.client.call(favoriteItems, { allIn: { folderId: inner } })
    expect(body.count).toBe(30_000)
    expect(await favorites()).toHaveLength(30_000)
  }, 120_000)
})
