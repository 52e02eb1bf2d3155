import { randomUUID } from 'node:crypto'
import { addFavorite, listFavorites } from '@alcove/contract/favorites'
import { createFolder, getFolder, moveFile, moveFolder, renameFolder, trashFolder } from '@alcove/contract/files'
import { copyItems, getItem, getItemsDownloadUrl, listItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { createLink } from '@alcove/contract/links'
import {
  acceptHandOver,
  inviteMember,
  listSharedWithMe,
  offerHandOver,
  placeSharedFolder,
  removeMember,
  unplaceSharedFolder,
} from '@alcove/contract/members'
import { searchItems } from '@alcove/contract/search'
import { getPublicFolder, updatePublicLink } from '@alcove/contract/sharing'
import { deleteFolder, restoreFolder } from '@alcove/contract/trash'
import { createFolderPaths } from '@alcove/contract/uploads'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { checkCounters } from '../../commands/verify.ts'
import { readZip } from '../../testing/clients/zip.ts'
import { app, listIn, makeFolder, namesIn, setUpDrive, trash, user } from '../../testing/factories/drive.ts'
import { addTestMember, type TestMember } from '../../testing/factories/shares.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { deleteUser } from '../accounts/index.ts'

setUpDrive()

/** `user` is the member in these tests. */
let owner: TestUser
let shared: string
let memberId: string
beforeEach(async () => {
  owner = await app.createUser({ planName: '2 TB Annually' })
  shared = await makeFolderOf(owner, 'Trip')
  memberId = (await join('editor')).memberId
})

const join = (role: TestRole, folder = shared, from = owner): Promise<TestMember> =>
  addTestMember(app, from, folder, role, user)
type TestRole = Parameters<typeof addTestMember>[3]
const makeFolderOf = async ({ client }: TestUser, folderName: string, parentFolderId?: string) =>
  (await client.call(createFolder, { folderName, parentFolderId })).body.id
const place = async (fields: { targetFolderId?: string; name?: string } = {}) =>
  (await user.client.call(placeSharedFolder, { memberId, ...fields })).body
const sharedWithMe = async () => (await user.client.call(listSharedWithMe, {})).body.folders
const version = async ({ id }: TestUser) =>
  (await app.services.db.selectFrom('users').select('tree_version').where('id', '=', id).executeTakeFirstOrThrow())
    .tree_version

describe('placing a shared folder', () => {
  it('lists it among the own folders with its owner and the number of its items', async () => {
    await owner.client.upload('a.txt', 'a', { folderId: shared })
    const files = (await makeFolder('Files')).id
    const mount = await place({ targetFolderId: files })
    const described = { memberId, folderId: shared, role: 'editor', owner: { email: owner.email, displayName: null } }
    expect(mount).toMatchObject({ name: 'Trip', parentId: files, mount: described })
    expect(await listIn(files)).toMatchObject([{ id: mount.id, itemCount: 1, mount: described }])
    expect((await user.client.call(getFolder, { id: files })).body.subFolders).toMatchObject([{ mount: described }])
    expect(await sharedWithMe()).toMatchObject([{ mount: { id: mount.id, name: 'Trip', parentId: files } }])
  })

  it('returns the same mount if it is repeated, also at the same time', async () => {
    const placed = await Promise.all([place(), place({ name: 'Other' }), place()])
    expect(new Set(placed.map(({ id }) => id)).size).toBe(1)
    expect(await namesIn()).toEqual([placed[0]?.name])
  })

  it('numbers the name of the folder if it is taken, and refuses a chosen name that is', async () => {
    await makeFolder('Trip')
    expect((await user.client.call(placeSharedFolder, { memberId, name: 'Trip' })).body).toMatchObject({
      code: 'name_taken',
    })
    expect((await place()).name).toBe('Trip (1)')
  })

  it('refuses the vault, files, shared folders and folders inside them', async () => {
    const vault = await makeFolder('Secret', undefined, true)
    const own = await makeFolder('Own')
    const below = await makeFolder('Below', own.id)
    await addTestMember(app, user, own.id, 'viewer')
    for (const targetFolderId of [vault.id, own.id, below.id]) {
      expect((await user.client.call(placeSharedFolder, { memberId, targetFolderId })).status).toBe(409)
    }
    expect((await user.client.call(placeSharedFolder, { memberId, targetFolderId: shared })).status).toBe(404)
  })

  it('is for the member only', async () => {
    const stranger = await app.createUser()
    for (const { client } of [stranger, owner]) {
      expect((await client.call(placeSharedFolder, { memberId })).status).toBe(404)
      expect((await client.call(unplaceSharedFolder, { memberId })).status).toBe(404)
    }
  })

  it('counts neither as an item nor as used space', async () => {
    const mount = await place()
    await user.client.call(trashFolder, { id: mount.id })
    const outer = await makeFolder('Outer')
    await place({ targetFolderId: outer.id })
    await trash(outer.id, 'folder')
    await user.client.call(deleteFolder, { id: outer.id })
    const lines: string[] = []
    await checkCounters(app.services.db, (line) => lines.push(line))
    expect(lines.join('\n')).not.toContain(user.email)
  })
})

describe('a mount', () => {
  it('is renamed, moved and marked in the own tree only', async () => {
    const mount = await place()
    const files = await makeFolder('Files')
    const renamed = await user.client.call(renameFolder, { id: mount.id, newName: 'Holiday' })
    expect(renamed.body).toMatchObject({ name: 'Holiday', mount: { folderId: shared } })
    expect((await user.client.call(moveFolder, { folderId: mount.id, targetFolderId: files.id })).status).toBe(200)
    expect((await user.client.call(addFavorite, { itemType: 'folder', itemId: mount.id })).status).toBe(200)
    expect((await user.client.call(listFavorites, {})).body).toMatchObject([{ item: { mount: { folderId: shared } } }])
    expect(await namesIn(files.id)).toEqual(['Holiday'])
    await user.client.call(moveItems, { itemIds: [mount.id] })
    expect(await namesIn()).toEqual(['Files', 'Holiday'])
    expect((await owner.client.call(getItem, { id: shared })).body.item).toMatchObject({
      ...{ name: 'Trip', isFavorite: false },
    })
  })

  it('is found by its name and opens the shared folder', async () => {
    await place({ name: 'Unmistakable' })
    expect((await user.client.call(searchItems, { q: 'unmistak' })).body).toMatchObject([
      { id: shared, path: '/Unmistakable' },
    ])
  })

  it('tells its own place and what is in the shared folder', async () => {
    await owner.client.upload('a.txt', 'abc', { folderId: shared })
    const files = await makeFolder('Files')
    const mount = await place({ targetFolderId: files.id })
    expect((await user.client.call(getItem, { id: mount.id })).body).toMatchObject({
      item: { id: mount.id, mount: { folderId: shared } },
      ...{ path: [{ id: files.id }], itemCount: 1, totalSize: 3 },
    })
  })

  it('contains nothing at any door', async () => {
    const mount = await place()
    const own = await makeFolder('Own')
    const file = await user.client.upload('a.txt', 'a')
    const { client } = user
    const refused = [
      await client.call(createFolder, { folderName: 'In', parentFolderId: mount.id }),
      await client.call(moveFile, { fileId: file.id, targetFolderId: mount.id }),
      await client.call(moveFolder, { folderId: own.id, targetFolderId: mount.id }),
      await client.call(moveItems, { itemIds: [file.id], targetFolderId: mount.id }),
      await client.call(copyItems, { itemIds: [file.id], targetFolderId: mount.id }),
      await client.call(createFolderPaths, { parentFolderId: mount.id, folderPaths: ['In'] }),
      await client.call(listItems, { folderId: mount.id }),
      await client.call(getFolder, { id: mount.id }),
      await client.call(inviteMember, { id: mount.id, email: 'a@example.com', role: 'viewer' }),
      await client.call(createLink, { id: mount.id }),
      await client.call(updatePublicLink, { id: mount.id, enabled: true }),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404))
    const byPath = await client.call(createFolderPaths, { folderPaths: ['Trip/In'] })
    expect(byPath.body).toMatchObject({ code: 'name_taken' })
    const upload = (fields: object) =>
      client.sendChunk(
        { uploadId: randomUUID(), filename: 'b.txt', chunkIndex: 0, totalChunks: 1, complete: true, ...fields },
        'b',
      )
    expect((await upload({ folderId: mount.id })).status).toBe(404)
    expect((await upload({ relativePath: 'Trip/b.txt' })).status).toBe(409)
    const inside = app.services.db.selectFrom('items').select('id').where('parent_id', '=', mount.id)
    expect(await inside.execute()).toEqual([])
  })

  it('is not moved into a folder that the user shares', async () => {
    const mount = await place()
    const own = await makeFolder('Own')
    await addTestMember(app, user, own.id, 'viewer')
    const moved = await user.client.call(moveFolder, { folderId: mount.id, targetFolderId: own.id })
    expect(moved).toMatchObject({ status: 409, body: { error: expect.stringContaining('a folder that you share') } })
    const both = await user.client.call(moveItems, { itemIds: [mount.id], targetFolderId: own.id })
    expect(both.status).toBe(409)
  })

  it('is left out of copies, which need something else to copy', async () => {
    const outer = await makeFolder('Outer')
    const mount = await place({ targetFolderId: outer.id })
    const target = await makeFolder('Target')
    await user.client.call(copyItems, { itemIds: [outer.id], targetFolderId: target.id })
    const [copy] = await listIn(target.id)
    expect(await namesIn(copy?.id)).toEqual([])
    const alone = await user.client.call(copyItems, { itemIds: [mount.id], targetFolderId: target.id })
    expect(alone).toMatchObject({ status: 409, body: { error: expect.stringContaining('copied as a whole') } })
  })

  it('is left out of ZIPs', async () => {
    const outer = await makeFolder('Outer')
    await user.client.upload('a.txt', 'a', { folderId: outer.id })
    await place({ targetFolderId: outer.id })
    await owner.client.upload('hidden.txt', 'x', { folderId: shared })
    const { pathname, search } = new URL(
      (await user.client.call(getItemsDownloadUrl, { allIn: { folderId: null } })).body.url,
    )
    const zip = await app.visitor.request({ method: 'GET', url: pathname + search })
    expect([...(await readZip(zip.bytes)).keys()].sort()).toEqual(['Outer/', 'Outer/a.txt'])
  })

  it('is hidden from members and visitors of the folder around it, with its number', async () => {
    const outer = await makeFolder('Outer')
    const inner = await makeFolder('Inner', outer.id)
    await place({ targetFolderId: inner.id })
    const guest = await addTestMember(app, user, outer.id, 'manager')
    expect((await guest.client.call(listItems, { folderId: inner.id })).body).toMatchObject({ items: [], total: 0 })
    expect((await guest.client.call(getFolder, { id: inner.id })).body.subFolders).toEqual([])
    expect((await guest.client.call(listItems, { folderId: outer.id })).body.items).toMatchObject([{ itemCount: 0 }])
    expect((await guest.client.call(getItem, { id: outer.id })).body.itemCount).toBe(1)
    const { link } = (await user.client.call(updatePublicLink, { id: outer.id, enabled: true })).body
    const token = link.split('/').at(-1) as string
    const page = (await app.visitor.call(getPublicFolder, { token, id: inner.id })).body
    expect(page).toMatchObject({ subFolders: [], contents: { folders: 0, files: 0 } })
  })

  it('makes no circle of two folders that are shared with each other', async () => {
    const own = await makeFolder('Own')
    const back = await addTestMember(app, user, own.id, 'editor', owner)
    expect((await user.client.call(placeSharedFolder, { memberId, targetFolderId: own.id })).status).toBe(409)
    const mount = await place()
    // Shared after the mount was placed below: the mount stays, and only its owner sees it.
    const outer = await makeFolder('Outer')
    await user.client.call(moveFolder, { folderId: mount.id, targetFolderId: outer.id })
    await addTestMember(app, user, outer.id, 'editor', owner)
    const refused = await owner.client.call(placeSharedFolder, { memberId: back.memberId, targetFolderId: shared })
    expect(refused.status).toBe(409)
    expect((await owner.client.call(listItems, { folderId: outer.id })).body.items).toEqual([])
  })
})

describe('removing a mount', () => {
  it('takes it out of the own tree and leaves the folder shared', async () => {
    await place()
    const { body } = await user.client.call(unplaceSharedFolder, { memberId })
    expect(body.message).toBe('The folder was removed from your files. It stays under “Shared with me”.')
    expect(await namesIn()).toEqual([])
    expect(await sharedWithMe()).toMatchObject([{ id: shared, mount: null }])
    expect((await user.client.call(unplaceSharedFolder, { memberId })).status).toBe(200)
  })

  it('happens instead of moving it to the trash', async () => {
    const mount = await place()
    const file = await user.client.upload('a.txt', 'a')
    const trashed = await user.client.call(trashItems, { itemIds: [mount.id, file.id] })
    expect(trashed.body).toMatchObject({ count: 1, itemIds: [file.id] })
    expect(trashed.body.message).toContain('They stay under “Shared with me”.')
    const again = await place()
    const alone = await user.client.call(trashFolder, { id: again.id })
    expect(alone.body.message).toContain('They stay under “Shared with me”.')
    expect(await sharedWithMe()).toMatchObject([{ mount: null }])
    expect((await owner.client.call(getItem, { id: shared })).status).toBe(200)
  })

  it('follows a folder into the trash and back, and can be placed anew meanwhile', async () => {
    const outer = await makeFolder('Outer')
    const mount = await place({ targetFolderId: outer.id })
    await trash(outer.id, 'folder')
    expect(await sharedWithMe()).toMatchObject([{ mount: null }])
    await user.client.call(restoreFolder, { id: outer.id })
    expect(await listIn(outer.id)).toMatchObject([{ id: mount.id }])
    await trash(outer.id, 'folder')
    expect((await place()).parentId).toBeNull()
    await user.client.call(restoreFolder, { id: outer.id })
    expect(await namesIn(outer.id)).toEqual([])
  })
})

describe('handing over a folder that contains a mount', () => {
  it('removes the mount, which is nobody else’s, and counts right', async () => {
    const outer = await makeFolder('Outer')
    const mount = await place()
    await user.client.call(moveFolder, { folderId: mount.id, targetFolderId: outer.id })
    const heir = await addTestMember(app, user, outer.id, 'editor', owner)
    await user.client.call(offerHandOver, { id: outer.id, memberId: heir.memberId })
    expect((await owner.client.call(acceptHandOver, { id: outer.id })).status).toBe(200)
    expect((await owner.client.call(listItems, { folderId: outer.id })).body.items).toEqual([])
    expect(await sharedWithMe()).toEqual(expect.arrayContaining([expect.objectContaining({ id: shared, mount: null })]))
    const lines: string[] = []
    await checkCounters(app.services.db, (line) => lines.push(line))
    expect(lines.join('\n')).not.toContain('@')
  })
})

describe('the end of a membership', () => {
  const ends: Record<string, () => Promise<unknown>> = {
    'the member leaves': () => user.client.call(removeMember, { id: shared, memberId }),
    'the owner removes the member': () => owner.client.call(removeMember, { id: shared, memberId }),
    'the owner deletes the folder for good': async () => {
      await owner.client.call(trashFolder, { id: shared })
      await owner.client.call(deleteFolder, { id: shared })
    },
    'the account of the owner is deleted': () => deleteUser(app.services, owner.id),
  }
  for (const [when, end] of Object.entries(ends)) {
    it(`removes the mount and tells the member's tabs when ${when}`, async () => {
      await place()
      const before = await version(user)
      await end()
      await app.services.jobs.runDue()
      expect(await namesIn()).toEqual([])
      await vi.waitFor(async () => expect(await version(user)).toBeGreaterThan(before))
    })
  }

  it('hides the mount while the folder is in the trash of its owner', async () => {
    await place()
    await owner.client.call(trashFolder, { id: shared })
    expect((await user.client.call(listItems, {})).body).toMatchObject({ items: [], total: 0 })
    await owner.client.call(restoreFolder, { id: shared })
    expect(await namesIn()).toEqual(['Trip'])
  })
})
