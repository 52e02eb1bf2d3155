import { fetchFile } from '@alcove/contract/bytes'
import { createFolder, getFolder, moveFile, moveFolder, trashFile } from '@alcove/contract/files'
import { copyItems, getItem, listItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { changeMember, removeMember } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { searchItems } from '@alcove/contract/search'
import { emptyTrash, listTrash, restoreItems } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  app,
  makeFolder,
  namesIn,
  setUpDrive,
  switchToNewUser,
  usedBytes,
  user,
} from '../../../testing/factories/drive.ts'
import { lockItem } from '../../../testing/factories/locks.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'
import { addTestMember, type TestMember } from '../../../testing/factories/shares.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { deleteUser } from '../../accounts/index.ts'
import { removeQueuedBlobs } from '../../storage/remove-blobs.ts'

setUpDrive()

let folder: string
let inner: string
let file: string
beforeEach(async () => {
  folder = (await makeFolder('Trip')).id
  inner = (await makeFolder('Day 1', folder)).id
  file = (await user.client.upload('a.txt', 'abc', { folderId: inner, lastModified: 1_600_000_000_000 })).id
})

const join = (role: Role, id = folder, who?: TestUser) => addTestMember(app, user, id, role, who)
const ownFolder = async ({ client }: TestUser, folderName = 'Mine', parentFolderId?: string) =>
  (await client.call(createFolder, { folderName, parentFolderId })).body.id
const childrenOf = async ({ client }: TestUser, folderId: string | null = null) =>
  (await client.call(listItems, { folderId })).body.items
const bytesOf = async ({ client }: TestUser, filename: string, folderId?: string) =>
  (await client.raw(fetchFile, { filename, folderId })).bytes.toString()
const trashOf = async ({ client }: TestUser) => {
  const { files, folders } = (await client.call(listTrash, {})).body
  return [...folders, ...files]
}
/** Reads the usage that is stored with an account, and checks that it is that of its items. */
async function usageOf({ id }: Pick<TestUser, 'id'>) {
  const { db } = app.services
  const { used_bytes, item_count } = await db
    .selectFrom('users')
    .select(['used_bytes', 'item_count'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('items')
    .select('size')
    .where('owner_id', '=', id)
    .where('parent_id', 'is not', null)
    .execute()
  expect({ used_bytes, item_count }).toEqual({
    used_bytes: rows.reduce((sum, { size }) => sum + size, 0),
    item_count: rows.length,
  })
  return { bytes: used_bytes, items: item_count }
}

describe('copying out of a shared folder', () => {
  it('gives a viewer copies with the dates of the files, which count for the viewer', async () => {
    const member = await join('viewer')
    const mine = await ownFolder(member)
    const before = await usageOf(user)
    const { status, body } = await member.client.call(copyItems, { itemIds: [inner], targetFolderId: mine })
    expect({ status, count: body.count }).toEqual({ status: 201, count: 1 })
    const [copy] = await childrenOf(member, mine)
    expect(copy).toMatchObject({ id: body.itemIds[0], name: 'Day 1', parentId: mine })
    const [copiedFile] = await childrenOf(member, copy?.id)
    expect(copiedFile).toMatchObject({ name: 'a.txt', modifiedAt: new Date(1_600_000_000_000).toISOString() })
    expect(await bytesOf(member, 'a.txt', copy?.id)).toBe('abc')
    expect(await usageOf(member)).toEqual({ bytes: 3, items: 3 })
    expect(await usageOf(user)).toEqual(before)
    expect(await namesIn(inner)).toEqual(['a.txt'])
  })

  it('copies everything in the folder to the root of the own drive, where search finds it', async () => {
    const member = await join('viewer')
    const all = { allIn: { folderId: folder }, targetFolderId: null }
    expect((await member.client.call(copyItems, all)).status).toBe(201)
    expect((await member.client.call(copyItems, all)).status).toBe(201)
    expect((await childrenOf(member)).map(({ name }) => name)).toEqual(['Day 1', 'Day 1 (1)'])
    const found = (await member.client.call(searchItems, { q: 'a.txt' })).body
    expect(found.filter(({ sharedBy }) => !sharedBy)).toHaveLength(2)
    expect((await user.client.call(searchItems, { q: 'a.txt' })).body).toHaveLength(1)
  })

  it('keeps the bytes for the copy when the owner deletes the file or the account', async () => {
    const member = await join('viewer')
    await member.client.call(copyItems, { itemIds: [file], targetFolderId: null })
    await user.client.call(trashFile, { id: file })
    await user.client.call(emptyTrash, {})
    await removeQueuedBlobs(app.services)
    expect(await bytesOf(member, 'a.txt')).toBe('abc')
    await deleteUser(app.services, user.id)
    await app.services.jobs.runDue()
    await removeQueuedBlobs(app.services)
    expect(await bytesOf(member, 'a.txt')).toBe('abc')
  })

  it('is refused with the member’s own numbers if the member’s storage is full', async () => {
    const member = await join('viewer', folder, await app.createUser({ allocatedBytes: 2 }))
    const { status, body } = await member.client.call(copyItems, { itemIds: [file], targetFolderId: null })
    expect({ status, body }).toMatchObject({
      status: 413,
      body: { code: 'quota_exceeded', error: expect.stringContaining('You need 1 bytes more'), missingBytes: 1 },
    })
    expect(await childrenOf(member)).toEqual([])
  })
})

describe('copying into a shared folder', () => {
  it('needs a contributor, and counts for the owner', async () => {
    const viewer = await join('viewer')
    const member = await join('contributor')
    for (const who of [viewer, member]) await who.client.upload('own.txt', 'four')
    const copy = async (who: TestMember) => {
      const [own] = await childrenOf(who)
      return who.client.call(copyItems, { itemIds: [own?.id as string], targetFolderId: folder })
    }
    expect(await copy(viewer)).toMatchObject({ status: 403, body: { error: 'You can only view this shared folder.' } })
    const before = await usageOf(user)
    expect((await copy(member)).status).toBe(201)
    expect(await usageOf(user)).toEqual({ bytes: before.bytes + 4, items: before.items + 1 })
    expect(await bytesOf(user, 'own.txt', folder)).toBe('four')
    expect((await childrenOf(member)).map(({ name }) => name)).toEqual(['own.txt'])
  })

  it('is refused without numbers if the owner’s storage is full', async () => {
    await switchToNewUser({ allocatedBytes: 3 })
    const small = (await makeFolder('Small')).id
    const member = await join('contributor', small)
    const own = await member.client.upload('own.txt', 'four')
    for (const call of [copyItems, moveItems]) {
      const { status, body } = await member.client.call(call, { itemIds: [own.id], targetFolderId: small })
      expect({ status, body }).toEqual({
        status: 413,
        body: {
          ...{ code: 'quota_exceeded', error: expect.any(String) },
          message: 'The storage of the owner of this folder is full. Ask the owner to free space.',
        },
      })
    }
    expect(await usedBytes()).toBe(0)
    expect((await childrenOf(member)).map(({ name }) => name)).toEqual(['own.txt'])
  })

  it('copies within the folder, and between the folders of two owners', async () => {
    const member = await join('contributor')
    const within = await member.client.call(copyItems, { itemIds: [file], targetFolderId: inner })
    expect(within.status).toBe(201)
    expect(await namesIn(inner)).toEqual(['a (1).txt', 'a.txt'])
    const first = user
    await switchToNewUser({})
    const other = (await makeFolder('Other')).id
    await join('contributor', other, member)
    expect((await member.client.call(copyItems, { itemIds: [file], targetFolderId: other })).status).toBe(201)
    expect(await usageOf(user)).toEqual({ bytes: 3, items: 2 })
    expect((await usageOf(first)).items).toBe(4)
    expect(await usageOf(member)).toEqual({ bytes: 0, items: 0 })
  })
})

describe('moving out of a shared folder', () => {
  it('gives the mover a copy and puts the original into the owner’s trash, with the mover’s name', async () => {
    const member = await join('editor')
    const mine = await ownFolder(member)
    const moved = await member.client.call(moveFile, { fileId: file, targetFolderId: mine })
    expect(moved.body).toMatchObject({ name: 'a.txt', folder_id: mine })
    expect(moved.body.id).not.toBe(file)
    expect(moved.body.modifiedAt).toBe(new Date(1_600_000_000_000).toISOString())
    expect(await bytesOf(member, 'a.txt', mine)).toBe('abc')
    expect(await namesIn(inner)).toEqual([])
    expect(await trashOf(user)).toMatchObject([{ id: file, deletedBy: member.email }])
    expect(await trashOf(member)).toEqual([])
    const folderMoved = await member.client.call(moveFolder, { folderId: inner, targetFolderId: null })
    expect(folderMoved.body).toMatchObject({ name: 'Day 1', parentId: null })
    expect(await usageOf(member)).toEqual({ bytes: 3, items: 3 })
    expect((await trashOf(user)).map(({ id }) => id).sort()).toEqual([file, inner].sort())
  })

  it('returns the copies and the originals of several items, with which both can be undone', async () => {
    const member = await join('editor')
    const { body } = await member.client.call(moveItems, { allIn: { folderId: folder }, targetFolderId: null })
    expect(body).toMatchObject({ message: '1 item moved.', count: 1, trashedIds: [inner] })
    expect(body.itemIds).not.toEqual([inner])
    const { itemIds, trashedIds = [] } = body
    expect((await member.client.call(trashItems, { itemIds })).status).toBe(200)
    expect((await member.client.call(restoreItems, { itemIds: trashedIds })).status).toBe(200)
    expect(await namesIn(inner)).toEqual(['a.txt'])
    expect(await childrenOf(member)).toEqual([])
  })

  it('needs an editor, and the shared folder itself stays', async () => {
    const member = await join('contributor')
    expect((await member.client.call(moveFile, { fileId: file, targetFolderId: null })).status).toBe(403)
    const { memberId } = member
    await user.client.call(changeMember, { id: folder, memberId, role: 'manager' })
    expect((await member.client.call(moveFolder, { folderId: folder, targetFolderId: null })).status).toBe(404)
    expect((await member.client.call(moveItems, { itemIds: [folder], targetFolderId: null })).status).toBe(404)
    await user.client.call(removeMember, { id: folder, memberId })
    expect((await member.client.call(moveFile, { fileId: file, targetFolderId: null })).status).toBe(404)
    expect(await trashOf(user)).toEqual([])
  })

  it('moves a file once if two members move it at the same time', async () => {
    const members = [await join('editor'), await join('editor')]
    const move = ({ client }: TestMember) => client.call(moveItems, { itemIds: [file], targetFolderId: null })
    const responses = await Promise.all(members.map(move))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404])
    const found = await Promise.all(members.map((member) => childrenOf(member)))
    expect(found.flat().map(({ name }) => name)).toEqual(['a.txt'])
    expect(await trashOf(user)).toHaveLength(1)
  })

  it('is refused as a whole if one item is not in the folder, a name is taken or a lock prevents it', async () => {
    const member = await join('editor')
    const own = await member.client.upload('a.txt', 'mine')
    const move = (itemIds: string[]) => member.client.call(moveItems, { itemIds, targetFolderId: null })
    expect((await move([file, own.id])).status).toBe(404)
    expect(await move([file])).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    await lockItem(app, user, file)
    await member.client.call(trashFile, { id: own.id })
    expect(await move([file])).toMatchObject({ status: 423, body: { code: 'locked' } })
    expect((await member.client.call(copyItems, { itemIds: [file], targetFolderId: null })).status).toBe(201)
    expect(await trashOf(user)).toEqual([])
  })
})

describe('moving into a shared folder', () => {
  it('copies for the owner and puts the original into the mover’s trash', async () => {
    const member = await join('contributor')
    const own = await member.client.upload('own.txt', 'four')
    const { body } = await member.client.call(moveFile, { fileId: own.id, targetFolderId: inner })
    expect(body).toMatchObject({ name: 'own.txt', folder_id: inner })
    expect(await namesIn(inner)).toEqual(['a.txt', 'own.txt'])
    const [trashed] = await trashOf(member)
    expect(trashed).toMatchObject({ id: own.id })
    expect(trashed).not.toHaveProperty('deletedBy')
    expect((await usageOf(member)).bytes).toBe(4)
    expect((await usageOf(user)).bytes).toBe(7)
  })

  it('moves between the folders of two owners, for an editor of the one and a contributor of the other', async () => {
    const member = await join('editor')
    const first = user
    await switchToNewUser({})
    const other = (await makeFolder('Other')).id
    await join('contributor', other, member)
    const move = (id: string, targetFolderId: string) =>
      member.client.call(moveItems, { itemIds: [id], targetFolderId })
    expect((await move(file, other)).status).toBe(200)
    const [copy] = await childrenOf(user, other)
    expect(copy?.name).toBe('a.txt')
    expect(await trashOf(first)).toMatchObject([{ id: file, deletedBy: member.email }])
    expect((await move(copy?.id as string, inner)).status).toBe(403)
    expect(await childrenOf(member)).toEqual([])
  })

  it('moves between two folders that one owner shares, and within a folder that contains another shared one', async () => {
    const second = (await makeFolder('Second')).id
    const member = await join('editor')
    await join('contributor', second, member)
    await join('viewer', inner, member)
    const move = (id: string, targetFolderId: string) =>
      member.client.call(moveItems, { itemIds: [id], targetFolderId })
    // The role in the outer folder counts inside it, so the file itself moves.
    expect((await move(file, folder)).body).toEqual({ message: '1 item moved.', count: 1, itemIds: [file] })
    const { body } = await move(file, second)
    expect(body.trashedIds).toEqual([file])
    expect(await namesIn(second)).toEqual(['a.txt'])
    expect(await trashOf(user)).toMatchObject([{ id: file, deletedBy: member.email }])
    expect(await usageOf(user)).toEqual({ bytes: 6, items: 5 })
  })

  it('never takes anything from or into the vault', async () => {
    const member = await join('editor', folder, await app.createUser({ planName: '2 TB Annually' }))
    const secret = await member.client.upload('secret.bin', 'x', { isEncrypted: true })
    const vaultFolder = (await member.client.call(createFolder, { folderName: 'v', isEncrypted: true })).body.id
    const text = "You can't move or copy items between your files and the vault."
    const apart = { status: 409, body: { error: expect.stringContaining(text) } }
    for (const call of [copyItems, moveItems]) {
      expect(await member.client.call(call, { itemIds: [secret.id], targetFolderId: folder })).toMatchObject(apart)
      expect(await member.client.call(call, { itemIds: [file], targetFolderId: vaultFolder })).toMatchObject(apart)
      const all = { allIn: { folderId: null, isEncrypted: true }, targetFolderId: folder }
      expect(await member.client.call(call, all)).toMatchObject(apart)
    }
    expect((await usageOf(user)).items).toBe(3)
  })
})

describe('a change in two trees', () => {
  it('tells both users, and tells the mover’s other tabs that it is their own change', async () => {
    const member = await join('editor')
    const publish = vi.spyOn(app.services.events, 'publish')
    const moved = await member.client.call(moveItems, { itemIds: [file], targetFolderId: null })
    expect(publish.mock.calls.map(([userId]) => userId).sort()).toEqual([member.id, user.id].sort())
    const own = publish.mock.calls.find(([userId]) => userId === member.id)?.[1] as { version: string }
    expect(moved.headers['alcove-changed']).toMatch(new RegExp(` ${own.version.replaceAll('.', '\\.')}$`))
    publish.mockRestore()
  })

  it('never waits for its opposite: two users move to each other and add files at the same time', async () => {
    const other = await app.createUser()
    const theirs = await ownFolder(other, 'Theirs')
    const me = await addTestMember(app, other, theirs, 'contributor', user)
    const them = await join('contributor', folder, other)
    const count = 8
    const mine = await Promise.all(Array.from({ length: count }, (_unused, n) => user.client.upload(`m${n}`, 'm')))
    const their = await Promise.all(Array.from({ length: count }, (_unused, n) => other.client.upload(`t${n}`, 't')))
    const responses = await Promise.all([
      ...mine.map(({ id }) => me.client.call(moveItems, { itemIds: [id], targetFolderId: theirs })),
      ...their.map(({ id }) => them.client.call(moveItems, { itemIds: [id], targetFolderId: folder })),
      ...Array.from({ length: count }, (_unused, n) => me.client.call(createFolder, { folderName: `f${n}` })),
      ...Array.from({ length: count }, (_unused, n) => them.client.call(createFolder, { folderName: `f${n}` })),
    ])
    expect(responses.filter(({ status }) => status >= 300)).toEqual([])
    expect((await usageOf(user)).bytes).toBe(3 + 2 * count)
    expect((await usageOf(other)).bytes).toBe(2 * count)
  })

  it('takes no item limit from the wrong account and no time from ten thousand items', async () => {
    const member = await join('editor')
    const names = Array.from({ length: 10_000 }, (_unused, number) => `file ${number}`)
    await addManyItems(app.services, { ownerId: user.id, folderId: inner, names })
    const { status } = await member.client.call(moveItems, { itemIds: [inner], targetFolderId: null })
    expect(status).toBe(200)
    expect((await usageOf(member)).items).toBe(10_002)
    const { itemCount } = (await member.client.call(getItem, { id: (await childrenOf(member))[0]?.id as string })).body
    expect(itemCount).toBe(10_001)
    expect((await user.client.call(getFolder, { id: folder })).body.subFolders).toEqual([])
  })
})
