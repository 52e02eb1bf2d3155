import { createFolder, moveFile, renameFile, renameFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { searchItems } from '@alcove/contract/search'
import { deleteFolder, emptyTrash, restoreFile, restoreFolder } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addNames as addManyNames, indexNames as indexManyNames } from '../../../testing/factories/many-items.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { syncSearch } from '../../search/sync-search.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

async function search(q: string, by = user) {
  const response = await by.client.call(searchItems, { q })
  expect(response.status).toBe(200)
  return response.body
}
const namesFor = async (q: string, by = user) => (await search(q, by)).map(({ name }) => name)

async function makeFolder(folderName: string, parentFolderId?: string) {
  return (await user.client.call(createFolder, { folderName, parentFolderId })).body
}
async function upload(name: string, folderId?: string) {
  return user.client.upload(name, 'x', { folderId })
}

const addNames = (names: readonly string[], owner = user) => addManyNames(app.services.db, owner, names)
const indexNames = () => indexManyNames(app.services)

async function countPending(owner = user): Promise<number> {
  const { count } = await app.services.db
    .selectFrom('search_pending')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  return count
}

const many = (count: number, name: (number: number) => string) =>
  Array.from({ length: count }, (_one, index) => name(index))

describe('searching items by name', () => {
  it("doesn't find files in which macOS stores metadata, indexed or not", async () => {
    await makeFolder('._holiday')
    for (const name of ['holiday.jpg', '._holiday.jpg', '.DS_Store', 'x.DS_Store']) await upload(name)
    for (let round = 0; round < 2; round++) {
      expect(await namesFor('holiday')).toEqual(['holiday.jpg', '._holiday'])
      expect(await namesFor('ds_store')).toEqual(['x.DS_Store'])
      await indexNames()
    }
  })

  it('returns name, type, path and folder of items whose name contains the text', async () => {
    const photos = await makeFolder('Photos')
    const year = await makeFolder('2024', photos.id)
    const file = await upload('Beach photo.jpg', year.id)
    expect(await search('PHOTO')).toEqual([
      { id: photos.id, name: 'Photos', type: 'folder', path: '/Photos', folder_id: null },
      { id: file.id, name: 'Beach photo.jpg', type: 'file', path: '/Photos/2024/Beach photo.jpg', folder_id: year.id },
    ])
    expect(await search('2024')).toEqual([
      { id: year.id, name: '2024', type: 'folder', path: '/Photos/2024', folder_id: photos.id },
    ])
  })

  it('returns exact matches first, then names that start with the text, then all others', async () => {
    await addNames(['my report', 'report 10', 'report 9', 'a report', 'Report', 'reporter'])
    expect(await namesFor('report')).toEqual(['Report', 'report 9', 'report 10', 'reporter', 'a report', 'my report'])
  })

  it('ignores case, accents and compatibility forms', async () => {
    await addNames(['Résumé Straße.pdf', 'ŁÓDŹ', 'ＡＢＣ', 'ΟΔΟΣ', 'Ёлка', '東京の写真', 'résumé 2'])
    expect(await namesFor('resume')).toEqual(['résumé 2', 'Résumé Straße.pdf'])
    expect(await namesFor('STRASSE')).toEqual(['Résumé Straße.pdf'])
    expect(await namesFor('re\u0301sume\u0301 2')).toEqual(['résumé 2'])
    for (const [q, name] of [
      ['lodz', 'ŁÓDŹ'],
      ['abc', 'ＡＢＣ'],
      ['οδος', 'ΟΔΟΣ'],
      ['елк', 'Ёлка'],
      ['京', '東京の写真'],
      ['の写', '東京の写真'],
    ] as const) {
      expect(await namesFor(q)).toEqual([name])
    }
  })

  it('returns no results for a blank or missing query', async () => {
    await upload('a b.txt')
    for (const q of ['', ' ', ' \t\n ']) expect(await search(q)).toEqual([])
    expect((await user.client.request({ method: 'GET', url: '/api/search' })).body).toEqual([])
  })

  it('matches special characters literally', async () => {
    const names = [
      `"quoted" it's`,
      '100%',
      'a_b',
      'c*d',
      'e\\f',
      'OR NOT',
      'null',
      '-x',
      '(y)',
      '^z$',
      '🏔️ Alps',
      'plain',
    ]
    await addNames(names)
    for (const name of names) {
      expect(await namesFor(name)).toEqual([name])
      expect(await namesFor(name.slice(0, -1)), name).toContain(name)
    }
    expect(await namesFor('%')).toEqual(['100%'])
    expect(await namesFor('_')).toEqual(['a_b'])
    expect(await namesFor('*')).toEqual(['c*d'])
    expect(await namesFor('"')).toEqual([`"quoted" it's`])
  })

  it.each<[string, string[]]>([
    ['\u0000', []],
    ['plain\u0000', []],
    ['\ud83c', []],
    ['plain\udfd4', []],
    ['a/b', []],
    [`${"' or 1=1; --"}`, []],
    ['"'.repeat(399), []],
    ['NEAR(plain)', []],
    ['\ufffd', []],
    ['\u0301', []],
  ])('accepts the unusual query of case %#', async (q, expected) => {
    await addNames(['plain', 'a ’ b'])
    const address = `/api/search?q=${encodeURIComponent(q.isWellFormed() ? q : 'x')}`
    expect((await user.client.request({ method: 'GET', url: address })).status).toBe(200)
    expect(await search(q)).toEqual(expected)
  })

  it('rejects overlong and repeated queries and never fails on malformed ones', async () => {
    for (const url of [
      `/api/search?q=${'a'.repeat(5000)}`,
      `/api/search?q=${'ä'.repeat(401)}`,
      '/api/search?q=a&q=b',
    ]) {
      expect((await user.client.request({ method: 'GET', url })).status, url.slice(0, 30)).toBe(400)
    }
    expect(await search('a'.repeat(400))).toEqual([])
    expect((await app.visitor.request({ method: 'GET', url: '/api/search?q=a' })).status).toBe(401)
    for (const url of [
      '/api/search?q=%',
      '/api/search?q=%ff',
      '/api/search?q=%00',
      '/api/search?q[]=a',
      '/api/search?q=%ed%a0%80',
    ]) {
      expect((await user.client.request({ method: 'GET', url })).status, url).toBeLessThan(500)
    }
  })
})

describe.each(['not yet indexed', 'indexed'])('searching names that are %s', (state) => {
  const isIndexed = state === 'indexed'
  const settle = async () => {
    if (!isIndexed) return
    // An index is only built for many names, so others are added.
    await addNames(many(1100, (number) => `~${number}`))
    await indexNames()
    expect(await countPending()).toBe(0)
  }

  it('finds items immediately after every change', async () => {
    const folder = await makeFolder('Walnut box')
    const file = await upload('walnut.txt', folder.id)
    const inner = await makeFolder('inner walnut', folder.id)
    await settle()
    expect(await namesFor('walnut')).toEqual(['Walnut box', 'walnut.txt', 'inner walnut'])

    await user.client.call(renameFile, { oldFilename: 'walnut.txt', newName: 'hazel.txt', folderId: folder.id })
    expect(await namesFor('walnut')).toEqual(['Walnut box', 'inner walnut'])
    expect(await namesFor('hazel')).toEqual(['hazel.txt'])
    await user.client.call(renameFolder, { id: folder.id, newName: 'Oak' })
    expect((await search('hazel'))[0]?.path).toBe('/Oak/hazel.txt')

    await user.client.call(moveFile, { fileId: file.id, targetFolderId: null })
    expect(await search('hazel')).toMatchObject([{ path: '/hazel.txt', folder_id: null }])
    await user.client.call(trashFile, { id: file.id })
    expect(await namesFor('hazel')).toEqual([])
    await user.client.call(restoreFile, { id: file.id })
    expect(await namesFor('hazel')).toEqual(['hazel.txt'])

    await user.client.call(trashFolder, { id: folder.id })
    expect(await namesFor('walnut')).toEqual([])
    await user.client.call(restoreFolder, { id: folder.id })
    expect(await search('walnut')).toMatchObject([{ id: inner.id, path: '/Oak/inner walnut' }])
    await user.client.call(trashFolder, { id: folder.id })
    await user.client.call(deleteFolder, { id: folder.id })
    expect(await namesFor('walnut')).toEqual([])
    await upload('walnut again.txt')
    expect(await namesFor('walnut')).toEqual(['walnut again.txt'])
  })

  it("omits other users' items, vault items and trashed items", async () => {
    const other = await app.createUser({ planName: '2 TB Annually' })
    await addNames(['secret of another'], other)
    if (isIndexed)
      await addNames(
        many(1100, (number) => `secret ${number}`),
        other,
      )
    await user.client.call(createFolder, { folderName: 'secret vault', isEncrypted: true })
    await user.client.upload('secret.enc', 'x', { isEncrypted: 'true' })
    const trashed = await upload('secret trash.txt')
    await user.client.call(trashFile, { id: trashed.id })
    await settle()
    expect(await namesFor('secret')).toEqual([])
    expect(await namesFor('secret of', other)).toEqual(['secret of another'])
  })

  it('returns at most 200 results and keeps the best matches', async () => {
    await addNames([
      'Birch',
      'birch first',
      ...many(300, (number) => `a birch ${number}`),
      ...many(150, (n) => `birch ${n}`),
    ])
    await settle()
    const names = await namesFor('birch')
    expect(names).toHaveLength(200)
    expect(names.slice(0, 2)).toEqual(['Birch', 'birch 0'])
    expect(names[151]).toBe('birch first')
    expect(names.slice(152).every((name) => name.startsWith('a birch'))).toBe(true)
  })
})

describe('the search index', () => {
  it('returns the same results as a scan of all names', async () => {
    const names = [
      ...many(1200, (number) => `IMG_${20240000 + number * 7}_${(number * 7919) % 10007}.jpg`),
      ...['東京タワー.png', 'Ærø ñandú', `"x" 100%_*`, 'aaaaaaaaab', 'a', 'ab', 'É', '🏔️🏔️ x'],
    ]
    await addNames(names)
    const parts = [
      'g',
      '1',
      '20',
      'jp',
      '_99',
      '240',
      '東',
      'タワ',
      'ær',
      'nd',
      '" 1',
      '%_*',
      'a',
      'ab',
      'aab',
      'e',
      '🏔',
      'x"',
    ]
    const before = new Map<string, string[]>()
    for (const q of parts) before.set(q, (await search(q)).map(({ id }) => id).sort())
    await indexNames()
    expect(await countPending()).toBe(0)
    for (const q of parts) {
      const found = (await search(q)).map(({ id }) => id).sort()
      if (found.length < 200) expect(found, q).toEqual(before.get(q))
      else expect(before.get(q), q).toHaveLength(200)
    }
    expect(await namesFor(`IMG_${20240000 + 7 * 77}`)).toHaveLength(1)
  })

  it('indexes large additions at once, others after a pause, and small accounts never', async () => {
    const [adding, resting, small] = [await app.createUser(), await app.createUser(), await app.createUser()]
    await addNames(
      many(4200, (number) => `adding ${number}`),
      adding,
    )
    await addNames(
      many(1100, (number) => `resting ${number}`),
      resting,
    )
    await addNames(['small'], small)
    await syncSearch(app.services)
    expect(await countPending(adding)).toBe(0)
    expect(await countPending(resting)).toBe(1100)
    await syncSearch(app.services)
    expect(await countPending(resting)).toBe(0)
    expect(await countPending(small)).toBe(1)
    expect(await namesFor('adding 4199', adding)).toEqual(['adding 4199'])
    expect(await namesFor('small', small)).toEqual(['small'])
  })

  it('drops removed names and retired segments when the index is rebuilt', async () => {
    const folder = await makeFolder('Doomed')
    await addNames(many(1500, (number) => `doomed ${number}`))
    await app.services.db.updateTable('items').set({ parent_id: folder.id }).where('name', 'like', 'doomed %').execute()
    await addNames(many(500, (number) => `not doomed ${number}`))
    await indexNames()
    await user.client.call(trashFolder, { id: folder.id })
    expect(await namesFor('doomed')).toHaveLength(200)
    await indexNames()
    const segments = () =>
      app.services.db.selectFrom('search_segments').selectAll().where('owner_id', '=', user.id).execute()
    expect((await segments()).map(({ state, size }) => [state, size])).toEqual([
      ['retired', 2001],
      ['ready', 500],
    ])
    app.clock.advance(60_000)
    await upload('x')
    await syncSearch(app.services)
    expect(await segments()).toHaveLength(1)
    expect(await namesFor('doomed')).toHaveLength(200)
    await user.client.call(restoreFolder, { id: folder.id })
    expect(await namesFor('doomed 77')).toContain('doomed 777')
    expect((await namesFor('doomed'))[0]).toBe('Doomed')
    await user.client.call(trashFolder, { id: folder.id })
    await user.client.call(emptyTrash, {})
    expect(await namesFor('doomed 1')).not.toContain('doomed 1')
  })

  it('merges small index segments', async () => {
    for (let round = 0; round < 4; round += 1) {
      await addNames(many(1100, (number) => `part ${round} ${number}`))
      await indexNames()
    }
    const ready = await app.services.db
      .selectFrom('search_segments')
      .select('size')
      .where('owner_id', '=', user.id)
      .where('state', '=', 'ready')
      .execute()
    expect(ready).toEqual([{ size: 4400 }])
    for (let round = 0; round < 4; round += 1) expect(await namesFor(`part ${round} 1099`)).toHaveLength(1)
  })

  it('loses no names that change while the index is built', async () => {
    await addNames(many(1300, (number) => `before ${number}`))
    const rows = await app.services.db
      .selectFrom('items')
      .select(['id', 'name'])
      .where('owner_id', '=', user.id)
      .execute()
    const some = rows.filter(({ name }) => name.startsWith('before ') && Number(name.slice(7)) % 100 === 0)
    const renameAll = async () => {
      for (const { id, name } of some) {
        await user.client.call(renameFolder, { id, newName: name.replace('before', 'after') })
      }
    }
    await Promise.all([indexNames(), renameAll(), addNames(['added meanwhile'])])
    expect(await namesFor('after')).toHaveLength(some.length)
    expect(await namesFor('added mean')).toEqual(['added meanwhile'])
    await addNames(many(1100, (number) => `later ${number}`))
    await indexNames()
    expect(await namesFor('after')).toHaveLength(some.length)
    expect(await namesFor('before 100')).not.toContain('before 100')
    expect(await namesFor('before 101')).toContain('before 101')
  })

  it('indexes each name once when two servers sync at the same time', async () => {
    await addNames(many(4200, (number) => `twice ${number}`))
    await Promise.all([syncSearch(app.services), syncSearch(app.services)])
    await indexNames()
    expect(await namesFor('twice 4199')).toEqual(['twice 4199'])
    expect(await countPending()).toBe(0)
  })

  it('serves a burst of searches while names are being indexed', async () => {
    await addNames(many(1500, (number) => `burst ${number}`))
    const responses = await Promise.all([
      indexNames(),
      ...many(40, (number) => 'burst '.slice(0, 1 + (number % 5))).map(async (q) =>
        expect(await namesFor(q)).toHaveLength(200),
      ),
    ])
    expect(responses).toHaveLength(41)
  })
})
