import { createFolder, getFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { getItem, trashItems } from '@alcove/contract/item-calls'
import { changeMember, removeMember } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { deleteItems, listTrash, restoreFile, restoreFolder, restoreItems } from '@alcove/contract/trash'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { app, listIn, makeFolder, namesIn, setUpDrive, usedBytes, user } from '../../testing/factories/drive.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { deleteUser } from '../accounts/index.ts'

setUpDrive()

let folder: string
let inner: string
let file: string
beforeEach(async () => {
  folder = (await makeFolder('Trip')).id
  inner = (await makeFolder('Day 1', folder)).id
  file = (await user.client.upload('a.txt', 'abc', { folderId: inner })).id
})

const join = (role: Role) => addTestMember(app, user, folder, role)
const trash = async () => {
  const { files, folders } = (await user.client.call(listTrash, {})).body
  return [...folders, ...files]
}

describe('the owner’s trash', () => {
  it('names the member who deleted an item, and nobody for what the owner deleted', async () => {
    const member = await join('editor')
    const mine = await user.client.upload('mine.txt', 'x', { folderId: folder })
    await member.client.call(trashFolder, { id: inner })
    await user.client.call(trashFile, { id: mine.id })
    const [byMember, byOwner] = await trash()
    expect(byMember).toMatchObject({ id: inner, deletedBy: member.email, originalPath: '/Trip' })
    expect(byOwner).toMatchObject({ id: mine.id })
    expect(byOwner).not.toHaveProperty('deletedBy')
  })

  it('keeps the address of a member whose account was deleted, and names the current address of others', async () => {
    const [gone, changed] = [await join('editor'), await join('editor')]
    await gone.client.call(trashFile, { id: file })
    await changed.client.call(trashFolder, { id: inner })
    await deleteUser(app.services, gone.id)
    const email = `new-${changed.email}`
    await app.services.db.updateTable('users').set({ email }).where('id', '=', changed.id).execute()
    expect((await trash()).map(({ deletedBy }) => deletedBy)).toEqual([email, gone.email])
  })

  it('names nobody for an item that was restored and deleted again by its owner', async () => {
    const member = await join('editor')
    await member.client.call(trashFile, { id: file })
    await user.client.call(restoreFile, { id: file })
    await user.client.call(trashFile, { id: file })
    expect((await trash())[0]).not.toHaveProperty('deletedBy')
    expect((await member.client.call(restoreFile, { id: file })).status).toBe(404)
  })
})

describe('a member', () => {
  it('restores what they trashed themselves, one by one or together', async () => {
    const { client } = await join('editor')
    const before = await usedBytes()
    await client.call(trashFile, { id: file })
    expect((await client.call(restoreFile, { id: file })).body).toMatchObject({ id: file, folder_id: inner })
    await client.call(trashFolder, { id: inner })
    expect((await client.call(restoreFolder, { id: inner })).body).toMatchObject({ id: inner, parentId: folder })
    const other = (await client.call(createFolder, { folderName: 'other', parentFolderId: folder })).body.id
    const { itemIds } = (await client.call(trashItems, { allIn: { folderId: folder } })).body
    expect(itemIds).toEqual([inner, other])
    expect((await client.call(restoreItems, { itemIds })).body).toMatchObject({ count: 2, itemIds })
    expect(await namesIn(inner)).toEqual(['a.txt'])
    expect(await usedBytes()).toBe(before)
    expect(await trash()).toEqual([])
  })

  it('restores into the shared folder if the folder of an item is in the trash', async () => {
    const { client } = await join('editor')
    await client.call(trashFile, { id: file })
    await user.client.call(trashFolder, { id: inner })
    expect((await client.call(restoreFile, { id: file })).body).toMatchObject({ id: file, folder_id: folder })
  })

  it('restores nothing that others trashed, and learns nothing about it', async () => {
    const member = await join('editor')
    const other = await join('manager')
    const mine = (await user.client.upload('mine.txt', 'x', { folderId: folder })).id
    const theirs = (await user.client.upload('theirs.txt', 'x', { folderId: folder })).id
    const own = (await user.client.upload('own.txt', 'x', { folderId: folder })).id
    await user.client.call(trashItems, { itemIds: [mine, inner] })
    await other.client.call(trashItems, { itemIds: [theirs] })
    await member.client.call(trashItems, { itemIds: [own] })
    for (const id of [mine, theirs, file]) {
      expect((await member.client.call(restoreFile, { id })).status).toBe(404)
      for (const itemIds of [[id], [own, id]]) {
        expect((await member.client.call(restoreItems, { itemIds })).status).toBe(404)
      }
    }
    expect((await member.client.call(restoreFolder, { id: inner })).status).toBe(404)
    expect((await trash()).map(({ id }) => id)).toEqual(expect.arrayContaining([inner, mine, theirs, own]))
    expect((await member.client.call(getItem, { id: own })).status).toBe(404)
    expect((await member.client.call(deleteItems, { itemIds: [own] })).status).toBe(404)
    expect((await member.client.call(listVersions, { id: mine })).status).toBe(404)
  })

  it('restores nothing with a lower role, or after being removed', async () => {
    const member = await join('editor')
    await member.client.call(trashFile, { id: file })
    const { memberId } = member
    await user.client.call(changeMember, { id: folder, memberId, role: 'contributor' })
    expect((await member.client.call(restoreFile, { id: file })).status).toBe(403)
    await user.client.call(removeMember, { id: folder, memberId })
    expect((await member.client.call(restoreFile, { id: file })).status).toBe(404)
    expect(await trash()).toHaveLength(1)
  })

  it('restores nothing that left the shared folder with the folder it was in', async () => {
    const member = await join('editor')
    await member.client.call(trashFile, { id: file })
    await user.client.call(trashFolder, { id: folder })
    expect((await member.client.call(restoreFile, { id: file })).status).toBe(404)
  })

  it('restores an item once if two requests ask for it at the same time', async () => {
    const { client } = await join('editor')
    await client.call(trashFile, { id: file })
    const responses = await Promise.all([1, 2].map(() => client.call(restoreItems, { itemIds: [file] })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await listIn(inner)).map(({ id }) => id)).toEqual([file])
  })

  it('gets the item under another name if its name was taken meanwhile', async () => {
    const { client } = await join('editor')
    await client.call(trashFile, { id: file })
    await user.client.upload('a.txt', 'new', { folderId: inner })
    expect((await client.call(restoreFile, { id: file })).body.name).toBe('a (1).txt')
    expect((await client.call(getFolder, { id: inner })).body.files).toHaveLength(2)
  })
})
