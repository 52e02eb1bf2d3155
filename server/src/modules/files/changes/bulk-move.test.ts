import { randomUUID } from 'node:crypto'
import { createFolder } from '@alcove/contract/files'
import { listItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { MAX_DEPTH, MAX_SELECTED_ITEMS } from '@alcove/contract/limits'
import { beforeEach, describe, expect, it } from 'vitest'
import { app, makeFolder, namesIn, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'

let target: { id: string }

setUpDrive()
beforeEach(async () => {
  target = await makeFolder('target')
})

const move = (itemIds: string[], targetFolderId: string | null, onConflict?: 'fail' | 'keepBoth') =>
  user.client.call(moveItems, { itemIds, targetFolderId, onConflict })

describe('moving several items', () => {
  it('moves files and folders into a folder and back to the root', async () => {
    const file = await user.client.upload('a.txt', 'x')
    const folder = await makeFolder('f')
    await user.client.upload('inside', 'x', { folderId: folder.id })
    expect(await move([file.id, folder.id], target.id)).toMatchObject({
      status: 200,
      body: { message: '2 items moved.', count: 2, itemIds: [file.id, folder.id] },
    })
    expect(await namesIn(target.id)).toEqual(['f', 'a.txt'])
    expect(await namesIn(folder.id)).toEqual(['inside'])
    expect((await move([file.id, folder.id], null)).status).toBe(200)
    expect(await namesIn()).toEqual(['f', 'target', 'a.txt'])
  })

  it('counts a repeated id once and accepts a repeated move', async () => {
    const file = await user.client.upload('a.txt', 'x')
    for (let time = 0; time < 2; time += 1) {
      expect((await move([file.id, file.id.toUpperCase(), file.id], target.id)).body.itemIds).toEqual([file.id])
    }
    expect(await namesIn(target.id)).toEqual(['a.txt'])
  })

  it('leaves a selected item in its folder when that folder is moved too', async () => {
    const folder = await makeFolder('f')
    const deep = await makeFolder('deep', folder.id)
    const file = await user.client.upload('a.txt', 'x', { folderId: deep.id })
    expect((await move([file.id, folder.id], target.id)).body.itemIds).toEqual([folder.id])
    expect(await namesIn(deep.id)).toEqual(['a.txt'])
    expect(await namesIn(target.id)).toEqual(['f'])
  })

  it('moves everything in a folder except the excluded items', async () => {
    const source = await makeFolder('source')
    const files = []
    for (const name of ['a', 'b', 'c']) files.push(await user.client.upload(name, 'x', { folderId: source.id }))
    const allIn = { folderId: source.id, exceptIds: [files[1]?.id as string, randomUUID()] }
    expect((await user.client.call(moveItems, { allIn, targetFolderId: target.id })).body.count).toBe(2)
    expect(await namesIn(source.id)).toEqual(['b'])
    expect(await namesIn(target.id)).toEqual(['a', 'c'])
    expect((await user.client.call(moveItems, { allIn, targetFolderId: target.id })).body).toMatchObject({ count: 0 })
  })

  it('rejects the whole move and lists the taken names, or keeps both', async () => {
    const files = []
    for (const name of ['free', 'taken', 'taken 2', 'TAKEN 2']) files.push(await user.client.upload(name, 'x'))
    await user.client.upload('taken', 'y', { folderId: target.id })
    await makeFolder('taken 2', target.id)
    const ids = files.map(({ id }) => id)
    expect(await move(ids, target.id)).toMatchObject({
      status: 409,
      body: {
        code: 'name_taken',
        error:
          'A file or folder named "taken" already exists here. Another item also prevented the change. Nothing was changed.',
        failed: [
          {
            itemId: ids[1],
            name: 'taken',
            code: 'name_taken',
            error: 'A file or folder named "taken" already exists here.',
          },
          { itemId: ids[2], name: 'taken 2', code: 'name_taken' },
        ],
      },
    })
    expect(await namesIn()).toEqual(['target', 'free', 'taken', 'taken 2', 'TAKEN 2'])
    expect((await move(ids, target.id, 'keepBoth')).status).toBe(200)
    expect(await namesIn(target.id)).toEqual(['taken 2', 'free', 'taken', 'taken (1)', 'TAKEN 2', 'taken 2 (1)'])
  })

  it('reports conflicts among the moved items themselves, or numbers them', async () => {
    const ids: string[] = []
    for (const name of ['x', 'y', 'z']) {
      const folder = await makeFolder(name)
      ids.push((await user.client.upload('same.txt', name, { folderId: folder.id })).id)
    }
    await user.client.upload('same (1).txt', '', { folderId: target.id })
    const refused = await move(ids, target.id)
    expect(refused.status).toBe(409)
    expect(refused.body.failed?.map(({ itemId }) => itemId)).toEqual(ids.slice(1))
    await move(ids, target.id, 'keepBoth')
    expect(await namesIn(target.id)).toEqual(['same (1).txt', 'same (2).txt', 'same (3).txt', 'same.txt'])
  })

  it('rejects the whole move when a folder would be moved into itself', async () => {
    const inner = await makeFolder('inner', target.id)
    const file = await user.client.upload('a', 'x')
    for (const into of [target.id, inner.id]) {
      expect(await move([file.id, target.id], into)).toMatchObject({
        status: 409,
        body: {
          code: 'state_conflict',
          failed: [{ itemId: target.id, error: '"target" cannot be moved into itself.' }],
        },
      })
    }
    expect(await namesIn()).toEqual(['target', 'a'])
  })

  it('rejects moves between drive and vault and selections from both', async () => {
    const file = await user.client.upload('a', 'x')
    const secret = await user.client.upload('s', 'x', { isEncrypted: true })
    const vault = await makeFolder('v', undefined, true)
    for (const [ids, into] of [
      [[file.id], vault.id],
      [[secret.id], target.id],
      [[file.id, secret.id], null],
    ] as const) {
      expect(await move([...ids], into)).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    }
    expect((await move([secret.id], vault.id)).status).toBe(200)
    expect((await move([secret.id], null)).status).toBe(200)
    expect(await namesIn(undefined, true)).toEqual(['v', 's'])
  })

  it('rejects a move that would nest folders deeper than MAX_DEPTH', async () => {
    let deepest = target
    for (let level = 2; level < MAX_DEPTH; level += 1) deepest = await makeFolder('d', deepest.id)
    const one = await makeFolder('one')
    const two = await makeFolder('two')
    await makeFolder('inside', two.id)
    expect(await move([one.id, two.id], deepest.id)).toMatchObject({
      status: 400,
      body: { failed: [{ itemId: two.id }] },
    })
    expect((await move([one.id], deepest.id)).status).toBe(200)
  })

  it("returns 404 for other users' items, trashed items and unknown ids and moves nothing", async () => {
    const stranger = await app.createUser()
    const file = await user.client.upload('a', 'x')
    const trashed = await user.client.upload('t', 'x')
    await user.client.call(trashItems, { itemIds: [trashed.id] })
    const theirs = await stranger.client.upload('theirs', 'x')
    const root = (
      await app.services.db.selectFrom('users').select('drive_root_id').where('id', '=', user.id).execute()
    )[0]
    for (const id of [theirs.id, trashed.id, randomUUID(), root?.drive_root_id as string]) {
      expect(await move([file.id, id], target.id)).toMatchObject({
        status: 404,
        body: { code: 'not_found', failed: [{ itemId: id, code: 'not_found' }] },
      })
    }
    const theirFolder = (await stranger.client.call(createFolder, { folderName: 'f' })).body
    expect((await move([file.id], theirFolder.id)).status).toBe(404)
    expect(
      (await user.client.call(moveItems, { allIn: { folderId: theirFolder.id }, targetFolderId: null })).status,
    ).toBe(404)
    expect(await namesIn()).toEqual(['target', 'a'])
  })

  it.each([
    [{}],
    [{ itemIds: [] }],
    [{ itemIds: 'all' }],
    [{ itemIds: ['x'] }],
    [{ itemIds: [null] }],
    [{ itemIds: [randomUUID()], allIn: { folderId: null } }],
    [{ allIn: {} }],
    [{ allIn: { folderId: 'x' } }],
    [{ itemIds: [randomUUID()], onConflict: 'replace' }],
    [{ itemIds: Array(MAX_SELECTED_ITEMS + 1).fill(randomUUID()) }],
  ])('rejects the malformed move input of case %#', async (input) => {
    expect(await user.client.raw(moveItems, { ...input, targetFolderId: target.id })).toMatchObject({
      status: 400,
      body: { code: 'malformed' },
    })
  })

  it('lists at most 100 conflicting items', async () => {
    const names = Array.from({ length: 300 }, (_unused, index) => `n${index}`)
    const ids = await addManyItems(app.services, { ownerId: user.id, names })
    await addManyItems(app.services, { ownerId: user.id, folderId: target.id, names })
    expect((await move(ids, target.id)).body.failed).toHaveLength(100)
  })

  it('moves and numbers 30,000 items in one call', async () => {
    const names = Array.from({ length: 30_000 }, (_unused, index) => `n${index}.txt`)
    const ids = await addManyItems(app.services, { ownerId: user.id, names })
    expect((await move(ids, target.id)).body.count).toBe(30_000)
    expect((await user.client.call(listItems, { folderId: target.id })).body.total).toBe(30_000)
    const again = await addManyItems(app.services, { ownerId: user.id, names })
    expect((await move(again, target.id, 'keepBoth')).status).toBe(200)
    expect((await user.client.call(listItems, { folderId: target.id })).body.total).toBe(60_000)
    expect(await namesIn(target.id)).toContain('n1 (1).txt')
  }, 240_000)

  it('runs concurrent moves one after another and loses no items', async () => {
    const other = await makeFolder('other')
    const names = Array.from({ length: 500 }, (_unused, index) => `n${index}`)
    const ids = await addManyItems(app.services, { ownerId: user.id, names })
    const responses = await Promise.all([target, other, target, other].map(({ id }) => move(ids, id)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [first, second] = [await namesIn(target.id), await namesIn(other.id)]
    expect([first.length, second.length].sort((a, b) => a - b)).toEqual([0, 200])
  })

  it('creates no cycle when two folders are moved into each other at once', async () => {
    const other = await makeFolder('other')
    const responses = await Promise.all([move([target.id], other.id), move([other.id], target.id)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await namesIn()).toHaveLength(1)
  })
})
