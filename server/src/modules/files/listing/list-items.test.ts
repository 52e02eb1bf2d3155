import { randomUUID } from 'node:crypto'
import { createFolder, renameFile, trashFile } from '@alcove/contract/files'
import { getItem, listItems } from '@alcove/contract/item-calls'
import { MAX_ITEM_COUNT } from '@alcove/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

type Input = Parameters<typeof listItems.input.parse>[0] & object

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

const list = (input: Input = {}) => user.client.call(listItems, input as never)
const names = (items: readonly { name: string }[]) => items.map((item) => item.name)

async function makeFolder(folderName: string, parentFolderId?: string, isEncrypted?: boolean) {
  return (await user.client.call(createFolder, { folderName, parentFolderId, isEncrypted })).body
}

/** Reads all pages of a list in turn, and calls `between` before each next page. */
async function listAll(input: Input & object, between: (page: number) => Promise<unknown> = async () => {}) {
  const all: string[] = []
  let cursor: string | undefined
  for (let page = 1; ; page += 1) {
    const { status, body } = await list({ ...input, ...(cursor && { cursor }) })
    expect(status).toBe(200)
    all.push(...names(body.items))
    if (body.nextCursor === null) return all
    cursor = body.nextCursor
    await between(page)
  }
}

describe('listing the items of a folder', () => {
  it('returns an empty page for an empty folder', async () => {
    expect((await list()).body).toEqual({ items: [], nextCursor: null, total: 0 })
  })

  it('marks files whose stored bytes are damaged, until they are intact again', async () => {
    const { id: folderId } = await makeFolder('Photos')
    const files = await Promise.all(['a', 'b'].map((name) => user.client.upload(name, name, { folderId })))
    const damaged = files[1]?.id as string
    const blob = app.services.db.selectFrom('items').select('blob_key').where('id', '=', damaged)
    const note = (time: number | null) =>
      app.services.db.updateTable('blobs').set({ damaged_at: time }).where('key', '=', blob).execute()
    const marks = async () => [
      ...(await list({ folderId })).body.items.map((item) => item.type === 'file' && item.isDamaged),
      (await user.client.call(getItem, { id: damaged })).body.item,
    ]
    await note(1)
    expect(await marks()).toMatchObject([undefined, true, { isDamaged: true }])
    await note(null)
    const [first, second, item] = await marks()
    expect([first, second]).toEqual([undefined, undefined])
    expect(item).not.toHaveProperty('isDamaged')
  })

  it('returns folders before files, and their total number', async () => {
    const file = await user.client.upload('a.txt', 'abc')
    const folder = await makeFolder('z')
    expect((await list()).body).toEqual({ items: [{ ...folder, itemCount: 0 }, file], nextCursor: null, total: 2 })
    expect((await list({ folderId: folder.id })).body.items).toEqual([])
  })

  it('lists the drive and the vault separately', async () => {
    await user.client.upload('drive.txt', 'x')
    await user.client.upload('vault.txt', 'x', { isEncrypted: true })
    expect(names((await list()).body.items)).toEqual(['drive.txt'])
    expect((await list({ vault: true })).body.items).toMatchObject([{ name: 'vault.txt', isEncrypted: true }])
  })

  it('omits trashed items from the list and the total', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    await user.client.upload('b.txt', 'x')
    expect((await list()).body.total).toBe(2)
    await user.client.call(trashFile, { id })
    expect((await list()).body).toMatchObject({ items: [{ name: 'b.txt' }], total: 1 })
  })

  it.each([
    ['name', 'asc', ['f1', 'f2', 'b.TXT', 'c', 'IMG 2.jpg', 'img 10.jpg', 'z.txt']],
    ['name', 'desc', ['f2', 'f1', 'z.txt', 'img 10.jpg', 'IMG 2.jpg', 'c', 'b.TXT']],
    ['size', 'asc', ['f1', 'f2', 'c', 'b.TXT', 'IMG 2.jpg', 'img 10.jpg', 'z.txt']],
    ['size', 'desc', ['f1', 'f2', 'z.txt', 'b.TXT', 'IMG 2.jpg', 'img 10.jpg', 'c']],
    ['updatedAt', 'asc', ['f2', 'f1', 'z.txt', 'IMG 2.jpg', 'b.TXT', 'img 10.jpg', 'c']],
    ['updatedAt', 'desc', ['f1', 'f2', 'c', 'img 10.jpg', 'b.TXT', 'IMG 2.jpg', 'z.txt']],
    ['type', 'asc', ['f1', 'f2', 'c', 'IMG 2.jpg', 'img 10.jpg', 'b.TXT', 'z.txt']],
    ['type', 'desc', ['f1', 'f2', 'b.TXT', 'z.txt', 'IMG 2.jpg', 'img 10.jpg', 'c']],
  ] as const)('sorts items by %s %s with any page size', async (sort, order, expected) => {
    for (const [name, content] of [
      ['z.txt', '333'],
      ['IMG 2.jpg', '22'],
      ['b.TXT', '22'],
      ['img 10.jpg', '22'],
      ['c', ''],
    ] as const) {
      await user.client.upload(name, content)
      app.clock.advance(1000)
    }
    await makeFolder('f2')
    app.clock.advance(1000)
    await makeFolder('f1')
    for (const limit of [1, 2, 3, 200]) expect(await listAll({ sort, order, limit })).toEqual(expected)
  })

  it.each(['name', 'size', 'modifiedAt', 'updatedAt', 'type'] as const)(
    'neither misses nor repeats items sorted by %s while others are added and removed',
    async (sort) => {
      const folder = await makeFolder('many')
      const stay = Array.from({ length: 60 }, (_unused, index) => `m ${index + 1}.${'abc'[index % 3]}`)
      const ids = await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names: stay })
      const seen = await listAll({ folderId: folder.id, sort, limit: 7 }, async (page) => {
        await user.client.upload(`a ${page}.a`, '', { folderId: folder.id })
        await user.client.upload(`z ${page}.z`, '55555', { folderId: folder.id })
        // Trashes the item after which the next page starts.
        const lastShown = await app.services.db
          .selectFrom('items')
          .select('id')
          .where('name', '=', `m ${page * 7}.${'abc'[(page * 7 - 1) % 3]}`)
          .where('parent_id', '=', folder.id)
          .executeTakeFirst()
        if (sort === 'name' && lastShown) await user.client.call(trashFile, { id: lastShown.id })
      })
      expect(seen.filter((name) => name.startsWith('m'))).toHaveLength(ids.length)
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  it('returns each item once when several have the same sort key', async () => {
    const alike = ['É.txt', 'e.txt', 'é2.txt', 'E2.TXT'.replace('E2', 'e2'), 'ê.txt']
    for (const name of alike) await user.client.upload(name, 'x')
    for (const order of ['asc', 'desc'] as const) {
      expect((await listAll({ order, limit: 1 })).sort()).toEqual([...alike].sort())
    }
  })

  it.each([{ sort: 'name' }, { sort: 'name', order: 'desc' }, { sort: 'size' }, { sort: 'type' }] as const)(
    'returns the page at any offset of a list sorted by %j',
    async (sorted) => {
      const folder = await makeFolder('many')
      const owned = { ownerId: user.id, folderId: folder.id }
      await addManyItems(app.services, { ...owned, names: ['b', 'a', 'c'], kind: 'folder' })
      await addManyItems(app.services, { ...owned, names: ['5.txt', '1.txt', '3.jpg', '4.jpg', '2'] })
      const input = { folderId: folder.id, ...sorted }
      const all = await listAll({ ...input, limit: 200 })
      const { nextCursor } = (await list({ ...input, limit: 2 })).body
      for (let offset = 0; offset <= all.length + 1; offset += 1) {
        const page = (await list({ ...input, offset, limit: 3 })).body
        expect(names(page.items)).toEqual(all.slice(offset, offset + 3))
        expect(page.total).toBe(all.length)
        if (page.nextCursor === null) expect(offset + 3).toBeGreaterThanOrEqual(all.length)
        else expect(await listAll({ ...input, cursor: page.nextCursor, limit: 4 })).toEqual(all.slice(offset + 3))
        const further = (await list({ ...input, cursor: String(nextCursor), offset, limit: 3 })).body
        expect(names(further.items)).toEqual(all.slice(offset + 2, offset + 5))
      }
    },
  )

  it('continues after a name of any length and script', async () => {
    const long = ['ﷺ'.repeat(85), '1a'.repeat(127), '𝒳'.repeat(63)]
    for (const name of long) await user.client.upload(name, 'x')
    expect(await listAll({ limit: 1 })).toHaveLength(3)
  })
})

describe('the cursor of a list', () => {
  async function makeCursor(input: Input = {}) {
    for (const name of ['a', 'b', 'c']) await user.client.upload(name, 'x')
    return String((await list({ ...input, limit: 1 })).body.nextCursor)
  }

  it('rejects a cursor that was issued for a different list', async () => {
    const folder = await makeFolder('other')
    const cursor = await makeCursor({ sort: 'size' })
    const others: Input[] = [
      {},
      { order: 'desc', sort: 'size' },
      { sort: 'size', vault: true },
      { sort: 'size', folderId: folder.id },
    ]
    for (const input of others) {
      expect(await list({ ...input, cursor })).toMatchObject({ status: 400, body: { code: 'malformed' } })
    }
    const stranger = await app.createUser()
    expect((await stranger.client.call(listItems, { sort: 'size', cursor })).status).toBe(400)
    expect((await list({ sort: 'size', cursor, limit: 2 })).status).toBe(200)
  })

  it('rejects a modified cursor and arbitrary text', async () => {
    const cursor = await makeCursor()
    const places = [0, 5, cursor.indexOf('.') - 1, cursor.indexOf('.') + 1]
    const changed = places.map((at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1))
    const garbage = ['', '.', 'x', '..', 'null', '%00', '\u0000', 'e30', `${'a'.repeat(4000)}.b`, cursor.slice(0, -2)]
    for (const one of [...changed, ...garbage, 'a'.repeat(5001)]) {
      expect(await user.client.raw(listItems, { cursor: one })).toMatchObject({
        status: 400,
        body: { code: 'malformed' },
      })
    }
  })
})

describe('rejected requests for a list of items', () => {
  it.each([
    [{ limit: 0 }, 400],
    [{ limit: 10_001 }, 400],
    [{ limit: 'many' }, 400],
    [{ limit: -1 }, 400],
    [{ offset: -1 }, 400],
    [{ offset: 1.5 }, 400],
    [{ offset: '9'.repeat(40) }, 400],
    [{ sort: 'colour' }, 400],
    [{ order: 'up' }, 400],
    [{ folderId: 'x' }, 400],
    [{ folderId: randomUUID() }, 404],
  ])('rejects the list input %j with status %i', async (input, status) => {
    expect((await user.client.raw(listItems, input)).status).toBe(status)
  })

  it("returns 404 for another user's folder and for a file, and 401 without a session", async () => {
    const stranger = await app.createUser()
    const theirs = (await stranger.client.call(createFolder, { folderName: 'theirs' })).body
    const file = await user.client.upload('a', 'x')
    for (const folderId of [theirs.id, file.id]) expect((await list({ folderId })).status).toBe(404)
    expect((await app.visitor.call(listItems, {})).status).toBe(401)
  })
})

it('sorts a renamed file by its new name and type', async () => {
  await user.client.upload('a.txt', 'x')
  await user.client.upload('b.jpg', 'x')
  await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'c.aaa' })
  expect(names((await list()).body.items)).toEqual(['b.jpg', 'c.aaa'])
  expect(names((await list({ sort: 'type' })).body.items)).toEqual(['c.aaa', 'b.jpg'])
})

describe('the number of items in a folder', () => {
  it('counts only direct children of a folder that are not in the trash', async () => {
    const outer = await makeFolder('outer')
    const inner = await makeFolder('inner', outer.id)
    await makeFolder('empty')
    await user.client.upload('a', 'x', { folderId: outer.id })
    const gone = await user.client.upload('b', 'x', { folderId: outer.id })
    await user.client.upload('c', 'x', { folderId: inner.id })
    await user.client.call(trashFile, { id: gone.id })
    const { items } = (await list()).body
    expect(items.map((item) => [item.name, item.type === 'folder' && item.itemCount])).toEqual([
      ['empty', 0],
      ['outer', 2],
    ])
  })

  it('returns MAX_ITEM_COUNT + 1 for a folder that contains more items', async () => {
    const folder = await makeFolder('large')
    const many = Array.from({ length: MAX_ITEM_COUNT + 5 }, (_, index) => `${index}`)
    await addManyItems(app.services, { ownerId: user.id, folderId: folder.id, names: many })
    expect((await list()).body.items).toMatchObject([{ name: 'large', itemCount: MAX_ITEM_COUNT + 1 }])
  })
})
