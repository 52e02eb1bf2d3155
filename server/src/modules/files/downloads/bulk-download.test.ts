import { randomUUID } from 'node:crypto'
import { getItemsDownloadUrl, trashItems } from '@alcove/contract/item-calls'
import { DOWNLOAD_URL_TTL, MAX_DOWNLOAD_SELECTIONS } from '@alcove/contract/limits'
import { deleteItems } from '@alcove/contract/trash'
import { describe, expect, it } from 'vitest'
import { readZip } from '../../../testing/clients/zip.ts'
import { app, makeFolder, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'
import { sweepSelections } from './download-selection.ts'

setUpDrive()

async function download(url: string) {
  const { pathname, search } = new URL(url)
  return app.visitor.request({ method: 'GET', url: pathname + search })
}

async function zipOf(itemIds: string[]) {
  const { status, body } = await user.client.call(getItemsDownloadUrl, { itemIds })
  expect(status).toBe(200)
  const response = await download(body.url)
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/zip' } })
  const name = /filename\*=UTF-8''(.*)$/.exec(String(response.headers['content-disposition']))?.[1]
  const entries = await readZip(response.bytes)
  return { name: decodeURIComponent(name ?? ''), entries, paths: [...entries.keys()] }
}

describe('downloading several items', () => {
  it('returns one ZIP named after the single item, the common folder or the product', async () => {
    const folder = await makeFolder('Trip 🌻')
    const inner = await makeFolder('day 1', folder.id)
    await makeFolder('empty', inner.id)
    await user.client.upload('ü.txt', 'in the folder', { folderId: inner.id })
    const hidden = await user.client.upload('hidden', 'x', { folderId: inner.id })
    await user.client.call(trashItems, { itemIds: [hidden.id] })
    const file = await user.client.upload('a.txt', 'a', { folderId: folder.id })
    const { name, entries, paths } = await zipOf([inner.id, file.id])
    expect(name).toBe('Trip 🌻.zip')
    expect(paths).toEqual(['day 1/', 'day 1/ü.txt', 'day 1/empty/', 'a.txt'])
    expect(entries.get('day 1/ü.txt')?.toString()).toBe('in the folder')
    expect((await zipOf([inner.id])).name).toBe('day 1.zip')
    expect((await zipOf([file.id])).name).toBe('a.zip')
    const rootFile = await user.client.upload('root', 'x')
    expect((await zipOf([folder.id, rootFile.id])).name).toBe('Alcove.zip')
    expect((await zipOf([file.id, rootFile.id])).name).toBe('Alcove.zip')
  })

  it('numbers items with equal names and includes each item once', async () => {
    const folders = [await makeFolder('1'), await makeFolder('2'), await makeFolder('3')]
    const ids: string[] = []
    for (const [index, name] of ['a.txt', 'a.txt', 'A.TXT'].entries()) {
      ids.push((await user.client.upload(name, String(index), { folderId: folders[index]?.id })).id)
    }
    expect((await zipOf(ids)).paths).toEqual(['a.txt', 'a (1).txt', 'A.TXT'])
    expect((await zipOf([...ids, folders[0]?.id as string])).paths).toEqual(['a.txt', 'A.TXT', '1/', '1/a.txt'])
  })

  it('includes everything in a folder except the excluded items', async () => {
    const folder = await makeFolder('f')
    const names = Array.from({ length: 2500 }, (_unused, index) => `n ${index}`)
    const ids = await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names, size: 0 })
    const allIn = { folderId: folder.id, exceptIds: ids.slice(2, 4) }
    const { body } = await user.client.call(getItemsDownloadUrl, { allIn })
    const paths = [...(await readZip((await download(body.url)).bytes)).keys()]
    expect(paths).toHaveLength(2498)
    expect(new Set(paths)).not.toContain('n 2')
    expect(decodeURIComponent(String((await download(body.url)).headers['content-disposition']))).toContain('f.zip')
    // The folder itself is read page by page, too.
    expect(new Set((await zipOf([folder.id])).paths).size).toBe(2501)
  })

  it('names the ZIP of a whole folder after its only item, the folder or the product', async () => {
    const folder = await makeFolder('f')
    const kept = await user.client.upload('kept.txt', 'x', { folderId: folder.id })
    const other = await user.client.upload('other', 'x', { folderId: folder.id })
    const nameOf = async (allIn: { folderId: string | null; exceptIds?: string[] }) => {
      const { url } = (await user.client.call(getItemsDownloadUrl, { allIn })).body
      return /UTF-8''(.*)$/.exec(String((await download(url)).headers['content-disposition']))?.[1]
    }
    expect(await nameOf({ folderId: folder.id })).toBe('f.zip')
    expect(await nameOf({ folderId: folder.id, exceptIds: [other.id] })).toBe('kept.zip')
    expect(await nameOf({ folderId: null })).toBe('f.zip')
    await user.client.upload('at the root', 'x')
    expect(await nameOf({ folderId: null })).toBe('Alcove.zip')
    expect(await nameOf({ folderId: folder.id, exceptIds: [kept.id, other.id] })).toBe('Alcove.zip')
  })

  it("returns an empty ZIP for a trashed folder, and 404 for another user's folder", async () => {
    const folder = await makeFolder('f')
    await user.client.upload('a', 'x', { folderId: folder.id })
    const { url } = (await user.client.call(getItemsDownloadUrl, { allIn: { folderId: folder.id } })).body
    const stranger = await app.createUser()
    expect((await stranger.client.call(getItemsDownloadUrl, { allIn: { folderId: folder.id } })).status).toBe(404)
    await user.client.call(trashItems, { itemIds: [folder.id] })
    expect([...(await readZip((await download(url)).bytes)).keys()]).toEqual([])
  })

  it('omits items that were trashed or deleted in the meantime', async () => {
    const files = [
      await user.client.upload('a', 'x'),
      await user.client.upload('b', 'x'),
      await user.client.upload('c', 'x'),
    ]
    const ids = files.map(({ id }) => id)
    const { body } = await user.client.call(getItemsDownloadUrl, { itemIds: ids })
    await user.client.call(trashItems, { itemIds: ids.slice(0, 2) })
    await user.client.call(deleteItems, { itemIds: ids.slice(0, 1) })
    expect([...(await readZip((await download(body.url)).bytes)).keys()]).toEqual(['c'])
  })

  it('rejects an expired or modified download URL', async () => {
    const file = await user.client.upload('a', 'x')
    const stranger = await app.createUser()
    const { url } = (await user.client.call(getItemsDownloadUrl, { itemIds: [file.id] })).body
    expect((await download(url.replace(user.id, stranger.id))).status).toBe(403)
    expect((await download(url.replace(/download-item\/[^?]+/, `download-item/${file.id}`))).status).toBe(403)
    app.clock.advance(DOWNLOAD_URL_TTL - 1)
    expect((await download(url)).status).toBe(200)
    await sweepSelections(app.services)
    expect((await download(url)).status).toBe(200)
    app.clock.advance(1)
    expect((await download(url)).status).toBe(403)
    await sweepSelections(app.services)
    expect(
      await app.services.db.selectFrom('download_selections').select('id').where('owner_id', '=', user.id).execute(),
    ).toEqual([])
  })

  it("returns 404 for other users' items, trashed items and unknown ids", async () => {
    const file = await user.client.upload('a', 'x')
    const trashed = await user.client.upload('t', 'x')
    await user.client.call(trashItems, { itemIds: [trashed.id] })
    const stranger = await app.createUser()
    const theirs = await stranger.client.upload('theirs', 'x')
    for (const id of [trashed.id, theirs.id, randomUUID()]) {
      expect(await user.client.call(getItemsDownloadUrl, { itemIds: [file.id, id] })).toMatchObject({
        status: 404,
        body: { failed: [{ itemId: id }] },
      })
    }
    expect((await user.client.raw(getItemsDownloadUrl, {})).status).toBe(400)
  })

  it('keeps at most MAX_DOWNLOAD_SELECTIONS selections for each user', async () => {
    const file = await user.client.upload('a', 'x')
    const urls: string[] = []
    for (let count = 0; count < MAX_DOWNLOAD_SELECTIONS + 3; count += 1) {
      urls.push((await user.client.call(getItemsDownloadUrl, { itemIds: [file.id] })).body.url)
      app.clock.advance(1)
    }
    expect((await download(urls[2] as string)).status).toBe(404)
    expect((await download(urls[3] as string)).status).toBe(200)
  })

  it('aborts the ZIP when the bytes of a file are missing', async () => {
    const [id] = await addManyItems(app.services, { ownerId: user.id, names: ['no bytes'], size: 5 })
    const { body } = await user.client.call(getItemsDownloadUrl, { itemIds: [id as string] })
    await expect(download(body.url)).rejects.toThrow()
  })
})
