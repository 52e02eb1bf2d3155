import { randomUUID } from 'node:crypto'
import { createFolder } from '@alcove/contract/files'
import { getItem, trashItems } from '@alcove/contract/item-calls'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

async function makeFolder(folderName: string, parentFolderId?: string) {
  return (await user.client.call(createFolder, { folderName, parentFolderId })).body
}

it('returns the path of a file, and its SHA-256 digest once it is known', async () => {
  const outer = await makeFolder('outer')
  const inner = await makeFolder('inner', outer.id)
  const file = await user.client.upload('a.txt', 'abc', { folderId: inner.id })
  const path = [
    { id: outer.id, name: 'outer' },
    { id: inner.id, name: 'inner' },
  ]
  const { body } = await user.client.call(getItem, { id: file.id })
  expect(body).toEqual({ item: file, path, itemCount: 0, totalSize: 0, sha256: body.sha256 })
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect([null, digest]).toContain(body.sha256)
  const { db } = app.services
  const keyOfFile = db.selectFrom('items').select('blob_key').where('id', '=', file.id)
  await db
    .updateTable('blobs')
    .set({ sha256: digest })
    .where('key', 'in', keyOfFile as never)
    .execute()
  expect((await user.client.call(getItem, { id: file.id })).body.sha256).toBe(digest)
})

it('returns the number and total size of the visible items below a folder', async () => {
  const outer = await makeFolder('outer')
  const inner = await makeFolder('inner', outer.id)
  await user.client.upload('a', 'abc', { folderId: inner.id })
  await user.client.upload('b', 'de', { folderId: outer.id })
  const trashed = await user.client.upload('c', 'fghi', { folderId: inner.id })
  await user.client.call(trashItems, { itemIds: [trashed.id] })
  const { body } = await user.client.call(getItem, { id: outer.id })
  expect(body).toEqual({ item: outer, path: [], itemCount: 3, totalSize: 5, sha256: null })
  expect((await user.client.call(getItem, { id: (await makeFolder('empty')).id })).body).toMatchObject({
    itemCount: 0,
    totalSize: 0,
  })
})

it('returns the name of a sibling that differs only in case', async () => {
  const twinOf = async (id: string) => (await user.client.call(getItem, { id })).body.caseTwin
  const outer = await makeFolder('outer')
  const file = await user.client.upload('Übung 7.txt', 'x', { folderId: outer.id })
  for (const name of ['Ubung 7.txt', 'Übung 007.txt', 'übung 7.txt '])
    await user.client.upload(name, 'x', { folderId: outer.id })
  await user.client.upload('übung 7.txt', 'elsewhere')
  expect(await twinOf(file.id)).toBeUndefined()
  const folder = await makeFolder('übung 7.TXT', outer.id)
  expect(await twinOf(file.id)).toBe('übung 7.TXT')
  expect(await twinOf(folder.id)).toBe('Übung 7.txt')
  await user.client.call(trashItems, { itemIds: [folder.id] })
  expect(await twinOf(file.id)).toBeUndefined()
})

it("returns 404 for other users' items, trashed items and unknown ids", async () => {
  const stranger = await app.createUser()
  const theirs = await stranger.client.upload('theirs', 'x')
  const trashed = await user.client.upload('a', 'x')
  await user.client.call(trashItems, { itemIds: [trashed.id] })
  for (const id of [theirs.id, trashed.id, randomUUID()]) {
    expect((await user.client.call(getItem, { id })).status).toBe(404)
  }
  expect((await user.client.raw(getItem, { id: 'x' })).status).toBe(400)
  expect((await app.visitor.call(getItem, { id: trashed.id })).status).toBe(401)
})
