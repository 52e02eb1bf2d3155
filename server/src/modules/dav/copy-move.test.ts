import { addFavorite } from '@alcove/contract/favorites'
import { renameFolder } from '@alcove/contract/files'
import { copyItems } from '@alcove/contract/item-calls'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkCounters } from '../../commands/verify.ts'
import { createDavClient, type DavClient } from '../../testing/clients/dav-client.ts'
import {
  app,
  listIn,
  namesIn,
  setUpDrive,
  switchToNewUser,
  trashNames,
  usedBytes,
  user,
} from '../../testing/factories/drive.ts'
import { expectRightCounters, textsOf } from '../../testing/factories/versions.ts'
import { removeQueuedBlobs } from '../storage/remove-blobs.ts'

const MINUTE = 60_000

setUpDrive()
let dav: DavClient
beforeEach(async () => {
  dav = await createDavClient(app.app, user)
})

const send = (method: 'COPY' | 'MOVE', path: string, destination: string, headers: Record<string, string> = {}) =>
  dav.send(method, path, { headers: { destination: `/dav/${destination}`, ...headers } })

/** Creates `tree/` with a file and a folder with a file. */
async function makeTree(): Promise<void> {
  for (const path of ['tree', 'tree/inner']) await dav.send('MKCOL', path)
  await dav.put('tree/a.txt', 'aa')
  await dav.put('tree/inner/b.txt', 'bbb')
}

describe('MOVE', () => {
  it('renames, moves, and does both at once', async () => {
    await makeTree()
    await dav.put('a.txt', 'other')
    const [before] = await listIn()
    expect((await send('MOVE', 'tree', 'wood')).status).toBe(201)
    // Between the two steps, `a.txt` would be taken in either folder.
    expect((await send('MOVE', 'wood/a.txt', 'b.txt')).status).toBe(201)
    expect(await dav.names('')).toEqual(['a.txt', 'b.txt', 'wood'])
    expect((await listIn())[0]?.id).toBe(before?.id)
    expect((await dav.send('GET', 'b.txt')).text).toBe('aa')
  })

  it.each(['MOVE', 'COPY'] as const)(
    'saves a file over another one by %s, which keeps its id and history',
    async (method) => {
      await dav.put('old.txt', 'old')
      await dav.put('new.txt', 'new text')
      const [, old] = await listIn()
      await user.client.call(addFavorite, { itemType: 'file', itemId: old?.id as string })
      expect((await send(method, 'new.txt', 'old.txt', { overwrite: 'F' })).status).toBe(412)
      expect((await send(method, 'new.txt', 'old.txt')).status).toBe(204)
      expect((await dav.send('GET', 'old.txt')).text).toBe('new text')
      const saved = (await listIn()).find(({ name }) => name === 'old.txt')
      expect(saved).toMatchObject({ id: old?.id, isFavorite: true, size: 8 })
      const { versions } = (await user.client.call(listVersions, { id: old?.id as string })).body
      expect(versions).toMatchObject([{ size: 3 }])
      expect(await trashNames()).toEqual({ files: [], folders: [] })
      expect(await namesIn()).toEqual(method === 'MOVE' ? ['old.txt'] : ['new.txt', 'old.txt'])
      expect(await usedBytes()).toBe(method === 'MOVE' ? 11 : 19)
      await removeQueuedBlobs(app.services)
      expect((await dav.send('GET', 'old.txt')).text).toBe('new text')
      const lines: string[] = []
      await checkCounters(app.services.db, (line) => lines.push(line))
      expect(lines.join('\n')).not.toContain(user.email)
    },
  )

  it('makes no version if the file that it moves over another one has the same bytes', async () => {
    await dav.put('old.txt', 'same')
    await dav.put('new.txt', 'same')
    const old = (await listIn()).find(({ name }) => name === 'old.txt')
    expect((await send('MOVE', 'new.txt', 'old.txt')).status).toBe(204)
    expect((await user.client.call(listVersions, { id: old?.id as string })).body.versions).toEqual([])
    await removeQueuedBlobs(app.services)
    expect((await dav.send('GET', 'old.txt')).text).toBe('same')
    expect(await usedBytes()).toBe(4)
  })

  it('keeps the history of a file that it moves over another one in the trash', async () => {
    await dav.put('old.txt', 'old')
    await dav.put('new.txt', 'first')
    await dav.put('new.txt', 'second')
    expect((await send('MOVE', 'new.txt', 'old.txt')).status).toBe(204)
    expect((await dav.send('GET', 'old.txt')).text).toBe('second')
    expect(await trashNames()).toEqual({ files: ['new.txt'], folders: [] })
  })

  it('moves folders that it replaces, and what folders replace, to the trash', async () => {
    await makeTree()
    await dav.put('file.txt', 'x')
    expect((await send('MOVE', 'tree/inner', 'file.txt')).status).toBe(204)
    expect((await send('MOVE', 'tree/a.txt', 'file.txt')).status).toBe(204)
    expect(await trashNames()).toEqual({ files: ['file.txt'], folders: ['file.txt'] })
  })

  describe('of one file after the other onto the same one', () => {
    const RCLONE = { 'user-agent': 'rclone/v1.68.0' }
    const CURL = { 'user-agent': 'curl/8.5.0' }
    let id: string
    beforeEach(async () => {
      await dav.put('x.txt', 'x', RCLONE)
      id = (await listIn())[0]?.id as string
      app.clock.advance(MINUTE)
    })
    const moveOnto = async (path: string) => {
      app.clock.advance(1000)
      expect((await send('MOVE', path, 'x.txt', RCLONE)).status).toBe(204)
    }

    it('keeps each of them, as a version and in the trash', async () => {
      for (const name of ['a', 'bb', 'ccc']) await dav.put(name, name, RCLONE)
      app.clock.advance(MINUTE)
      for (const name of ['a', 'bb', 'ccc']) await moveOnto(name)
      expect((await dav.send('GET', 'x.txt')).text).toBe('ccc')
      await removeQueuedBlobs(app.services)
      expect(await textsOf(id)).toEqual(['bb', 'a', 'x'])
      expect((await trashNames()).files.sort()).toEqual(['a', 'bb', 'ccc'])
      expect(await usedBytes()).toBe(13)
      await expectRightCounters()
    })

    it('keeps a copy that a COPY has put there', async () => {
      for (const name of ['a', 'bb']) await dav.put(name, name, RCLONE)
      app.clock.advance(MINUTE)
      expect((await send('COPY', 'a', 'x.txt', RCLONE)).status).toBe(204)
      await moveOnto('bb')
      expect(await textsOf(id)).toEqual(['a', 'x'])
    })

    it('keeps what another device or a browser has just stored, as a version', async () => {
      await dav.put('a', 'a', CURL)
      await user.client.upload('bb', 'bb')
      for (const name of ['a', 'bb']) await moveOnto(name)
      await dav.put('x.txt', 'saved', RCLONE)
      expect(await textsOf(id)).toEqual(['bb', 'a', 'x'])
      expect(await trashNames()).toEqual({ files: [], folders: [] })
    })

    it('makes one version a minute and leaves nothing in the trash if an app saves like that', async () => {
      for (let second = 0; second < 100; second += 10) {
        await dav.put('x.tmp', `at ${second}`, RCLONE)
        await moveOnto('x.tmp')
        app.clock.advance(9000)
      }
      expect(await textsOf(id)).toEqual(['at 50', 'x'])
      expect((await dav.send('GET', 'x.txt')).text).toBe('at 90')
      expect(await trashNames()).toEqual({ files: [], folders: [] })
      await expectRightCounters()
    })
  })

  it('changes only the case of a name', async () => {
    await dav.put('a.txt', 'x')
    expect((await send('MOVE', 'a.txt', 'A.txt')).status).toBe(201)
    expect(await namesIn()).toEqual(['A.txt'])
  })

  it('is refused as a whole if nothing of it could be moved', async () => {
    await makeTree()
    const cases: [string, string, number][] = [
      ['tree', 'tree', 403],
      ['tree', 'tree/inner/tree', 403],
      ['tree/inner', 'tree', 403],
      ['tree', 'missing/tree', 409],
      ['tree', 'tree2/a', 409],
      ['tree/a.txt', '', 403],
      ['', 'x', 403],
      ['missing', 'x', 404],
      ['tree/a.txt', 'tree/inner/b.txt/c', 409],
      ['tree', '../x', 400],
    ]
    for (const [path, destination, status] of cases) {
      expect([path, destination, (await send('MOVE', path, destination)).status]).toEqual([path, destination, status])
    }
    expect((await send('MOVE', 'tree', 'x', { depth: '0' })).status).toBe(400)
    expect((await send('MOVE', 'tree', 'x', { overwrite: 'maybe' })).status).toBe(400)
    expect(await dav.names('tree/')).toEqual(['a.txt', 'inner'])
  })

  it('accepts destinations on this server only', async () => {
    await dav.put('a.txt', 'x')
    const cases: [string | undefined, number][] = [
      ['http://evil.example/dav/b.txt', 502],
      ['//evil.example/dav/b.txt', 403],
      ['/api/b.txt', 403],
      ['/', 403],
      ['b.txt', 400],
      ['ftp://localhost/dav/b.txt', 400],
      [undefined, 400],
      ['https://localhost:80/dav/b.txt', 201],
    ]
    for (const [destination, status] of cases) {
      const { status: found } = await dav.send('MOVE', 'a.txt', { headers: { ...(destination && { destination }) } })
      expect([destination, found]).toEqual([destination, status])
    }
  })
})

describe('COPY', () => {
  it('copies a whole tree under a new name and counts its bytes', async () => {
    await makeTree()
    expect((await send('COPY', 'tree', 'copy')).status).toBe(201)
    expect(await dav.names('copy/')).toEqual(['a.txt', 'inner'])
    expect((await dav.send('GET', 'copy/inner/b.txt')).text).toBe('bbb')
    expect(await usedBytes()).toBe(10)
  })

  it('copies a folder without its contents with depth 0', async () => {
    await makeTree()
    expect((await send('COPY', 'tree', 'copy', { depth: '0' })).status).toBe(201)
    expect(await dav.names('copy/')).toEqual([])
  })

  it('replaces a tree with a copy, whose old one goes to the trash', async () => {
    await makeTree()
    await dav.send('MKCOL', 'other')
    await dav.put('other/c.txt', 'c')
    expect((await send('COPY', 'tree', 'other', { overwrite: 'F' })).status).toBe(412)
    expect((await send('COPY', 'tree', 'other')).status).toBe(204)
    expect(await dav.names('other/')).toEqual(['a.txt', 'inner'])
    expect(await trashNames()).toEqual({ files: [], folders: ['other'] })
  })

  it('changes nothing if the copy does not fit', async () => {
    await switchToNewUser({ allocatedBytes: 8 })
    dav = await createDavClient(app.app, user)
    await makeTree()
    await dav.send('MKCOL', 'other')
    const { status, text } = await send('COPY', 'tree', 'other')
    expect(status).toBe(507)
    expect(text).toContain('<D:quota-not-exceeded/>')
    expect(await namesIn()).toEqual(['other', 'tree'])
    expect(await trashNames()).toEqual({ files: [], folders: [] })
  })

  it('copies stored properties, also in the web', async () => {
    await makeTree()
    const set =
      '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><own xmlns="urn:x">1</own></D:prop></D:set></D:propertyupdate>'
    for (const path of ['tree', 'tree/a.txt']) await dav.send('PROPPATCH', path, { body: set })
    await send('COPY', 'tree', 'copy')
    await send('COPY', 'tree', 'shallow', { depth: '0' })
    await send('MOVE', 'copy/a.txt', 'copy/moved.txt')
    const [copied] = (await listIn()).filter(({ name }) => name === 'copy')
    await user.client.call(renameFolder, { id: copied?.id as string, newName: 'renamed' })
    await user.client.call(copyItems, { itemIds: [copied?.id as string], targetFolderId: null })
    for (const path of ['shallow', 'renamed', 'renamed/moved.txt', 'renamed%20(1)/moved.txt']) {
      expect((await dav.propfind(path, '0'))[0]?.props['{urn:x}own']).toEqual({ status: 200, value: '1' })
    }
  })
})
