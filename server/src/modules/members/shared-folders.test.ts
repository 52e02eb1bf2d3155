import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { downloadItem, fetchFile, getDownloadUrl, getThumbnail } from '@alcove/contract/bytes'
import { addFavorite } from '@alcove/contract/favorites'
import { createFolder, getFolder, moveFile, renameFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { getItem, getItemsDownloadUrl, listItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { MAX_DOWNLOAD_SELECTIONS } from '@alcove/contract/limits'
import { changeMember, listSharedWithMe, removeMember } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { endOtherSessions } from '@alcove/contract/sessions'
import { updatePublicLink } from '@alcove/contract/sharing'
import { deleteFile, listTrash } from '@alcove/contract/trash'
import { cancelUpload, completeUpload, createFolderPaths, getUpload, verifyUploads } from '@alcove/contract/uploads'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readZip } from '../../testing/clients/zip.ts'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { app, makeFolder, readStorage, setUpDrive, switchToNewUser, user } from '../../testing/factories/drive.ts'
import { addTestMember, type TestMember } from '../../testing/factories/shares.ts'
import { deleteUser } from '../accounts/index.ts'

setUpDrive()

let outer: string
let folder: string
let inner: string
beforeEach(async () => {
  outer = (await makeFolder('Private')).id
  folder = (await makeFolder('Trip', outer)).id
  inner = (await makeFolder('Day 1', folder)).id
})

const join = (role: Role, id = folder) => addTestMember(app, user, id, role)
const setRole = ({ memberId }: TestMember, role: Role) => user.client.call(changeMember, { id: folder, memberId, role })
const remove = ({ memberId }: TestMember) => user.client.call(removeMember, { id: folder, memberId })
const namesOf = async (id = folder) => (await user.client.call(getFolder, { id })).body.files.map(({ name }) => name)
const ownerStorage = () =>
  app.services.db
    .selectFrom('users')
    .select(['used_bytes', 'reserved_bytes', 'item_count'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
const chunk = (fields: object) => ({
  ...{ uploadId: randomUUID(), filename: 'a.bin', chunkIndex: 0, totalChunks: 2, totalSize: 20, chunkSize: 10 },
  ...{ folderId: folder, ...fields },
})
async function follow(url: string) {
  const { pathname, search } = new URL(url)
  return app.visitor.request({ method: 'GET', url: pathname + search })
}

describe('what a member sees', () => {
  it('begins at the shared folder', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: inner })
    const { client } = await join('viewer')
    expect((await client.call(getFolder, { id: folder })).body).toMatchObject({
      ...{ id: folder, name: 'Trip', parentId: null, path: [] },
      subFolders: [{ id: inner, parentId: folder }],
    })
    const path = [{ id: folder, name: 'Trip' }]
    expect((await client.call(getFolder, { id: inner })).body).toMatchObject({ parentId: folder, path })
    expect((await client.call(getItem, { id: folder })).body).toMatchObject({ item: { parentId: null }, path: [] })
    expect((await client.call(getItem, { id: file.id })).body).toMatchObject({
      item: { folder_id: inner, sharedBy: { email: user.email, displayName: null, role: 'viewer' } },
      path: [...path, { id: inner, name: 'Day 1' }],
    })
    expect((await client.call(listItems, { folderId: folder })).body.items).toMatchObject([{ parentId: folder }])
    for (const id of [outer, randomUUID()]) expect((await client.call(getFolder, { id })).status).toBe(404)
  })

  it('has nothing of the owner’s favorites, links and what is beside it', async () => {
    await makeFolder('TRIP', outer)
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    await user.client.call(addFavorite, { itemType: 'file', itemId: file.id })
    for (const id of [file.id, folder]) await user.client.call(updatePublicLink, { id, enabled: true })
    expect((await user.client.call(getItem, { id: folder })).body.caseTwin).toBe('TRIP')
    const { client } = await join('manager')
    const { body } = await client.call(getItem, { id: folder })
    expect(body).toMatchObject({ item: { isShared: false, isFavorite: false } })
    expect(body.caseTwin).toBeUndefined()
    expect((await client.call(getItem, { id: file.id })).body.item).toMatchObject({
      isShared: false,
      isFavorite: false,
    })
    expect((await user.client.call(getItem, { id: file.id })).body.item).toMatchObject({
      isShared: true,
      isFavorite: true,
    })
  })

  it('has nothing of the trash', async () => {
    const picture = await user.client.upload('a.png', 'not a picture', { folderId: folder })
    const { client } = await join('editor')
    expect((await client.raw(getThumbnail, { id: picture.id })).status).toBe(415)
    await user.client.call(trashFile, { id: picture.id })
    expect((await user.client.raw(getThumbnail, { id: picture.id })).status).toBe(415)
    expect((await client.raw(getThumbnail, { id: picture.id })).status).toBe(404)
    for (const call of [getItem, listVersions]) expect((await client.call(call, { id: picture.id })).status).toBe(404)
  })

  it('ends when the folder goes to the trash', async () => {
    const { client } = await join('manager')
    await user.client.call(trashFolder, { id: outer })
    for (const id of [folder, inner]) expect((await client.call(getFolder, { id })).status).toBe(404)
    expect((await client.call(createFolder, { folderName: 'x', parentFolderId: folder })).status).toBe(404)
    expect((await client.call(listSharedWithMe, {})).body.folders).toEqual([])
  })

  it('is not reached by app passwords, which act for their own user only', async () => {
    const member = await join('manager')
    const app1 = await addAppPassword(app, member)
    expect((await app1.client.call(getFolder, { id: folder })).status).toBe(404)
    expect((await app1.client.call(createFolder, { folderName: 'x', parentFolderId: folder })).status).toBe(404)
  })

  it('is that of the higher role where folders inside each other are shared', async () => {
    const viewer = await join('viewer')
    await addTestMember(app, user, inner, 'contributor', viewer)
    const add = (parentFolderId: string) => viewer.client.call(createFolder, { folderName: 'x', parentFolderId })
    expect((await add(inner)).status).toBe(201)
    expect((await add(folder)).status).toBe(403)
    const editor = await join('editor')
    await addTestMember(app, user, inner, 'manager', editor)
    const file = await user.client.upload('a.txt', 'a', { folderId: inner })
    expect((await editor.client.call(moveFile, { fileId: file.id, targetFolderId: folder })).status).toBe(200)
  })

  it('costs users without shared folders no statement', async () => {
    const own = await app.createUser()
    const { id } = (await own.client.call(createFolder, { folderName: 'own' })).body
    const list = () => own.client.call(listItems, { folderId: id })
    const count = async () => {
      // The first list counts the items of the folder, which later ones remember.
      await list()
      return countStatements(list)
    }
    const alone = await count()
    await addTestMember(app, user, folder, 'viewer', own)
    expect(await count()).toBe(alone + 1)
    await own.client.call(removeMember, {
      id: folder,
      memberId: (await own.client.call(listSharedWithMe, {})).body.folders[0]?.memberId as string,
    })
    expect(await count()).toBe(alone)
  })
})

describe('a download address of a member', () => {
  async function sign(role: Role = 'viewer') {
    const file = await user.client.upload('a.txt', 'content', { folderId: inner })
    const member = await join(role)
    const urlOf = async (id: string) => (await member.client.call(getDownloadUrl, { id })).body.url
    return { file, member, url: await urlOf(file.id), zip: await urlOf(folder) }
  }

  it('returns a file, and the shared folder as a ZIP', async () => {
    const { url, zip } = await sign()
    expect((await follow(url)).bytes.toString()).toBe('content')
    expect([...(await readZip((await follow(zip)).bytes)).keys()]).toEqual(['Trip/', 'Trip/Day 1/', 'Trip/Day 1/a.txt'])
  })

  it('returns a selection or everything in the folder as a ZIP, even if the owner downloads much at the same time', async () => {
    const { file, member } = await sign()
    const other = await user.client.upload('b.txt', 'b', { folderId: folder })
    const urlOf = async ({ client }: Pick<TestMember, 'client'>, selection: object) =>
      (await client.call(getItemsDownloadUrl, selection)).body.url
    const some = await urlOf(member, { itemIds: [file.id, other.id] })
    const all = await urlOf(member, { allIn: { folderId: folder } })
    for (let sent = 0; sent < MAX_DOWNLOAD_SELECTIONS; sent++) await urlOf(user, { itemIds: [other.id] })
    const read = async (url: string) => [...(await readZip((await follow(url)).bytes)).keys()]
    expect(await read(some)).toEqual(['a.txt', 'b.txt'])
    expect(await read(all)).toEqual(['b.txt', 'Day 1/', 'Day 1/a.txt'])
    // What leaves the folder leaves the ZIP.
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: outer })
    expect(await read(some)).toEqual(['b.txt'])
    await remove(member)
    for (const url of [some, all]) expect((await follow(url)).status).toBe(403)
  })

  it('of a selection works only for the member and the selection for which it was signed', async () => {
    const { file, member, url } = await sign()
    const outside = await user.client.upload('c.txt', 'c', { folderId: outer })
    const another = await join('viewer')
    const selected = async ({ client }: TestMember) =>
      (await client.call(getItemsDownloadUrl, { itemIds: [file.id] })).body.url
    const idOf = (address: string) => new URL(address).pathname.split('/').at(-1) as string
    const [mine, theirs] = [await selected(member), await selected(another)]
    for (const forged of [
      mine.replace(member.memberId, another.memberId),
      mine.replace(/&member=[^&]+/, ''),
      mine.replace(idOf(mine), idOf(theirs)),
      mine.replace(idOf(mine), idOf(url)),
      mine.replace(`owner=${user.id}`, `owner=${member.id}`),
    ]) {
      expect((await follow(forged)).status).toBe(403)
    }
    for (const itemIds of [[outside.id], [file.id, outside.id]]) {
      expect((await member.client.call(getItemsDownloadUrl, { itemIds })).status).toBe(404)
    }
    await user.client.call(trashFolder, { id: folder })
    expect((await follow(mine)).status).toBe(403)
  })

  it('stops when the member is removed', async () => {
    const { url, zip, member } = await sign()
    await remove(member)
    for (const address of [url, zip]) expect((await follow(address)).status).toBe(403)
  })

  it('stops when the member’s account is deleted or signs out elsewhere', async () => {
    const { url, member } = await sign()
    app.clock.advance(1)
    await member.client.call(endOtherSessions, {})
    const { grants_revoked_at } = await app.services.db
      .selectFrom('users')
      .select('grants_revoked_at')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(grants_revoked_at).not.toBeNull()
    expect((await follow(url)).status).toBe(403)
    const again = (await member.client.call(getDownloadUrl, { id: folder })).body.url
    expect((await follow(again)).status).toBe(200)
    await deleteUser(app.services, member.id)
    expect((await follow(again)).status).toBe(403)
  })

  it('stops when the item leaves the folder or the folder goes to the trash', async () => {
    const { url, zip, file } = await sign()
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: outer })
    expect((await follow(url)).status).toBe(404)
    await user.client.call(trashFolder, { id: folder })
    expect((await follow(zip)).status).toBe(403)
  })

  it('can’t be changed to another membership or to none', async () => {
    const { url, member, file } = await sign()
    const other = await join('viewer')
    expect((await follow(url.replace(member.memberId, other.memberId))).status).toBe(403)
    expect((await follow(url.replace(/&member=[^&]+/, ''))).status).toBe(403)
    const own = (await user.client.call(getDownloadUrl, { id: file.id })).body.url
    expect((await follow(`${own}&member=${member.memberId}`)).status).toBe(403)
    expect((await app.visitor.raw(downloadItem, { id: file.id })).status).toBe(400)
  })

  it('ends a download in progress soon after the member is removed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const large = await user.client.upload('large.bin', new Uint8Array(40_000_000), { folderId: folder })
      const member = await join('viewer')
      const url = new URL((await member.client.call(getDownloadUrl, { id: large.id })).body.url)
      await app.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.app.server.address() as AddressInfo
      const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
        request({ port, host: '127.0.0.1', path: url.pathname + url.search }, resolve).end(),
      )
      response.on('error', () => {})
      // Reads nothing, so the response stays open.
      const ended = new Promise((resolve) => response.once('close', resolve))
      await remove(member)
      await vi.advanceTimersByTimeAsync(5_000)
      response.resume()
      await ended
      expect(response.complete).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('what a contributor adds', () => {
  it('takes the owner’s quota and is the owner’s', async () => {
    const member = await join('contributor')
    const before = await ownerStorage()
    await member.client.upload('a.txt', '12345', { folderId: folder })
    await member.client.call(createFolder, { folderName: 'new', parentFolderId: inner })
    await member.client.call(createFolderPaths, { parentFolderId: folder, folderPaths: ['x/y'] })
    const uploadId = randomUUID()
    const sent = await member.client.sendFiles([{ uploadId, filename: 'b.txt', size: 3, folderId: folder }], '123')
    expect(sent.body.results).toMatchObject([{ status: 201, file: { folder_id: folder } }])
    expect((await member.client.call(verifyUploads, { uploadIds: [uploadId] })).body.stored).toMatchObject([
      { size: 3 },
    ])
    const withForgotten = { uploadIds: [randomUUID(), uploadId] }
    expect((await member.client.call(verifyUploads, withForgotten)).body.stored).toMatchObject([{ uploadId }])
    const after = await ownerStorage()
    expect(after.used_bytes - before.used_bytes).toBe(8)
    expect(after.item_count - before.item_count).toBe(5)
    expect(await namesOf()).toEqual(['a.txt', 'b.txt'])
    const own = await app.services.db.selectFrom('items').select('name').where('owner_id', '=', member.id).execute()
    expect(own.map(({ name }) => name)).toEqual(['', ''])
  })

  it('is refused without numbers when the owner’s storage is full', async () => {
    await switchToNewUser({ allocatedBytes: 10 })
    folder = (await makeFolder('Small')).id
    const member = await join('contributor')
    const fields = { folderId: folder, chunkIndex: 0, totalChunks: 1, complete: true, filename: 'a' }
    const { status, body } = await member.client.sendChunk({ ...fields, uploadId: randomUUID() }, 'more than ten bytes')
    expect(status).toBe(413)
    expect(body).toEqual({
      ...{ code: 'quota_exceeded', error: expect.any(String) },
      message: 'The storage of the owner of this folder is full. Ask the owner to free space.',
    })
    const files = [{ uploadId: randomUUID(), filename: 'b', size: 19, folderId: folder }]
    const together = await member.client.sendFiles(files, 'more than ten bytes')
    expect(together.body.results?.[0]?.refusal).toEqual(body)
    expect(await readStorage()).toEqual({ used_bytes: 0, reserved_bytes: 0 })
  })

  it('never replaces anything and never makes earlier versions give way', async () => {
    await user.client.upload('a.txt', 'mine', { folderId: folder })
    const member = await join('contributor')
    const fields = chunk({ filename: 'a.txt', totalChunks: 1, totalSize: 5, onConflict: 'replace' })
    expect(await member.client.sendChunk({ ...fields, complete: true }, 'other')).toMatchObject({
      status: 403,
      body: { error: 'You can only view this shared folder and add to it.' },
    })
    const begun = { ...fields, onConflict: 'keepBoth' }
    expect((await member.client.sendChunk(begun, 'other')).status).toBe(200)
    const end = { uploadId: fields.uploadId, onConflict: 'replace' } as const
    expect((await member.client.call(completeUpload, end)).status).toBe(403)
    expect((await member.client.call(completeUpload, { ...end, onConflict: 'keepBoth' })).status).toBe(201)
    expect(await namesOf()).toEqual(['a (1).txt', 'a.txt'])

    await switchToNewUser({ allocatedBytes: 1000 })
    folder = (await makeFolder('Small')).id
    await user.client.upload('v.txt', 'v'.repeat(400), { folderId: folder })
    await user.client.upload('v.txt', 'w'.repeat(400), { folderId: folder, onConflict: 'replace' })
    app.clock.advance(48 * 3_600_000)
    const other = await join('contributor')
    const large = { ...chunk({ totalChunks: 1, totalSize: 500, chunkSize: undefined }), complete: true }
    expect((await other.client.sendChunk(large, 'x'.repeat(500))).status).toBe(413)
    expect((await user.client.sendChunk({ ...large, uploadId: randomUUID() }, 'x'.repeat(500))).status).toBe(201)
  })

  it('needs a folder, so that nothing of the own drive is put there by mistake', async () => {
    const member = await join('contributor')
    const uploadId = randomUUID()
    const files = [
      { uploadId, filename: 'a', size: 1, folderId: folder },
      { uploadId: randomUUID(), filename: 'b', size: 1 },
    ]
    const { body } = await member.client.sendFiles(files, 'ab')
    expect(body.results?.map(({ status }) => status)).toEqual([201, 404])
    expect(await namesOf()).toEqual(['a'])
  })

  it('belongs to the member while it is being sent: the owner and other members don’t see it', async () => {
    const member = await join('contributor')
    const other = await join('manager')
    const begun = chunk({})
    const { uploadId } = begun
    expect((await member.client.sendChunk(begun, '0123456789')).status).toBe(200)
    for (const { client } of [user, other]) {
      expect((await client.call(getUpload, { uploadId })).status).toBe(404)
      expect((await client.call(cancelUpload, { uploadId })).status).toBe(404)
      expect((await client.call(completeUpload, { uploadId })).status).toBe(404)
      expect((await client.sendChunk({ ...begun, chunkIndex: 1 }, '0123456789')).status).toBe(404)
      expect((await client.call(verifyUploads, { uploadIds: [uploadId] })).body).toEqual({ stored: [], gone: [] })
    }
    expect((await member.client.call(getUpload, { uploadId })).body.received).toEqual([0])
    expect((await member.client.call(cancelUpload, { uploadId })).status).toBe(200)
    expect((await ownerStorage()).reserved_bytes).toBe(0)
  })

  it('is not followed when the owner moves it elsewhere', async () => {
    const member = await join('contributor')
    const uploadId = randomUUID()
    const file = await member.client.upload('a.txt', 'a', { uploadId, folderId: folder })
    expect((await member.client.call(getUpload, { uploadId })).body.file?.id).toBe(file.id)
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: outer })
    expect((await member.client.call(getUpload, { uploadId })).body.file).toBeUndefined()
    const again = { uploadId, filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: true, folderId: folder }
    expect((await member.client.sendChunk(again, 'a')).status).toBe(404)
    expect((await member.client.call(completeUpload, { uploadId, folderId: folder })).status).toBe(404)
  })

  it('arrives completely when two members and the owner add at once', async () => {
    const clients = [user, await join('contributor'), await join('editor')].map(({ client }) => client)
    const sent = clients.flatMap((client, who) =>
      Array.from({ length: 8 }, (_unused, index) => client.upload('same.txt', `${who} ${index}`, { folderId: folder })),
    )
    const folders = clients.map((client) =>
      client.call(createFolderPaths, { parentFolderId: folder, folderPaths: ['shared/a', 'shared/b'] }),
    )
    await Promise.all([...sent, ...folders])
    expect(new Set(await namesOf()).size).toBe(24)
    const { subFolders } = (await user.client.call(getFolder, { id: folder })).body
    expect(subFolders.map(({ name }) => name)).toEqual(['Day 1', 'shared'])
    const { used_bytes, item_count } = await ownerStorage()
    expect(used_bytes).toBe(24 * 3)
    expect(item_count).toBe(3 + 24 + 3)
  })
})

describe('lowering a role', () => {
  it.each([
    ['to viewer', 403, (member: TestMember) => setRole(member, 'viewer')],
    ['by removal', 404, remove],
  ])('%s ends an upload at its next request and releases its bytes', async (_how, status, lower) => {
    const member = await join('contributor')
    const [first, second] = [chunk({}), chunk({ totalSize: undefined })]
    for (const begun of [first, second]) expect((await member.client.sendChunk(begun, '0123456789')).status).toBe(200)
    expect((await ownerStorage()).reserved_bytes).toBe(30)
    expect((await lower(member)).status).toBe(200)
    expect((await ownerStorage()).reserved_bytes).toBe(0)
    const { db } = app.services
    const left = await db.selectFrom('uploads').select('id').where('owner_id', '=', user.id).execute()
    expect(left).toEqual([])
    expect((await member.client.sendChunk({ ...first, chunkIndex: 1 }, '0123456789')).status).toBe(status)
    expect((await member.client.call(completeUpload, { uploadId: first.uploadId, folderId: folder })).status).toBe(
      status,
    )
    expect(await namesOf()).toEqual([])
    await app.services.jobs.runDue()
    expect(await db.selectFrom('blob_removals').selectAll().execute()).toEqual([])
  })

  it('from editor to contributor refuses an upload that would replace', async () => {
    await user.client.upload('a.bin', 'mine', { folderId: folder })
    const member = await join('editor')
    const begun = chunk({ onConflict: 'replace' })
    await member.client.sendChunk(begun, '0123456789')
    await setRole(member, 'contributor')
    expect((await member.client.sendChunk({ ...begun, chunkIndex: 1 }, '0123456789')).status).toBe(200)
    expect((await member.client.call(completeUpload, { uploadId: begun.uploadId })).status).toBe(403)
    expect((await user.client.raw(fetchFile, { filename: 'a.bin', folderId: folder })).bytes.toString()).toBe('mine')
  })

  it('leaves no reservation behind when uploads begin at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await join('contributor')
      const sent = Array.from({ length: 6 }, () => member.client.sendChunk(chunk({}), '0123456789'))
      const [lowered, ...responses] = await Promise.all([setRole(member, 'viewer'), ...sent])
      expect(lowered.status).toBe(200)
      for (const { status } of responses) expect([200, 403, 404]).toContain(status)
      expect((await ownerStorage()).reserved_bytes).toBe(0)
    }
  })

  it('takes effect at the next request', async () => {
    const member = await join('editor')
    await setRole(member, 'viewer')
    expect((await member.client.call(renameFolder, { id: inner, newName: 'x' })).status).toBe(403)
    expect((await member.client.call(getFolder, { id: folder })).status).toBe(200)
    await remove(member)
    expect((await member.client.call(getFolder, { id: folder })).status).toBe(404)
  })
})

describe('what an editor changes', () => {
  it('goes to the owner’s trash, from which the owner restores it', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    const member = await join('editor')
    expect((await member.client.call(trashItems, { itemIds: [file.id, inner] })).body.count).toBe(2)
    expect((await user.client.call(listTrash, {})).body).toMatchObject({
      files: [{ id: file.id }],
      folders: [{ id: inner }],
    })
    expect((await member.client.call(listTrash, {})).body).toMatchObject({ files: [], folders: [] })
    expect((await member.client.call(deleteFile, { id: file.id })).status).toBe(404)
  })

  it('never reaches what is beside the folder', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    const outside = await user.client.upload('b.txt', 'b', { folderId: outer })
    const member = await join('manager')
    const own = await member.client.upload('own.txt', 'own')
    const ownFolder = (await member.client.call(createFolder, { folderName: 'own' })).body.id
    const move = (itemIds: string[], targetFolderId: string | null) =>
      member.client.call(moveItems, { itemIds, targetFolderId })
    for (const [ids, target] of [
      [[file.id], outer],
      [[own.id], outer],
      [[file.id, own.id], ownFolder],
      [[file.id, own.id], inner],
      [[file.id, outside.id], inner],
      [[folder], inner],
    ] as const) {
      expect((await move([...ids], target)).status).toBe(404)
    }
    expect((await move([file.id], inner)).status).toBe(200)
    expect((await member.client.call(moveFile, { fileId: file.id, targetFolderId: folder })).status).toBe(200)
  })

  it('replaces a file and keeps the old bytes as a version, with the member as its author', async () => {
    const file = await user.client.upload('a.txt', 'first', { folderId: folder })
    const member = await join('editor')
    const replaced = await member.client.upload('a.txt', 'second', { folderId: folder, onConflict: 'replace' })
    expect(replaced.id).toBe(file.id)
    const versions = async ({ client }: Pick<TestMember, 'client'>) =>
      (await client.call(listVersions, { id: file.id })).body.versions
    expect(await versions(user)).toMatchObject([{ author: member.email, size: 5 }])
    expect(await versions(member)).toMatchObject([{ author: member.email, device: '' }])
  })
})
