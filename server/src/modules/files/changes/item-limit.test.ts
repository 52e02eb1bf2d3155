import { randomUUID } from 'node:crypto'
import { createFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { copyItems, trashItems } from '@alcove/contract/item-calls'
import { MAX_COPIED_ITEMS } from '@alcove/contract/limits'
import { deleteFile, deleteItems, emptyTrash } from '@alcove/contract/trash'
import { createFolderPaths } from '@alcove/contract/uploads'
import { describe, expect, it } from 'vitest'
import {
  app,
  listIn,
  makeFolder,
  namesIn,
  readStorage,
  setUpDrive,
  switchToNewUser,
  user,
} from '../../../testing/factories/drive.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'

const FREE = 6
const PAID = 9

setUpDrive({ maxItems: { free: FREE, paid: PAID }, rateLimits: true })

const tooMany = {
  status: 413,
  body: {
    code: 'item_limit',
    error: `You can store at most ${FREE} files and folders, including the trash. Permanently delete some of them, then try again.`,
  },
}

/** Returns the stored item count, and checks that it matches the items that exist. */
async function countItems(): Promise<number> {
  const { db } = app.services
  const { item_count } = await db
    .selectFrom('users')
    .select('item_count')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  const { rows } = await db
    .selectFrom('items')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('owner_id', '=', user.id)
    .where('parent_id', 'is not', null)
    .executeTakeFirstOrThrow()
  expect(item_count).toBe(Number(rows))
  return item_count
}

const sendChunk = (filename: string, content: string, fields: Record<string, string | number | boolean> = {}) =>
  user.client.sendChunk(
    { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true, ...fields },
    content,
  )

const sendTogether = (names: readonly string[], fields: Record<string, string> = {}) =>
  user.client.sendFiles(
    names.map((filename) => ({ uploadId: randomUUID(), filename, size: 1, ...fields }) as never),
    'x'.repeat(names.length),
  )

const addPaths = (...folderPaths: string[]) => user.client.call(createFolderPaths, { folderPaths })
const copy = (itemIds: string[], targetFolderId: string | null = null) =>
  user.client.call(copyItems, { itemIds, targetFolderId, onConflict: 'keepBoth' })

async function becomeFree(count: number): Promise<string[]> {
  await switchToNewUser({})
  return addManyItems(app.services, {
    ownerId: user.id,
    names: Array.from({ length: count }, (_unused, index) => `n${index}`),
  })
}

describe('the item limit of an account', () => {
  it.each([1, 2])('refuses the first of %d chunks of a file beyond the limit', async (totalChunks) => {
    await becomeFree(FREE)
    const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks }
    expect(await user.client.sendChunk(fields, 'x')).toMatchObject(tooMany)
    expect(await readStorage()).toMatchObject({ reserved_bytes: 0 })
  })

  it('updates the item count whenever items are added or removed', async () => {
    const folder = await makeFolder('f')
    expect(await countItems()).toBe(1)
    const file = await user.client.upload('a', 'abc', { folderId: folder.id })
    expect((await sendChunk('b', '', { folderPath: 'x/y' })).status).toBe(201)
    const before = await countItems()
    expect((await sendTogether(['c', 'd'])).status).toBe(200)
    expect(await countItems()).toBe(before + 2)
    expect((await sendChunk('c', 'other', { onConflict: 'replace' })).status).toBe(201)
    expect(await countItems()).toBe(before + 2)
    await user.client.call(trashFile, { id: file.id })
    expect(await countItems()).toBe(before + 2)
    await user.client.call(deleteFile, { id: file.id })
    expect(await countItems()).toBe(before + 1)
    expect((await copy([folder.id])).status).toBe(201)
    expect(await countItems()).toBe(before + 2)
    await user.client.call(trashFolder, { id: folder.id })
    await user.client.call(emptyTrash, {})
    expect(await countItems()).toBe(before + 1)
  })

  it('counts folders that are created by path', async () => {
    expect((await addPaths('a/b', 'a/c')).status).toBe(201)
    expect(await countItems()).toBe(3)
    expect((await addPaths('a/b', 'a/d')).status).toBe(201)
    expect(await countItems()).toBe(4)
  })

  it('rejects every way of adding items at the limit and leaves nothing behind', async () => {
    const [first] = (await becomeFree(FREE)) as [string]
    expect(await user.client.call(createFolder, { folderName: 'f' })).toMatchObject(tooMany)
    expect(await addPaths('f')).toMatchObject(tooMany)
    expect(await sendChunk('a', 'abc')).toMatchObject(tooMany)
    expect(await sendChunk('a', '')).toMatchObject(tooMany)
    expect(await sendChunk('a', 'abc', { totalSize: 2_000_000 })).toMatchObject(tooMany)
    expect(await sendChunk('a', 'abc', { totalChunks: 2, complete: false })).toMatchObject(tooMany)
    expect((await sendTogether(['a'])).body.results).toMatchObject([{ refusal: { code: 'item_limit' } }])
    expect(await copy([first])).toMatchObject(tooMany)
    expect(await countItems()).toBe(FREE)
    const { used_bytes, reserved_bytes } = await app.services.db
      .selectFrom('users')
      .select(['used_bytes', 'reserved_bytes'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect([used_bytes, reserved_bytes]).toEqual([FREE, 0])
    expect((await sendChunk('n0', 'replaced', { onConflict: 'replace' })).status).toBe(201)
    await user.client.call(trashItems, { itemIds: [first] })
    expect(await sendChunk('a', 'abc')).toMatchObject(tooMany)
    await user.client.call(deleteItems, { itemIds: [first] })
    expect((await sendChunk('a', 'abc')).status).toBe(201)
  })

  it('creates no folder of a path that would exceed the limit', async () => {
    await becomeFree(FREE - 1)
    expect(await addPaths('a/b')).toMatchObject(tooMany)
    expect(await countItems()).toBe(FREE - 1)
    expect((await addPaths('a')).status).toBe(201)
  })

  it('enforces the item limit across concurrent requests', async () => {
    const [first] = (await becomeFree(FREE - 3)) as [string]
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, (_unused, index) => user.client.call(createFolder, { folderName: `f${index}` })),
      ...Array.from({ length: 8 }, (_unused, index) => sendChunk(`a${index}`, 'x')),
      ...Array.from({ length: 8 }, () => copy([first])),
    ])
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    for (const response of responses.filter(({ status }) => status !== 201)) expect(response).toMatchObject(tooMany)
    expect(await countItems()).toBe(FREE)
  })

  it('allows more items on a paid plan and keeps all items after a downgrade', async () => {
    await addManyItems(app.services, { ownerId: user.id, names: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] })
    expect((await sendChunk('i', 'x')).status).toBe(201)
    expect(await sendChunk('j', 'x')).toMatchObject({ status: 413, body: { code: 'item_limit' } })
    await app.services.db
      .updateTable('users')
      .set({ plan_id: 0, plan_name: 'free' })
      .where('id', '=', user.id)
      .execute()
    expect(await namesIn()).toHaveLength(PAID)
    expect(await sendChunk('j', 'x')).toMatchObject(tooMany)
    const id = (await listIn())[0]?.id as string
    await user.client.call(trashItems, { itemIds: [id] })
    expect((await user.client.call(deleteItems, { itemIds: [id] })).status).toBe(200)
    expect(await countItems()).toBe(PAID - 1)
  })
})

describe('the rate limit of copies', () => {
  it('limits the number of items that a user copies in a minute', async () => {
    const folder = await makeFolder('f')
    for (const name of ['a', 'b']) await makeFolder(name, folder.id)
    const limit = { points: MAX_COPIED_ITEMS, seconds: 60 }
    await app.services.rateLimits.consume('copies', limit, user.id, MAX_COPIED_ITEMS - 5)
    expect((await copy([folder.id])).status).toBe(201)
    expect(await copy([folder.id])).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(await countItems()).toBe(6)
    await switchToNewUser({})
    const other = await makeFolder('f')
    expect((await copy([other.id])).status).toBe(201)
  })
})
