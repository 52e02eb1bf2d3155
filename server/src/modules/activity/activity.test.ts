import { randomUUID } from 'node:crypto'
import type { Activity } from '@alcove/contract/activity'
import { listActivity } from '@alcove/contract/activity'
import { moveFile, renameFile, renameFolder, trashFile } from '@alcove/contract/files'
import { copyItems, moveItems, trashItems } from '@alcove/contract/item-calls'
import { ACTIVITY_TTL, MAX_ACTIVITIES } from '@alcove/contract/limits'
import { emptyTrash, restoreFile } from '@alcove/contract/trash'
import { createFolderPaths } from '@alcove/contract/uploads'
import { listVersions, restoreVersion } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient } from '../../testing/clients/dav-client.ts'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'
import { sweepActivity } from './sweep-activity.ts'

setUpDrive()

const MINUTE = 60_000
const PERIOD = 10 * MINUTE

/** Lets a period begin, so that no test has a border in between. */
beforeEach(() => app.clock.advance(PERIOD - (app.clock.now() % PERIOD)))

const list = async (fields: object = {}, client = user.client) =>
  (await client.call(listActivity, { limit: 100, ...fields })).body.activities

/** Describes an entry: `added 2 (1) a, b in Photos`. The number in parentheses is that of folders. */
function describeEntry({ action, count, folderCount, items, folder, origin }: Activity): string {
  const names = items.map(({ name, oldName }) => (oldName === undefined ? name : `${oldName} > ${name}`)).join(', ')
  const place = (at: typeof folder) => (at === null ? '-' : at.id === null ? '/' : at.name)
  const from = origin === null ? '' : ` from ${place(origin)}`
  return `${action} ${count} (${folderCount}) ${names} in ${place(folder)}${from}`
}
const read = async (fields: object = {}, client = user.client) => (await list(fields, client)).map(describeEntry)
const upload = (name: string, folderId?: string, content = 'x') =>
  user.client.upload(name, content, { ...(folderId !== undefined && { folderId }) })
const nextPeriod = () => app.clock.advance(PERIOD)

describe('what is listed', () => {
  it('has every kind of change, newest first, with the names that things had then', async () => {
    const folder = (await makeFolder('Photos')).id
    const file = await upload('a.txt', folder)
    nextPeriod()
    await user.client.upload('a.txt', 'other', { folderId: folder, onConflict: 'replace' })
    nextPeriod()
    await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'b.txt', folderId: folder })
    nextPeriod()
    const other = (await makeFolder('Other')).id
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: other })
    nextPeriod()
    await user.client.call(copyItems, { itemIds: [file.id], targetFolderId: null, onConflict: 'keepBoth' })
    nextPeriod()
    await user.client.call(trashFile, { id: file.id })
    nextPeriod()
    await user.client.call(restoreFile, { id: file.id })
    nextPeriod()
    const { versions } = (await user.client.call(listVersions, { id: file.id })).body
    await user.client.call(restoreVersion, { id: file.id, versionId: versions[0]?.id as string })
    nextPeriod()
    await user.client.call(renameFolder, { id: other, newName: 'Renamed' })
    nextPeriod()
    await user.client.call(trashFile, { id: file.id })
    await user.client.call(emptyTrash, {})
    expect((await read()).sort()).toEqual(
      [
        'added 1 (1) Photos in /',
        'added 1 (0) a.txt in Photos',
        'changed 1 (0) a.txt in Photos',
        'renamed 1 (0) a.txt > b.txt in Photos',
        'added 1 (1) Other in /',
        'moved 1 (0) b.txt in Other from Photos',
        'copied 1 (0) b.txt in /',
        'trashed 1 (0) b.txt in Other',
        'restored 1 (0) b.txt in Other',
        'changed 1 (0) b.txt in Other',
        'renamed 1 (1) Other > Renamed in /',
        'trashed 1 (0) b.txt in Renamed',
        'deleted 1 (0) b.txt in /',
      ].sort(),
    )
    const entries = await list()
    expect(entries.map(({ beganAt }) => beganAt)).toEqual(
      entries
        .map(({ beganAt }) => beganAt)
        .sort()
        .reverse(),
    )
    expect(entries.every(({ actor }) => actor.isYou && actor.kind === 'user' && actor.name === user.email)).toBe(true)
    const [renamed] = entries.filter(({ action, folderCount }) => action === 'renamed' && folderCount === 1)
    expect(renamed).toMatchObject({
      items: [{ id: other, kind: 'folder', exists: true, parentId: null }],
      folder: { exists: true },
    })
    const [deleted] = entries.filter(({ action }) => action === 'deleted')
    expect(deleted?.items).toMatchObject([{ id: file.id, exists: false }])
  })

  it('has nothing of what changes nothing', async () => {
    const file = await upload('a.txt')
    await user.client.upload('a.txt', 'x', { onConflict: 'replace' })
    await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'a.txt' })
    await user.client.call(moveItems, { itemIds: [file.id], targetFolderId: null })
    await upload('._a.txt')
    await upload('.DS_Store')
    expect(await read()).toEqual(['added 1 (0) a.txt in /'])
  })

  it('has nothing of the vault', async () => {
    const folder = await makeFolder('Secret', undefined, true)
    await user.client.upload('hidden', 'x', { isEncrypted: true, vaultCheck: 'c'.repeat(43) })
    await user.client.call(renameFolder, { id: folder.id, newName: 'Safe' })
    await user.client.call(trashItems, { itemIds: [folder.id] })
    await user.client.call(emptyTrash, {})
    expect(await read()).toEqual([])
    const other = await makeFolder('Again', undefined, true)
    expect((await user.client.call(listActivity, { folderId: other.id })).status).toBe(404)
  })

  it('has nothing of a change that was refused, even if it shared a transaction with others', async () => {
    await upload('file')
    nextPeriod()
    // The first folder is created before the second path is refused.
    const refused = () => user.client.call(createFolderPaths, { folderPaths: ['lost', 'file/inside'] })
    const responses = await Promise.all([makeFolder('a'), refused(), makeFolder('b'), refused(), makeFolder('c')])
    expect(responses.filter((response) => 'status' in response).map(({ status }) => status)).toEqual([409, 409])
    const [entry, ...others] = await list()
    expect(others).toHaveLength(1)
    expect(entry).toMatchObject({ action: 'added', count: 3, folderCount: 3 })
    expect(entry?.items.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])
  })
})

describe('similar changes', () => {
  it('within ten minutes are one entry, which names the first few', async () => {
    const folder = (await makeFolder('Photos')).id
    await Promise.all(Array.from({ length: 40 }, (_unused, index) => upload(`${index}.jpg`, folder)))
    app.clock.advance(9 * MINUTE)
    await upload('last.jpg', folder)
    const [entry] = await list({ folderId: folder })
    expect(entry).toMatchObject({ action: 'added', count: 41, folderCount: 0 })
    expect(entry?.items).toHaveLength(5)
    expect(Date.parse(entry?.lastAt as string) - Date.parse(entry?.beganAt as string)).toBe(9 * MINUTE)
    app.clock.advance(MINUTE)
    await upload('next.jpg', folder)
    expect((await list({ folderId: folder })).map(({ count }) => count)).toEqual([1, 41])
  })

  it('count an item once that is saved again and again', async () => {
    const save = (name: string, content: string) => user.client.upload(name, content, { onConflict: 'replace' })
    for (const name of ['a', 'b']) await save(name, 'first')
    nextPeriod()
    for (const name of ['a', 'a', 'b', 'a']) await save(name, randomUUID())
    expect((await read())[0]).toBe('changed 2 (0) a, b in /')
  })

  it('of ten thousand items add one entry with a few statements', async () => {
    const target = (await makeFolder('Target')).id
    const names = Array.from({ length: 10_000 }, (_unused, index) => `n${index}`)
    const ids = await addManyItems(app.services, { ownerId: user.id, names })
    const statements = await countStatements(() =>
      user.client.call(moveItems, { itemIds: ids, targetFolderId: target }),
    )
    expect(statements).toBeLessThan(25)
    await user.client.call(trashItems, { itemIds: ids })
    await user.client.call(emptyTrash, {})
    const counts = (await list()).map(({ action, count }) => [action, count])
    expect(counts.sort()).toEqual([
      ['added', 1],
      ['deleted', 10_000],
      ['moved', 10_000],
      ['trashed', 10_000],
    ])
  })

  it('of items from many folders are few entries', async () => {
    const folders = await addManyItems(app.services, {
      ...{ ownerId: user.id, kind: 'folder', names: Array.from({ length: 60 }, (_unused, index) => `f${index}`) },
    })
    const ids: string[] = []
    for (const folderId of folders) {
      ids.push(...(await addManyItems(app.services, { ownerId: user.id, folderId, names: ['a'] })))
    }
    await user.client.call(trashItems, { itemIds: ids })
    const entries = await list()
    expect(entries).toHaveLength(21)
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(60)
    expect(entries.find(({ count }) => count === 40)).toMatchObject({ action: 'trashed', folder: { id: null } })
  })

  it('of an uploaded tree are one entry in its topmost folder', async () => {
    const existing = (await makeFolder('Existing')).id
    app.clock.advance(2 * 3_600_000)
    for (const path of ['Tree/a', 'Tree/b/c', 'Tree/b/d']) {
      await user.client.upload('f.txt', path, { parentFolderId: existing, folderPath: path })
    }
    await user.client.call(createFolderPaths, {
      parentFolderId: existing,
      folderPaths: ['Tree/e/f', 'Tree/g', 'New/h'],
    })
    expect((await read({ folderId: existing })).sort()).toEqual([
      'added 1 (1) h in New',
      'added 2 (2) Tree, New in Existing',
      'added 6 (3) f.txt, f.txt, f.txt, e, f in Tree',
    ])
    app.clock.advance(3_600_000)
    await user.client.upload('g.txt', 'x', { parentFolderId: existing, folderPath: 'Tree/b/c' })
    expect((await read())[0]).toBe('added 1 (0) g.txt in c')
  })
})

describe('the activity of a folder', () => {
  it('is that of all that lies below it now, with what was moved in and away', async () => {
    const folder = (await makeFolder('Outer')).id
    const inner = (await makeFolder('Inner', folder)).id
    const other = (await makeFolder('Other')).id
    nextPeriod()
    const file = await upload('a.txt', inner)
    await upload('b.txt', other)
    await upload('c.txt')
    nextPeriod()
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: other })
    const all = ['moved 1 (0) a.txt in Other from Inner', 'added 1 (0) a.txt in Inner', 'added 1 (1) Inner in Outer']
    expect(await read({ folderId: folder })).toEqual(all)
    expect(await read({ folderId: inner })).toEqual(all.slice(0, 2))
    expect(await read({ folderId: other })).toEqual([all[0], 'added 1 (0) b.txt in Other'])
    nextPeriod()
    await user.client.call(moveItems, { itemIds: [inner], targetFolderId: other })
    expect(await read({ folderId: folder })).toEqual(['moved 1 (1) Inner in Other from Outer', all[2]])
    expect(await read({ folderId: other })).toHaveLength(4)
  })

  it('is not found for strangers, for folders in the trash and for files', async () => {
    const folder = (await makeFolder('Mine')).id
    const file = await upload('a.txt')
    const stranger = await app.createUser()
    expect((await stranger.client.call(listActivity, { folderId: folder })).status).toBe(404)
    expect((await user.client.call(listActivity, { folderId: file.id })).status).toBe(404)
    await user.client.call(trashItems, { itemIds: [folder] })
    expect((await user.client.call(listActivity, { folderId: folder })).status).toBe(404)
    expect((await list({}, stranger.client)).length).toBe(0)
  })
})

describe('pages', () => {
  async function readAll(limit: number, between: () => Promise<unknown> = async () => {}) {
    const found: Activity[] = []
    for (let cursor: string | undefined; ; ) {
      const { body } = await user.client.call(listActivity, { limit, cursor })
      found.push(...body.activities)
      if (body.nextCursor === null) return found
      cursor = body.nextCursor
      await between()
    }
  }

  it('have each of 250 entries once, though some are raised and added meanwhile', async () => {
    const folders = await addManyItems(app.services, {
      ...{ ownerId: user.id, kind: 'folder', names: Array.from({ length: 250 }, (_unused, index) => `f${index}`) },
    })
    for (let at = 0; at < 250; at += 25) {
      await Promise.all(folders.slice(at, at + 25).map((id) => upload('a.txt', id)))
      app.clock.advance(10_000)
    }
    let raised = 0
    const found = await readAll(40, () =>
      Promise.all([
        ...folders.slice(raised, raised + 20).map((id) => upload(`${raised}.txt`, id)),
        makeFolder(`new ${raised++}`),
      ]),
    )
    expect(found).toHaveLength(250)
    expect(new Set(found.map(({ id }) => id)).size).toBe(250)
    expect(new Set(found.map(({ folder }) => folder?.id))).toEqual(new Set(folders))
  })

  it('are limited, and have valid cursors', async () => {
    for (const limit of [0, 101, 'x']) {
      expect((await user.client.raw(listActivity, { limit })).status).toBe(400)
    }
    for (const cursor of ['', 'x', '1.2', `${Date.now()}`]) {
      expect(await user.client.raw(listActivity, { cursor })).toMatchObject({
        ...{ status: 400, body: { error: 'Invalid cursor. Start again at the first page.' } },
      })
    }
  })
})

describe('an app password', () => {
  it('is named with what an app does, and reads only its folder', async () => {
    const folder = (await makeFolder('Shared with app')).id
    const inner = (await makeFolder('Inner', folder)).id
    const uploader = await addAppPassword(app, user, { scope: 'upload' })
    const scanner = await addAppPassword(app, user, { name: 'Scanner', folderId: folder })
    nextPeriod()
    const file = await scanner.client.upload('scan.pdf', 'x', { folderId: inner })
    await upload('own.txt')
    expect(await read({}, scanner.client)).toEqual(['added 1 (0) scan.pdf in Inner', 'added 1 (1) Inner in /'])
    expect((await read()).sort()).toEqual([
      'added 1 (0) own.txt in /',
      'added 1 (0) scan.pdf in Inner',
      'added 1 (1) Inner in Shared with app',
      'added 1 (1) Shared with app in /',
    ])
    expect((await list({ folderId: inner }))[0]?.actor).toEqual({
      kind: 'user',
      name: user.email,
      isYou: true,
      app: 'Scanner',
    })
    nextPeriod()
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: undefined })
    expect((await read({}, scanner.client))[0]).toBe('moved 1 (0) scan.pdf in - from Inner')
    expect((await list({}, scanner.client))[0]?.items[0]?.exists).toBe(false)
    expect((await scanner.client.call(listActivity, { folderId: randomUUID() })).status).toBe(404)
    expect((await uploader.client.call(listActivity, {})).status).toBe(403)
  })

  it('saves by WebDAV, which is listed as what a person did', async () => {
    const dav = await createDavClient(app.app, user)
    await dav.send('MKCOL', 'Work')
    await dav.put('Work/a.txt', 'first')
    nextPeriod()
    await dav.put('Work/.tmp', 'second')
    await dav.send('MOVE', 'Work/.tmp', { headers: { destination: '/dav/Work/a.txt' } })
    nextPeriod()
    await dav.send('MOVE', 'Work/a.txt', { headers: { destination: '/dav/b.txt' } })
    nextPeriod()
    await dav.send('COPY', 'b.txt', { headers: { destination: '/dav/c.txt' } })
    nextPeriod()
    await dav.send('DELETE', 'b.txt')
    expect(await read()).toEqual([
      'trashed 1 (0) b.txt in /',
      'copied 1 (0) c.txt in /',
      'moved 1 (0) a.txt > b.txt in / from Work',
      ...['changed 1 (0) a.txt in Work', 'added 1 (0) .tmp in Work'],
      ...['added 1 (0) a.txt in Work', 'added 1 (1) Work in /'],
    ])
  })
})

describe('how long entries are kept', () => {
  it('is 90 days, and the newest ten thousand', async () => {
    const { db, clock } = app.services
    await makeFolder('Old')
    const age = (by: number) =>
      db
        .updateTable('activities')
        .set((eb) => ({ began_at: eb('began_at', '-', by) }))
        .where('owner_id', '=', user.id)
        .execute()
    await age(ACTIVITY_TTL - PERIOD - 1)
    nextPeriod()
    await makeFolder('New')
    await sweepActivity(app.services)
    expect(await list()).toHaveLength(2)
    app.clock.advance(1)
    await sweepActivity(app.services)
    expect(await read()).toEqual(['added 1 (1) New in /'])
    const [row] = await db.selectFrom('activities').selectAll().where('owner_id', '=', user.id).execute()
    const rows = Array.from({ length: MAX_ACTIVITIES + 2500 }, (_unused, index) => ({
      ...(row as NonNullable<typeof row>),
      ...{ id: randomUUID(), bundle: `made ${index}`, began_at: clock.now() + index },
    }))
    for (let at = 0; at < rows.length; at += 1000) {
      await db
        .insertInto('activities')
        .values(rows.slice(at, at + 1000))
        .execute()
    }
    await sweepActivity(app.services)
    const left = await db.selectFrom('activities').select('began_at').where('owner_id', '=', user.id).execute()
    expect(left).toHaveLength(MAX_ACTIVITIES)
    expect(Math.min(...left.map(({ began_at }) => began_at))).toBe(clock.now() + 2500)
  })
})
