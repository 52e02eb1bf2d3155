import { randomUUID } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import { addFavorite } from '@alcove/contract/favorites'
import {
  createFolder,
  getFolder,
  getStorage,
  listFiles,
  listRootFolders,
  moveFile,
  moveFolder,
  renameFile,
  renameFolder,
  trashFile,
  trashFolder,
} from '@alcove/contract/files'
import { copyItems, getItem, getItemsDownloadUrl, listItems } from '@alcove/contract/item-calls'
import { getPublicItem, updatePublicLink } from '@alcove/contract/sharing'
import { deleteFile, listTrash, restoreFile, restoreFolder } from '@alcove/contract/trash'
import { completeUpload, createFolderPaths } from '@alcove/contract/uploads'
import {
  downloadVaultFile,
  getVaultFolder,
  listVaultFiles,
  listVaultFolders,
  sampleVault,
} from '@alcove/contract/vault'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

const PAID = '2 TB Annually'
const check = 'Zm9vYmFyLWZvb2Jhcg_0'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: PAID })
})

async function makeFolder(folderName: string, parentFolderId?: string, isEncrypted: boolean | undefined = true) {
  const response = await user.client.call(createFolder, { folderName, parentFolderId, isEncrypted })
  expect(response.status).toBe(201)
  return response.body
}

const addFile = (name: string, content: string, fields: object = {}) =>
  user.client.upload(name, content, { isEncrypted: true, ...fields })

const names = (items: readonly { name: string }[]) => items.map((item) => item.name)

/** Puts the user on the free plan, as when a paid plan ends. */
async function downgrade() {
  await app.services.db.updateTable('users').set({ plan_id: 0, plan_name: 'free' }).where('id', '=', user.id).execute()
}

describe('the vault', () => {
  it('lists the vault root in natural order, separately from the drive', async () => {
    await user.client.upload('drive.txt', 'x')
    await makeFolder('Photos', undefined, false)
    for (const name of ['b10.txt', 'b9.txt', 'a.pdf']) await addFile(name, 'x')
    const papers = await makeFolder('Papers')
    await addFile('inside.txt', 'x', { folderId: papers.id })

    const files = (await user.client.call(listVaultFiles, {})).body
    expect(names(files)).toEqual(['a.pdf', 'b9.txt', 'b10.txt'])
    expect(files[0]).toMatchObject({
      folder_id: null,
      isEncrypted: true,
      isFavorite: false,
      mimeType: 'application/pdf',
    })
    expect((await user.client.call(listVaultFolders, {})).body).toEqual([papers])
    expect(names((await user.client.call(listFiles, {})).body.files)).toEqual(['drive.txt'])
    expect(names((await user.client.call(listRootFolders, {})).body)).toEqual(['Photos'])
  })

  it("returns a vault folder with its ancestors, and 404 for drive and other users' folders", async () => {
    const papers = await makeFolder('Papers')
    const year = await makeFolder('2024', papers.id, undefined)
    await addFile('a.txt', 'x', { folderId: year.id, vaultCheck: check })
    const { body } = await user.client.call(getVaultFolder, { folderId: year.id })
    expect(body).toMatchObject({ id: year.id, name: '2024', parentId: papers.id, subFolders: [] })
    expect(body.path).toEqual([{ id: papers.id, name: 'Papers' }])
    expect(body.files).toMatchObject([{ name: 'a.txt', folder_id: year.id, vaultCheck: check }])
    expect((await user.client.call(getVaultFolder, { folderId: papers.id })).body).toMatchObject({
      parentId: null,
      subFolders: [year],
    })

    const inDrive = await makeFolder('Photos', undefined, false)
    const other = await app.createUser({ planName: PAID })
    const open = async (folderId: string, client = user.client) =>
      (await client.call(getVaultFolder, { folderId })).status
    expect(await open(inDrive.id)).toBe(404)
    expect(await open(papers.id, other.client)).toBe(404)
    expect(await open(randomUUID())).toBe(404)
    await user.client.call(trashFolder, { id: papers.id })
    expect(await open(year.id)).toBe(404)
    expect((await user.client.raw(getVaultFolder, { folderId: 'x' })).status).toBe(400)
  })

  it('requires a session and returns an empty vault to users who never used it', async () => {
    const free = await app.createUser()
    for (const call of [listVaultFiles, listVaultFolders]) {
      expect(await free.client.call(call, {})).toMatchObject({ status: 200, body: [] })
      expect((await app.visitor.raw(call, {})).status).toBe(401)
    }
    expect((await free.client.call(listItems, { vault: true })).body).toMatchObject({ items: [], total: 0 })
    expect((await app.visitor.raw(getVaultFolder, { folderId: randomUUID() })).status).toBe(401)
    expect((await app.visitor.raw(downloadVaultFile, { filename: 'a' })).status).toBe(401)
  })

  it('pages through a large folder with the check values of its files', async () => {
    const folder = await makeFolder('many')
    for (let index = 0; index < 5; index++) {
      await addFile(`f${index}`, 'x', { folderId: folder.id, ...(index === 3 && { vaultCheck: check }) })
    }
    const first = (await user.client.call(listItems, { folderId: folder.id, limit: 3 })).body
    const second = (
      await user.client.call(listItems, { folderId: folder.id, limit: 3, cursor: first.nextCursor ?? '' })
    ).body
    expect(names([...first.items, ...second.items])).toEqual(['f0', 'f1', 'f2', 'f3', 'f4'])
    expect(second).toMatchObject({ nextCursor: null, items: [{ vaultCheck: check }, {}] })
    expect(second.items[1]).not.toHaveProperty('vaultCheck')
  })

  it('counts vault files towards the used storage, even in the trash', async () => {
    const file = await addFile('a', '12345')
    const used = async () => (await user.client.call(getStorage, {})).body.used_bytes
    expect(await used()).toBe(5)
    await user.client.call(trashFile, { id: file.id })
    expect(await used()).toBe(5)
    await user.client.call(deleteFile, { id: file.id })
    expect(await used()).toBe(0)
  })

  it('rejects favorites in the vault and moves or copies to and from the drive', async () => {
    const secret = await addFile('a', 'x')
    const secretFolder = await makeFolder('s')
    const plain = await user.client.upload('b', 'x')
    const plainFolder = await makeFolder('d', undefined, false)
    const inDrive = { targetFolderId: plainFolder.id }
    const inVault = { targetFolderId: secretFolder.id }
    for (const response of [
      await user.client.call(addFavorite, { itemType: 'file', itemId: secret.id }),
      await user.client.call(moveFile, { fileId: secret.id, ...inDrive }),
      await user.client.call(moveFile, { fileId: plain.id, ...inVault }),
      await user.client.call(moveFolder, { folderId: secretFolder.id, ...inDrive }),
      await user.client.call(moveFolder, { folderId: plainFolder.id, ...inVault }),
      await user.client.call(copyItems, { itemIds: [secret.id], ...inDrive }),
    ]) {
      expect(response).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    }
    expect((await user.client.call(moveFile, { fileId: secret.id, ...inVault })).status).toBe(200)
    // A null target is the root of the item's own area.
    expect((await user.client.call(moveFile, { fileId: secret.id, targetFolderId: null })).status).toBe(200)
    expect(names((await user.client.call(listVaultFiles, {})).body)).toEqual(['a'])
  })

  it('renames a vault file by name even if a drive file has the same name', async () => {
    const folder = await makeFolder('f')
    await user.client.upload('a', 'x')
    const secret = await addFile('a', 'x')
    const inside = await addFile('a', 'x', { folderId: folder.id })
    const rename = async (fields: object) =>
      (await user.client.raw(renameFile, { oldFilename: 'a', newName: 'b', ...fields })).body
    expect(await rename({ isEncrypted: true })).toMatchObject({ id: secret.id, isEncrypted: true })
    expect(await rename({ folderId: folder.id, isEncrypted: true })).toMatchObject({ id: inside.id })
    expect(await rename({ isEncrypted: true })).toMatchObject({ code: 'not_found' })
    expect((await user.client.call(renameFolder, { id: folder.id, newName: 'g' })).body.name).toBe('g')
  })

  it('restores vault items to the vault, at its root if their folder is trashed', async () => {
    const folder = await makeFolder('f')
    const file = await addFile('a', 'x', { folderId: folder.id, vaultCheck: check })
    await user.client.call(trashFile, { id: file.id })
    await user.client.call(trashFolder, { id: folder.id })
    expect((await user.client.call(listTrash, {})).body.files).toMatchObject([{ id: file.id, isEncrypted: true }])
    await user.client.call(restoreFile, { id: file.id })
    expect((await user.client.call(listVaultFiles, {})).body).toMatchObject([{ id: file.id, vaultCheck: check }])
    await user.client.call(restoreFolder, { id: folder.id })
    expect(names((await user.client.call(listVaultFolders, {})).body)).toEqual(['f'])
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
  })
})

describe('downloading from the vault', () => {
  const download = (filename: string, folderId?: string, client = user.client) =>
    client.call(downloadVaultFile, { filename, folderId })

  it('returns the stored bytes as an attachment, in full or in part', async () => {
    await user.client.upload('Ünï.html', 'of the drive')
    await addFile('Ünï.html', 'ciphertext')
    const response = await download('U\u0308nï.html')
    expect(response.bytes.toString()).toBe('ciphertext')
    expect(response.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes' })
    expect(response.headers['content-disposition']).toMatch(/^attachment;/)
    const part = await user.client.raw(downloadVaultFile, { filename: 'Ünï.html' }, { range: 'bytes=2-5' })
    expect(part).toMatchObject({ status: 206, bytes: Buffer.from('pher') })
  })

  it('prefers the file at the root, then the only match, and rejects an ambiguous name', async () => {
    const [a, b] = [await makeFolder('a'), await makeFolder('b')]
    await addFile('x', 'in a', { folderId: a.id })
    expect((await download('x')).bytes.toString()).toBe('in a')
    await addFile('x', 'in b', { folderId: b.id })
    expect(await download('x')).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    expect((await download('x', b.id)).bytes.toString()).toBe('in b')
    await addFile('x', 'at the root')
    expect((await download('x')).bytes.toString()).toBe('at the root')
    expect((await user.client.call(fetchFile, { filename: 'x', folderId: a.id })).bytes.toString()).toBe('in a')
    expect((await user.client.call(fetchFile, { filename: 'x', isEncrypted: true })).bytes.toString()).toBe(
      'at the root',
    )
  })

  it("returns 404 for drive files, other users' files, trashed files and folders", async () => {
    await user.client.upload('drive', 'x')
    const inDrive = await makeFolder('d', undefined, false)
    await user.client.upload('inside', 'x', { folderId: inDrive.id })
    const trashed = await addFile('trashed', 'x')
    await user.client.call(trashFile, { id: trashed.id })
    const own = await addFile('own', 'x')
    const folder = await makeFolder('folder')
    const other = await app.createUser({ planName: PAID })
    for (const name of ['drive', 'inside', 'trashed', 'folder', 'nothing'])
      expect((await download(name)).status).toBe(404)
    expect((await download('inside', inDrive.id)).status).toBe(404)
    expect((await download('own', folder.id)).status).toBe(404)
    expect((await download(own.filename, undefined, other.client)).status).toBe(404)
    expect((await user.client.raw(downloadVaultFile, { filename: 'own', folderId: 'x' })).status).toBe(400)
    expect((await user.client.raw(downloadVaultFile, { filename: 'a/b' })).status).toBe(400)
  })
})

describe('the check value of a vault file', () => {
  it('stores the value from a chunk or completion and keeps it in copies, renames and links', async () => {
    const whole = await addFile('whole', 'x', { vaultCheck: check })
    expect(whole).toMatchObject({ vaultCheck: check })
    const uploadId = randomUUID()
    const chunk = { uploadId, filename: 'chunked', totalChunks: 2, isEncrypted: true, vaultCheck: check }
    await user.client.sendChunk({ ...chunk, chunkIndex: 0 }, 'aa')
    await user.client.sendChunk({ ...chunk, chunkIndex: 1 }, 'b')
    const completed = await user.client.call(completeUpload, { uploadId })
    expect(completed).toMatchObject({ status: 201, body: { name: 'chunked', isEncrypted: true, vaultCheck: check } })

    const late = randomUUID()
    await user.client.sendChunk({ ...chunk, uploadId: late, filename: 'late', chunkIndex: 0, totalChunks: 1 }, 'a')
    const other = `${check}-other`
    expect((await user.client.call(completeUpload, { uploadId: late, vaultCheck: other })).body.vaultCheck).toBe(other)

    await user.client.call(renameFile, { oldFilename: 'whole', newName: 'renamed', isEncrypted: true })
    const copied = await user.client.call(copyItems, { itemIds: [whole.id], targetFolderId: null })
    for (const id of [whole.id, copied.body.itemIds[0] as string]) {
      expect((await user.client.call(getItem, { id })).body.item).toMatchObject({ vaultCheck: check })
    }
    const { link } = (await user.client.call(updatePublicLink, { id: whole.id, enabled: true })).body
    const shared = await app.visitor.call(getPublicItem, { token: link.split('/').at(-1) as string })
    expect(shared.body).toMatchObject({ isEncrypted: true, vaultCheck: check })
  })

  it('replaces or clears the check value when the bytes are replaced', async () => {
    const first = await addFile('a', 'x', { vaultCheck: check })
    const second = await addFile('a', 'y', { onConflict: 'replace' })
    expect(second.id).toBe(first.id)
    expect(second).not.toHaveProperty('vaultCheck')
    const third = await addFile('a', 'z', { onConflict: 'replace', vaultCheck: check })
    expect(third).toMatchObject({ id: first.id, vaultCheck: check })
  })

  it('ignores a check value for drive files and rejects an invalid one', async () => {
    expect(await user.client.upload('plain', 'x', { vaultCheck: check })).not.toHaveProperty('vaultCheck')
    for (const vaultCheck of ['', 'short', 'not base64url, at all', 'x'.repeat(65)]) {
      const chunk = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 1, isEncrypted: true }
      expect((await user.client.sendChunk({ ...chunk, vaultCheck }, 'x')).status).toBe(400)
    }
    expect((await user.client.raw(completeUpload, { uploadId: randomUUID(), vaultCheck: 7 })).status).toBe(400)
    expect((await user.client.call(listVaultFiles, {})).body).toEqual([])
  })
})

describe('the vault on the free plan', () => {
  it('rejects every call that would add to the vault', async () => {
    const folder = await makeFolder('f')
    const file = await addFile('a', 'x', { folderId: folder.id })
    await downgrade()
    const chunk = { uploadId: randomUUID(), filename: 'b', chunkIndex: 0, totalChunks: 1 }
    for (const response of [
      await user.client.sendChunk({ ...chunk, isEncrypted: true, complete: true }, 'x'),
      // Without isEncrypted, the folder determines the area.
      await user.client.sendChunk({ ...chunk, uploadId: randomUUID(), folderId: folder.id }, 'x'),
      await user.client.raw(createFolder, { folderName: 'g', isEncrypted: true }),
      await user.client.raw(createFolder, { folderName: 'g', parentFolderId: folder.id }),
      await user.client.raw(createFolderPaths, { folderPaths: ['g/h'], isEncrypted: true }),
      await user.client.raw(copyItems, { itemIds: [file.id], targetFolderId: null }),
    ]) {
      expect(response).toMatchObject({ status: 403, body: { code: 'plan_required' } })
    }
    expect(names((await user.client.call(listVaultFolders, {})).body)).toEqual(['f'])
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ used_bytes: 1, reserved_bytes: 0 })
  })

  it('rejects the completion of an upload that began on a paid plan', async () => {
    const uploadId = randomUUID()
    const chunk = { uploadId, filename: 'a', chunkIndex: 0, totalChunks: 1, isEncrypted: true }
    await user.client.sendChunk(chunk, 'x')
    await downgrade()
    expect(await user.client.call(completeUpload, { uploadId })).toMatchObject({ status: 403 })
    expect((await user.client.call(listVaultFiles, {})).body).toEqual([])
  })

  it('allows reading, downloading, renaming, trashing and restoring existing items', async () => {
    const folder = await makeFolder('f')
    const file = await addFile('a', 'ciphertext', { folderId: folder.id })
    await downgrade()
    expect((await user.client.call(downloadVaultFile, { filename: 'a' })).bytes.toString()).toBe('ciphertext')
    expect((await user.client.call(getVaultFolder, { folderId: folder.id })).body.files).toHaveLength(1)
    expect((await user.client.call(getFolder, { id: folder.id })).status).toBe(200)
    const zip = await user.client.call(getItemsDownloadUrl, { allIn: { folderId: null, isEncrypted: true } })
    const { pathname, search } = new URL(zip.body.url)
    expect(await app.visitor.request({ method: 'GET', url: pathname + search })).toMatchObject({ status: 200 })
    expect((await user.client.call(renameFolder, { id: folder.id, newName: 'g' })).status).toBe(200)
    expect((await user.client.call(trashFile, { id: file.id })).status).toBe(200)
    expect((await user.client.call(restoreFile, { id: file.id })).body).toMatchObject({ folder_id: folder.id })
  })
})

describe('the sample of vault files for checking a passphrase', () => {
  const sample = async () => (await user.client.call(sampleVault, {})).body

  it('returns no files for an empty vault, even if the drive and other users have files', async () => {
    await user.client.upload('drive.txt', 'x')
    const other = await app.createUser({ planName: PAID })
    await other.client.upload('theirs.txt', 'x', { isEncrypted: true, vaultCheck: check })
    await makeFolder('Papers')
    expect(await sample()).toEqual({ files: [] })
  })

  it('returns at most the four newest and the four oldest files with a check value, at any depth', async () => {
    const folder = await makeFolder('Papers')
    for (let index = 0; index < 10; index += 1) {
      const file = await addFile(`f${index}`, 'x', {
        vaultCheck: check,
        ...(index % 2 === 1 && { folderId: folder.id }),
      })
      const created = { created_at: 1000 + index }
      await app.services.db.updateTable('items').set(created).where('id', '=', file.id).execute()
    }
    await addFile('unchecked', 'x')
    const { files } = await sample()
    expect(names(files)).toEqual(['f9', 'f8', 'f7', 'f6', 'f3', 'f2', 'f1', 'f0'])
    expect(files[0]).toMatchObject({ vaultCheck: check, isEncrypted: true })
  })

  it('returns a small file when none has a check value, and omits trashed files', async () => {
    const file = await addFile('unchecked', 'x')
    expect(await sample()).toMatchObject({ files: [{ id: file.id }] })
    await user.client.call(trashFile, { id: file.id })
    expect(await sample()).toEqual({ files: [] })
  })

  it('returns the sample after the paid plan has ended', async () => {
    await addFile('kept', 'x', { vaultCheck: check })
    await downgrade()
    expect(names((await sample()).files)).toEqual(['kept'])
  })
})
