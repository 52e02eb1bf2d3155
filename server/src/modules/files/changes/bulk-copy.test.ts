import { randomUUID } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import { favoriteItems } from '@alcove/contract/favorites'
import { copyItems, trashItems } from '@alcove/contract/item-calls'
import { MAX_COPIED_ITEMS, MAX_DEPTH } from '@alcove/contract/limits'
import { deleteItems, emptyTrash } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  app,
  listIn,
  makeFolder,
  namesIn,
  setUpDrive,
  switchToNewUser,
  usedBytes,
  user,
} from '../../../testing/factories/drive.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'
import { removeQueuedBlobs } from '../../storage/remove-blobs.ts'

let target: { id: string }

setUpDrive()
beforeEach(async () => {
  target = await makeFolder('target')
})

const copy = (itemIds: string[], targetFolderId: string | null, onConflict?: 'fail' | 'keepBoth') =>
  user.client.call(copyItems, { itemIds, targetFolderId, onConflict })

describe('copying several items', () => {
  it('copies files and folders with their contents and counts the bytes of each copy', async () => {
    const folder = await makeFolder('f')
    const deep = await makeFolder('deep', folder.id)
    const file = await user.client.upload('a.txt', 'abc', { folderId: deep.id })
    const loose = await user.client.upload('b.txt', 'de')
    const { status, body } = await copy([folder.id, loose.id, file.id], target.id)
    expect({ status, message: body.message, count: body.count }).toEqual({
      status: 201,
      message: '2 items copied.',
      count: 2,
    })
    expect((await listIn(target.id)).map(({ id }) => id)).toEqual(body.itemIds)
    const [copiedDeep] = await listIn(body.itemIds[0])
    expect(copiedDeep).toMatchObject({ name: 'deep', parentId: body.itemIds[0] })
    expect(await namesIn(copiedDeep?.id)).toEqual(['a.txt'])
    expect(await namesIn(deep.id)).toEqual(['a.txt'])
    expect(await usedBytes()).toBe(10)
    const bytes = await user.client.raw(fetchFile, { filename: 'a.txt', folderId: copiedDeep?.id })
    expect(bytes.bytes.toString()).toBe('abc')
  })

  it('numbers copies in the same folder, or rejects them with onConflict: fail', async () => {
    const file = await user.client.upload('a.txt', 'abc')
    for (let time = 0; time < 2; time += 1) await copy([file.id, target.id], null)
    expect(await namesIn()).toEqual(['target', 'target (1)', 'target (2)', 'a (1).txt', 'a (2).txt', 'a.txt'])
    expect(await copy([file.id], null, 'fail')).toMatchObject({ status: 409, body: { failed: [{ itemId: file.id }] } })
  })

  it('copies a folder into itself or a subfolder without copying the new copy', async () => {
    const inner = await makeFolder('inner', target.id)
    await user.client.upload('a', 'x', { folderId: inner.id })
    expect((await copy([target.id], inner.id)).status).toBe(201)
    expect(await namesIn(inner.id)).toEqual(['target', 'a'])
    const [copied] = await listIn(inner.id)
    expect(await namesIn(copied?.id)).toEqual(['inner'])
    const [copiedInner] = await listIn(copied?.id)
    expect(await namesIn(copiedInner?.id)).toEqual(['a'])
    expect(
      (await user.client.call(copyItems, { allIn: { folderId: target.id }, targetFolderId: target.id })).status,
    ).toBe(201)
    expect(await namesIn(target.id)).toEqual(['inner', 'inner (1)'])
  })

  it('copies neither favorite marks nor trashed items', async () => {
    const folder = await makeFolder('f')
    const gone = await user.client.upload('gone', 'x', { folderId: folder.id })
    await user.client.upload('kept', 'x', { folderId: folder.id })
    await user.client.call(trashItems, { itemIds: [gone.id] })
    await user.client.call(favoriteItems, { itemIds: [folder.id] })
    const { body } = await copy([folder.id], target.id)
    expect(await listIn(target.id)).toMatchObject([{ isFavorite: false, isShared: false }])
    expect(await namesIn(body.itemIds[0])).toEqual(['kept'])
  })

  it('keeps the bytes until the last copy is deleted', async () => {
    const file = await user.client.upload('a.txt', 'abc')
    const { body } = await copy([file.id], target.id)
    await user.client.call(trashItems, { itemIds: [file.id] })
    await user.client.call(deleteItems, { itemIds: [file.id] })
    await removeQueuedBlobs(app.services)
    const read = () => user.client.raw(fetchFile, { filename: 'a.txt', folderId: target.id })
    expect((await read()).bytes.toString()).toBe('abc')
    expect(await usedBytes()).toBe(3)
    const { blob_key } = await app.services.db
      .selectFrom('items')
      .select('blob_key')
      .where('id', '=', body.itemIds[0] as string)
      .executeTakeFirstOrThrow()
    await user.client.call(trashItems, { itemIds: body.itemIds })
    await user.client.call(deleteItems, { itemIds: body.itemIds })
    await removeQueuedBlobs(app.services)
    expect(await app.services.db.selectFrom('blobs').selectAll().where('key', '=', blob_key).execute()).toEqual([])
    expect(await usedBytes()).toBe(0)
  })

  it('rejects a copy beyond the storage limit with the missing bytes and copies nothing', async () => {
    await switchToNewUser({ allocatedBytes: 10 })
    const files = [await user.client.upload('a', 'abc'), await user.client.upload('b', 'abc')]
    expect(
      await user.client.call(copyItems, { itemIds: files.map(({ id }) => id), targetFolderId: null }),
    ).toMatchObject({
      status: 413,
      body: { code: 'quota_exceeded', missingBytes: 2 },
    })
    expect(await namesIn()).toEqual(['a', 'b'])
    expect(await usedBytes()).toBe(6)
    expect((await copy([files[0]?.id as string], null)).status).toBe(201)
  })

  it("rejects copies between drive and vault, too deep, or of another user's items", async () => {
    const file = await user.client.upload('a', 'x')
    const vault = await makeFolder('v', undefined, true)
    expect(await copy([file.id], vault.id)).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    let deepest = target
    for (let level = 2; level <= MAX_DEPTH; level += 1) deepest = await makeFolder('d', deepest.id)
    expect((await copy([target.id], deepest.id)).status).toBe(400)
    expect((await copy([vault.id], deepest.id)).status).toBe(409)
    const stranger = await app.createUser()
    const theirs = await stranger.client.upload('theirs', 'x')
    expect(await copy([file.id, theirs.id], target.id)).toMatchObject({
      status: 404,
      body: { failed: [{ itemId: theirs.id }] },
    })
    expect((await user.client.raw(copyItems, { itemIds: [randomUUID()], targetFolderId: 'x' })).status).toBe(400)
    expect(await namesIn(target.id)).toEqual(['d'])
  })

  it('copies 30,000 items in one call and rejects more than MAX_COPIED_ITEMS', async () => {
    const folder = await makeFolder('many')
    const names = Array.from({ length: 30_000 }, (_unused, index) => `n${index}.txt`)
    await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names })
    const before = await usedBytes()
    expect((await copy([folder.id], target.id)).status).toBe(201)
    expect(
      (await user.client.call(copyItems, { allIn: { folderId: folder.id }, targetFolderId: target.id })).body.count,
    ).toBe(30_000)
    expect(await usedBytes()).toBe(before * 3)
    await addManyItems(app.services, {
      ownerId: user.id,
      names: names.slice(0, MAX_COPIED_ITEMS - 90_000),
      kind: 'folder',
    })
    expect(await user.client.call(copyItems, { allIn: { folderId: null }, targetFolderId: null })).toMatchObject({
      status: 413,
      body: { code: 'too_large', error: 'At most 120,000 files and folders can be copied at once.' },
    })
    expect(await usedBytes()).toBe(before * 3)
  }, 240_000)

  it('releases 10,000 copies of the same bytes at once', async () => {
    const file = await user.client.upload('a.txt', 'abc')
    let ids = [file.id]
    while (ids.length < 10_000) ids = [...ids, ...(await copy(ids.slice(0, 10_000 - ids.length), null)).body.itemIds]
    expect(await usedBytes()).toBe(30_000)
    await user.client.call(trashItems, { itemIds: ids })
    expect((await user.client.call(emptyTrash, {})).status).toBe(200)
    await removeQueuedBlobs(app.services)
    expect(await usedBytes()).toBe(0)
    expect(await app.services.db.selectFrom('blob_removals').selectAll().execute()).toEqual([])
  }, 240_000)
})
