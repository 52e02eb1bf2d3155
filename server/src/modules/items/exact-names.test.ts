import { randomUUID } from 'node:crypto'
import { getDownloadUrl, getUserFile } from '@alcove/contract/bytes'
import { moveFile, renameFile, renameFolder } from '@alcove/contract/files'
import { copyItems, getItemsDownloadUrl, moveItems } from '@alcove/contract/item-calls'
import { searchItems } from '@alcove/contract/search'
import { getPublicItem, updatePublicLink } from '@alcove/contract/sharing'
import { restoreFile } from '@alcove/contract/trash'
import { completeUpload, createFolderPaths } from '@alcove/contract/uploads'
import { downloadVaultFile } from '@alcove/contract/vault'
import { describe, expect, it } from 'vitest'
import { readZip } from '../../testing/clients/zip.ts'
import { app, download, listIn, makeFolder, namesIn, setUpDrive, trash, user } from '../../testing/factories/drive.ts'

setUpDrive()

/** What is given, and what is stored if that differs. */
const names: [what: string, given: string, stored?: string][] = [
  ['a trailing blank', 'a.txt '],
  ['a leading blank', ' a.txt'],
  ['blanks at both ends', '  a  '],
  ['a no-break space at the end', 'a\u00a0'],
  ['a byte order mark at the start', '\ufeffa.txt'],
  ['a trailing dot', 'a.'],
  ['only dots', '...'],
  ['a decomposed accent', 'u\u0308bung.txt', 'übung.txt'],
  ['a right-to-left script', 'שלום עולם.txt'],
  ['a change of direction', 'invoice\u202efdp.exe'],
  ['emoji', '👩‍👩‍👧 🏔️.jpg'],
  ['signs of addresses', ' 100%+a&b=c?d#e;f%20.txt '],
  ['quotes and backslashes', `"it's" \\ .txt`],
  ['255 bytes', `${'ä'.repeat(125)}.txt `],
  ['256 bytes, or 255 when it is composed', `${'a'.repeat(253)}u\u0308`, `${'a'.repeat(253)}ü`],
]

/** Requests a download URL as a browser does, without a session. */
function visit(address: string) {
  const { pathname, search } = new URL(address)
  return app.visitor.request({ method: 'GET', url: pathname + search })
}

async function unzip(itemId: string) {
  const { url } = (await user.client.call(getItemsDownloadUrl, { itemIds: [itemId] })).body
  return readZip((await visit(url)).bytes)
}

describe('a name', () => {
  it.each(names)('with %s stays exact in uploads, lists and calls by name', async (_what, given, stored = given) => {
    expect(await user.client.upload(given, 'content')).toMatchObject({ name: stored, filename: stored })
    expect(await namesIn()).toEqual([stored])
    expect((await download(given)).toString()).toBe('content')
    expect((await user.client.raw(getUserFile, { filename: given })).bytes.toString()).toBe('content')
    const renamed = await user.client.call(renameFile, { oldFilename: given, newName: 'plain' })
    expect(renamed.body.name).toBe('plain')
    const back = await user.client.call(renameFile, { oldFilename: 'plain', newName: given })
    expect(back.body.name).toBe(stored)
    await user.client.upload(given, 'secret', { isEncrypted: true })
    expect((await user.client.call(downloadVaultFile, { filename: given })).bytes.toString()).toBe('secret')
  })

  it.each(names)('with %s stays exact in folders, downloads, links and ZIPs', async (_what, given, stored = given) => {
    const folder = await makeFolder(given)
    expect(folder.name).toBe(stored)
    const file = await user.client.upload(given, 'content', { folderId: folder.id })
    const { url } = (await user.client.call(getDownloadUrl, { id: file.id })).body
    const { headers } = await visit(url)
    const [, encoded = ''] = /filename\*=UTF-8''(\S+)$/.exec(String(headers['content-disposition'])) ?? []
    expect(decodeURIComponent(encoded)).toBe(stored)
    const { link } = (await user.client.call(updatePublicLink, { id: file.id, enabled: true })).body
    const visited = await app.visitor.call(getPublicItem, { token: link.split('/s/')[1] as string })
    expect(visited.body).toMatchObject({ name: stored })
    // In a ZIP, a backslash would separate folders on Windows.
    const zipped = stored.replaceAll('\\', '_')
    expect([...(await unzip(folder.id)).keys()]).toEqual([`${zipped}/`, `${zipped}/${zipped}`])
  })

  it('with 256 bytes is rejected, and the upload can be completed under another name', async () => {
    const message = 'A name can have at most 255 bytes; this one is longer.'
    const refusal = { status: 400, body: { code: 'malformed', error: message } }
    const uploadId = randomUUID()
    const sent = { uploadId, chunkIndex: 0, totalChunks: 1 }
    expect(await user.client.sendChunk({ ...sent, filename: 'a'.repeat(256) }, 'content')).toMatchObject(refusal)
    expect((await user.client.sendChunk({ ...sent, filename: 'a' }, 'content')).status).toBe(200)
    expect(await user.client.call(completeUpload, { uploadId, filename: 'ä'.repeat(128) })).toMatchObject(refusal)
    expect((await user.client.call(completeUpload, { uploadId, filename: 'ä'.repeat(127) })).status).toBe(201)
    expect((await download('ä'.repeat(127))).toString()).toBe('content')
    expect(await user.client.raw(renameFile, { oldFilename: 'ä'.repeat(127), newName: 'b'.repeat(256) })).toMatchObject(
      refusal,
    )
  })

  it('of only blanks is rejected in uploads, paths and renames', async () => {
    const message = 'File name cannot be empty.'
    const sent = { uploadId: randomUUID(), filename: ' \u00a0', chunkIndex: 0, totalChunks: 1, complete: true }
    expect(await user.client.sendChunk(sent, 'x')).toMatchObject({ status: 400, body: { error: message } })
    const refused = await user.client.sendChunk({ ...sent, filename: 'a', relativePath: 'Trip/ /a' }, 'x')
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^This path is not allowed/) } })
    expect((await user.client.call(createFolderPaths, { folderPaths: ['a/.. /b'] })).status).toBe(400)
  })

  it('stays exact in each folder of a relative path', async () => {
    await user.client.upload('a.jpg ', '1', { relativePath: 'Trip / day 1/a.jpg ' })
    await user.client.upload('b.jpg', '2', { relativePath: 'Trip/b.jpg' })
    await user.client.call(createFolderPaths, { folderPaths: ['Trip / day 1', 'Trip '] })
    const [plain, blank] = await listIn()
    expect([plain?.name, blank?.name]).toEqual(['Trip', 'Trip '])
    const [day] = await listIn(blank?.id)
    expect(day?.name).toBe(' day 1')
    expect(await namesIn(day?.id)).toEqual(['a.jpg '])
  })
})

describe('siblings whose names differ only in case', () => {
  it('are created by uploads, new folders, renames and moves, and found by their exact names', async () => {
    await user.client.upload('photo.jpg', 'lower')
    for (const onConflict of ['keepBoth', 'fail', 'replace']) {
      expect(await user.client.upload(`PHOTO.${onConflict}`, '', { onConflict })).toBeDefined()
      expect(await user.client.upload(`photo.${onConflict}`, '', { onConflict })).toMatchObject({
        name: `photo.${onConflict}`,
      })
    }
    expect((await makeFolder('Photo.jpg')).name).toBe('Photo.jpg')
    await user.client.upload('x', 'upper')
    expect((await user.client.call(renameFile, { oldFilename: 'x', newName: 'PHOTO.JPG' })).status).toBe(200)
    const elsewhere = await makeFolder('elsewhere')
    const moved = await user.client.upload('pHOTO.jpg', 'moved', { folderId: elsewhere.id })
    expect((await user.client.call(moveFile, { fileId: moved.id, targetFolderId: null })).status).toBe(200)
    expect((await download('photo.jpg')).toString()).toBe('lower')
    expect((await download('PHOTO.JPG')).toString()).toBe('upper')
    expect((await download('pHOTO.jpg')).toString()).toBe('moved')
    expect((await user.client.raw(getUserFile, { filename: 'pHoTo.JpG' })).status).toBe(404)
    const found = (await user.client.call(searchItems, { q: 'Phótö.jpg' })).body.map(({ name }) => name)
    expect(found.toSorted()).toEqual(['PHOTO.JPG', 'Photo.jpg', 'pHOTO.jpg', 'photo.jpg'])
  })

  it('are kept by moves and copies of several items, and by restores', async () => {
    const target = await makeFolder('target')
    for (const name of ['A', 'b']) await user.client.upload(name, 'there', { folderId: target.id })
    const files = [await user.client.upload('a', '1'), await user.client.upload('B', '2')]
    const itemIds = files.map(({ id }) => id)
    const into = { itemIds, targetFolderId: target.id }
    expect((await user.client.call(copyItems, { ...into, onConflict: 'fail' })).status).toBe(201)
    expect((await namesIn(target.id)).toSorted()).toEqual(['A', 'B', 'a', 'b'])
    expect((await user.client.call(moveItems, into)).status).toBe(409)
    expect((await user.client.call(moveItems, { ...into, onConflict: 'keepBoth' })).status).toBe(200)
    expect((await namesIn(target.id)).toSorted()).toEqual(['A', 'B', 'B (1)', 'a', 'a (1)', 'b'])
    const trashed = await user.client.upload('c', 'x')
    await trash(trashed.id, 'file')
    await user.client.upload('C', 'y')
    expect((await user.client.call(restoreFile, { id: trashed.id })).body.name).toBe('c')
  })

  it('stay exact in the ZIP of their folder', async () => {
    const folder = await makeFolder('f')
    for (const name of ['a.txt', 'A.txt', 'a.txt ']) await user.client.upload(name, name, { folderId: folder.id })
    const entries = await unzip(folder.id)
    for (const name of ['a.txt', 'A.txt', 'a.txt ']) expect(entries.get(`f/${name}`)?.toString()).toBe(name)
  })

  it('can be renamed from one case to the other, and to the same name', async () => {
    const folder = await makeFolder('a')
    expect((await user.client.call(renameFolder, { id: folder.id, newName: 'A' })).body.name).toBe('A')
    expect((await user.client.call(renameFolder, { id: folder.id, newName: 'A' })).body.name).toBe('A')
    await makeFolder('a')
    expect((await user.client.call(renameFolder, { id: folder.id, newName: 'a' })).status).toBe(409)
  })
})

describe('concurrent uploads', () => {
  it('of one exact name with onConflict: fail store one file, and of its other case another', async () => {
    const upload = async (filename: string) => {
      const sent = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true }
      return (await user.client.sendChunk({ ...sent, onConflict: 'fail' }, filename)).status
    }
    const statuses = await Promise.all(['a ', 'A ', 'a ', 'A ', 'a ', 'A ', 'a '].map(upload))
    expect(statuses.toSorted()).toEqual([201, 201, 409, 409, 409, 409, 409])
    expect((await namesIn()).toSorted()).toEqual(['A ', 'a '])
  })
})
