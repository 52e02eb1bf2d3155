import { randomUUID } from 'node:crypto'
import { addFavorite } from '@alcove/contract/favorites'
import { moveFile, renameFile, trashFile } from '@alcove/contract/files'
import { copyItems } from '@alcove/contract/item-calls'
import { updatePublicLink } from '@alcove/contract/sharing'
import { deleteFile, restoreFile } from '@alcove/contract/trash'
import { completeUpload } from '@alcove/contract/uploads'
import { listVersions, restoreVersion } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../testing/clients/client.ts'
import { app, download, makeFolder, user } from '../../testing/factories/drive.ts'
import {
  expectRightCounters,
  history,
  save,
  setUpVersions,
  storage,
  textsOf,
} from '../../testing/factories/versions.ts'
import { noteDamage } from '../storage/index.ts'
import { removeQueuedBlobs } from '../storage/remove-blobs.ts'

setUpVersions()

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

describe('replacing a file', () => {
  it.each(['._report.txt', '.DS_Store'])('makes no version of %s, in which macOS stores metadata', async (name) => {
    const { id } = await user.client.upload(name, 'first')
    expect(await user.client.upload(name, 'second', { onConflict: 'replace' })).toMatchObject({ id })
    expect((await download(name)).toString()).toBe('second')
    expect(await history(id)).toEqual([])
    expect(await storage()).toEqual({ used_bytes: 6, version_bytes: 0 })
  })

  it('keeps the old bytes as a version, while id, link, favorite mark and folder stay', async () => {
    const file = await save('first', { lastModified: '2011-06-05T04:03:02.001Z' })
    const { link } = (await user.client.call(updatePublicLink, { id: file.id, enabled: true })).body
    await user.client.call(addFavorite, { itemType: 'file', itemId: file.id })
    app.clock.advance(1000)
    const replaced = await save('second one')
    expect(replaced).toMatchObject({ id: file.id, size: 10, isFavorite: true, isShared: true })
    expect(replaced).not.toHaveProperty('thinnedBytes')

    const { body } = await user.client.call(listVersions, { id: file.id })
    expect(body).toMatchObject({ total: 1, nextCursor: null, currentName: null })
    expect(body.versions).toEqual([
      {
        id: expect.any(String),
        size: 5,
        sha256: 'a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e',
        modifiedAt: '2011-06-05T04:03:02.001Z',
        createdAt: new Date(app.clock.now()).toISOString(),
        author: user.email,
        device: 'Unknown device',
        name: null,
        isDamaged: false,
      },
    ])
    expect(await textsOf(file.id)).toEqual(['first'])
    expect((await download('report.txt')).toString()).toBe('second one')
    const shared = await app.visitor.request({ method: 'GET', url: `/api/public/${link.split('/').at(-1)}/content` })
    expect(shared.bytes.toString()).toBe('second one')
    expect(await storage()).toEqual({ used_bytes: 15, version_bytes: 5 })
    await expectRightCounters()
  })

  it('lists ten versions after ten replacements, newest first, page by page', async () => {
    const { id } = await save('0')
    for (let count = 1; count <= 10; count++) await save(String(count))
    expect(await textsOf(id)).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0'])
    const first = (await user.client.call(listVersions, { id, limit: 4 })).body
    const second = (await user.client.call(listVersions, { id, limit: 4, cursor: first.nextCursor as string })).body
    const third = (await user.client.call(listVersions, { id, limit: 4, cursor: second.nextCursor as string })).body
    expect([first, second, third].map(({ versions }) => versions.length)).toEqual([4, 4, 2])
    expect([first.total, third.nextCursor]).toEqual([10, null])
    const ids = [first, second, third].flatMap(({ versions }) => versions.map((version) => version.id))
    expect(ids).toEqual((await history(id)).map((version) => version.id))
  })

  it.each([
    ['a small file', 'x'.repeat(100)],
    ['a file whose digest is computed later', 'x'.repeat(200_000)],
  ])('makes no version of identical bytes of %s, but takes the new date', async (_, content) => {
    const { id } = await save(content, { lastModified: '2011-01-01T00:00:00.000Z' })
    const again = await save(content, { lastModified: '2012-01-01T00:00:00.000Z' })
    expect(again).toMatchObject({ id, modifiedAt: '2012-01-01T00:00:00.000Z' })
    expect(await history(id)).toEqual([])
    expect(await storage()).toEqual({ used_bytes: content.length, version_bytes: 0 })
    await removeQueuedBlobs(app.services)
    expect((await download('report.txt')).length).toBe(content.length)
    await expectRightCounters()
  })

  it('makes no version of identical bytes that arrive in chunks, and returns the same file when completed again', async () => {
    const { id } = await save('same bytes')
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'report.txt', chunkIndex: 0, totalChunks: 1 }, 'same bytes')
    for (let time = 0; time < 2; time++) {
      const { status, body } = await user.client.call(completeUpload, { uploadId, onConflict: 'replace' })
      expect([status, body.id]).toEqual([201, id])
    }
    expect(await history(id)).toEqual([])
    await removeQueuedBlobs(app.services)
    expect((await download('report.txt')).toString()).toBe('same bytes')
    await expectRightCounters()
  })

  it('repairs a file whose bytes are damaged when the same bytes arrive', async () => {
    const { id } = await save('precious')
    const blobOf = async () => {
      const items = app.services.db.selectFrom('items').select('blob_key').where('id', '=', id)
      return (await items.executeTakeFirstOrThrow()).blob_key as string
    }
    const damaged = await blobOf()
    await noteDamage(app.services.db, damaged, app.clock.now())
    await save('precious')
    expect(await blobOf()).not.toBe(damaged)
    expect(await history(id)).toEqual([])
    await removeQueuedBlobs(app.services)
    expect((await download('report.txt')).toString()).toBe('precious')
    await expectRightCounters()
  })

  it('makes no version of an empty file', async () => {
    const { id } = await save('')
    await save('text')
    await save('')
    await save('other text')
    expect(await textsOf(id)).toEqual(['text'])
    expect(await storage()).toEqual({ used_bytes: 14, version_bytes: 4 })
    await expectRightCounters()
  })

  it('keeps no history if versions are switched off', async () => {
    const { id } = await save('old')
    const retention = app.services.config.versionRetention
    Object.assign(app.services.config, { versionRetention: 0 })
    try {
      await save('new bytes')
    } finally {
      Object.assign(app.services.config, { versionRetention: retention })
    }
    expect(await history(id)).toEqual([])
    expect(await storage()).toEqual({ used_bytes: 9, version_bytes: 0 })
  })

  it('keeps every version of concurrent replacements', async () => {
    const { id } = await save('start')
    await Promise.all(Array.from({ length: 20 }, (_, index) => save(`save ${index}`)))
    expect(new Set(await textsOf(id)).size).toBe(20)
    await expectRightCounters()
  })
})

describe('a burst of saves by one device', () => {
  /** A client with the session of the user and another device. */
  function clientOn(userAgent: string): TestClient {
    const inject: ConstructorParameters<typeof TestClient>[0]['inject'] = (request) =>
      app.app.inject({ ...request, headers: { ...request.headers, 'user-agent': userAgent } })
    return new TestClient({ inject }, user.token)
  }

  let chrome: TestClient
  beforeEach(() => {
    chrome = clientOn(CHROME)
  })

  it('is one version a minute, and keeps the bytes from before the burst', async () => {
    const { id } = await save('before', {}, chrome)
    for (let second = 0; second < 100; second += 10) {
      await save(`at ${second}`, {}, chrome)
      app.clock.advance(10_000)
    }
    expect(await textsOf(id)).toEqual(['at 50', 'before'])
    expect((await history(id))[0]).toMatchObject({ device: 'Chrome on Windows' })
    expect((await download('report.txt')).toString()).toBe('at 90')
    await expectRightCounters()
  })

  it('never includes bytes that another device stored, that were restored, or that a person chose to replace', async () => {
    const { id } = await save('one', {}, chrome)
    await save('two', {}, chrome)
    await save('other device', {}, clientOn('rclone/v1.70'))
    await save('unknown device')
    await save('unknown device again')
    await save('three', {}, chrome)
    expect(await textsOf(id)).toEqual(['unknown device again', 'unknown device', 'other device', 'two', 'one'])
    const other = (await history(id))[2]
    await chrome.call(restoreVersion, { id, versionId: other?.id as string })
    await save('four', {}, chrome)
    await save('five', { keepReplaced: true }, chrome)
    await save('six', {}, chrome)
    expect(await textsOf(id)).toEqual([
      ...['five', 'four', 'other device', 'three', 'unknown device again', 'unknown device', 'two', 'one'],
    ])
  })
})

describe('history', () => {
  it('survives renaming, moving, trash and restore, and is not copied', async () => {
    const { id } = await save('one')
    await save('two')
    const folder = await makeFolder('folder')
    await user.client.call(renameFile, { oldFilename: 'report.txt', newName: 'renamed.txt' })
    await user.client.call(moveFile, { fileId: id, targetFolderId: folder.id })
    await user.client.call(trashFile, { id })
    const hidden = await user.client.call(listVersions, { id })
    expect(hidden).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    expect((await storage()).version_bytes).toBe(3)
    await user.client.call(restoreFile, { id })
    expect(await textsOf(id)).toEqual(['one'])

    const { itemIds } = (await user.client.call(copyItems, { itemIds: [id], targetFolderId: folder.id })).body
    expect(await history(itemIds[0] as string)).toEqual([])
    await expectRightCounters()
  })

  it('is deleted with the file for good', async () => {
    const { id } = await save('one')
    await save('two')
    await user.client.call(trashFile, { id })
    await user.client.call(deleteFile, { id })
    expect(await storage()).toEqual({ used_bytes: 0, version_bytes: 0 })
    await removeQueuedBlobs(app.services)
    expect(await app.services.db.selectFrom('versions').select('id').where('item_id', '=', id).execute()).toEqual([])
    await expectRightCounters()
  })

  it('keeps a version whose bytes a deleted copy shared', async () => {
    const { id } = await save('shared bytes')
    const folder = await makeFolder('copies')
    const { itemIds } = (await user.client.call(copyItems, { itemIds: [id], targetFolderId: folder.id })).body
    const copy = itemIds[0] as string
    await save('new')
    await user.client.call(trashFile, { id: copy })
    await user.client.call(deleteFile, { id: copy })
    await removeQueuedBlobs(app.services)
    expect(await textsOf(id)).toEqual(['shared bytes'])
  })

  it('of vault files holds opaque bytes, each with its own check value', async () => {
    const vault = { isEncrypted: true, vaultCheck: 'A'.repeat(22) }
    const { id } = await save('salt, iv, cipher one', vault)
    await save('salt, iv, cipher two', { ...vault, vaultCheck: 'B'.repeat(22) })
    const [first] = await history(id)
    expect(first).toMatchObject({ vaultCheck: 'A'.repeat(22) })
    const restored = (await user.client.call(restoreVersion, { id, versionId: first?.id as string })).body
    expect(restored).toMatchObject({ isEncrypted: true, vaultCheck: 'A'.repeat(22) })
    expect((await history(id))[0]).toMatchObject({ vaultCheck: 'B'.repeat(22) })
  })
})
