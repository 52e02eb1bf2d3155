import { createFolder, getFolder, trashFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { changeMember, listSharedWithMe, placeSharedFolder, removeMember } from '@alcove/contract/members'
import { type Role, roles, rolesFrom } from '@alcove/contract/roles'
import { listTrash, restoreFolder } from '@alcove/contract/trash'
import { listVersions } from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { createDavClient, type DavClient } from '../../testing/clients/dav-client.ts'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { app, makeFolder, namesIn, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import type { TestUser } from '../../testing/factories/users.ts'

setUpDrive()

/** `user` is the member, who has placed the folder "Trip" of the owner as "Holiday" in "Files". */
let owner: TestUser
let dav: DavClient
let shared: string
let memberId: string
let files: string
beforeEach(async () => {
  owner = await app.createUser({ planName: '2 TB Annually' })
  const outer = await makeFolderOf('Private')
  shared = await makeFolderOf('Trip', outer)
  await makeFolderOf('Day 1', shared)
  await owner.client.upload('secret.txt', 'secret', { folderId: outer })
  await owner.client.upload('a.txt', 'hello', { folderId: shared })
  memberId = (await addTestMember(app, owner, shared, 'editor', user)).memberId
  files = (await makeFolder('Files')).id
  await user.client.call(placeSharedFolder, { memberId, targetFolderId: files, name: 'Holiday' })
  dav = await createDavClient(app.app, user)
})

const HOLIDAY = 'Files/Holiday'
const makeFolderOf = async (folderName: string, parentFolderId?: string) =>
  (await owner.client.call(createFolder, { folderName, parentFolderId })).body.id
const setRole = (role: Role) => owner.client.call(changeMember, { id: shared, memberId, role })
const remove = () => owner.client.call(removeMember, { id: shared, memberId })
const sharedNames = async (id = shared) => {
  const { subFolders, files: inside } = (await owner.client.call(getFolder, { id })).body
  return [...subFolders, ...inside].map(({ name }) => name)
}
const remote = () => `/remote.php/dav/files/${user.email}`
const to = (path: string) => ({ headers: { destination: `/dav/${path}` } })

const WANTED = `<?xml version="1.0"?><D:propfind xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns"><D:prop>
  <D:getetag/><D:displayname/><D:quota-used-bytes/><D:quota-available-bytes/><oc:id/><oc:permissions/><oc:favorite/><oc:owner-id/><oc:size/>
</D:prop></D:propfind>`
/** Returns the properties of what is at a path and in it, by the last name of its address. */
async function describeAt(path: string, depth = '1', client = dav) {
  const resources = await client.propfind(`${remote()}/${path}`, depth, WANTED)
  return new Map(
    resources.map(({ href, props }) => [
      decodeURIComponent(href.replace(/\/$/, '').replace(/^.*\//, '')),
      Object.fromEntries(
        Object.entries(props).map(([name, { status, value }]) => [
          name.replace(/^\{.*\}/, ''),
          status === 200 ? value : undefined,
        ]),
      ),
    ]),
  )
}
const tagAt = async (path: string) => [...(await describeAt(path, '0')).values()][0]?.getetag

describe('a placed shared folder in WebDAV', () => {
  it('is listed with its name here and opens the shared folder, and nothing around it', async () => {
    expect(await dav.names('Files/')).toEqual(['Holiday'])
    expect(await dav.names(`${HOLIDAY}/`)).toEqual(['a.txt', 'Day 1'])
    expect(await dav.send('GET', `${HOLIDAY}/a.txt`)).toMatchObject({ status: 200, text: 'hello' })
    for (const path of [`${HOLIDAY}/secret.txt`, `${HOLIDAY}/%2e%2e/secret.txt`, 'Private/secret.txt']) {
      expect((await dav.send('GET', path)).status).not.toBe(200)
    }
  })

  it('shows the same id and entity tag in a list as by itself, and the permissions of the role', async () => {
    const listed = (await describeAt('Files')).get('Holiday')
    const self = (await describeAt(HOLIDAY, '0')).get('Holiday')
    expect(self).toEqual(listed)
    expect(self).toMatchObject({ displayname: 'Holiday', permissions: 'SGDNVCK', 'owner-id': owner.email, size: '5' })
    expect((await describeAt(HOLIDAY)).get('a.txt')?.permissions).toBe('SGDNVW')
    await setRole('viewer')
    expect((await describeAt(HOLIDAY)).get('a.txt')?.permissions).toBe('SG')
    expect((await describeAt('Files')).get('Holiday')?.permissions).toBe('SGDNV')
    await setRole('contributor')
    expect((await describeAt(HOLIDAY)).get('Day 1')?.permissions).toBe('SGCK')
  })

  it('tells neither the space nor the marks of the owner', async () => {
    await app.services.db.updateTable('items').set({ favorite_at: 1 }).where('owner_id', '=', owner.id).execute()
    for (const described of (await describeAt(HOLIDAY)).values()) {
      expect(described).toMatchObject({ favorite: '0' })
      expect(described['quota-used-bytes']).toBeUndefined()
      expect(described['quota-available-bytes']).toBeUndefined()
    }
    const body = `<D:propertyupdate xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns"><D:set><D:prop><oc:favorite>0</oc:favorite></D:prop></D:set></D:propertyupdate>`
    expect((await dav.send('PROPPATCH', `${remote()}/${HOLIDAY}/a.txt`, { body })).text).toContain('403')
  })

  it('is renamed and moved in the own tree, and removed from it', async () => {
    expect((await dav.send('MOVE', HOLIDAY, to('Sea'))).status).toBe(201)
    expect(await dav.names('Sea/')).toEqual(['a.txt', 'Day 1'])
    expect((await dav.send('DELETE', 'Sea')).status).toBe(204)
    expect((await dav.send('PROPFIND', 'Sea', { headers: { depth: '0' } })).status).toBe(404)
    expect((await user.client.call(listSharedWithMe, {})).body.folders).toMatchObject([{ id: shared, mount: null }])
    expect((await user.client.call(listTrash, {})).body).toEqual({ files: [], folders: [] })
    expect(await sharedNames()).toEqual(['Day 1', 'a.txt'])
  })

  it('disappears with the membership, and while the folder is in the trash of its owner', async () => {
    await owner.client.call(trashFolder, { id: shared })
    expect(await dav.names('Files/')).toEqual([])
    expect((await dav.send('GET', `${HOLIDAY}/a.txt`)).status).toBe(404)
    expect((await dav.put(`${HOLIDAY}/b.txt`, 'b')).status).toBe(404)
    await owner.client.call(restoreFolder, { id: shared })
    expect((await dav.send('GET', `${HOLIDAY}/a.txt`)).status).toBe(200)
    await remove()
    expect(await dav.names('Files/')).toEqual([])
    expect((await dav.send('GET', `${HOLIDAY}/a.txt`)).status).toBe(404)
    expect((await dav.put(`${HOLIDAY}/b.txt`, 'b')).status).toBe(409)
  })

  it('hides the mounts of its owner', async () => {
    const other = await app.createUser()
    const { id } = (await other.client.call(createFolder, { folderName: 'Further' })).body
    const second = await addTestMember(app, other, id, 'editor', owner)
    const inner = await makeFolderOf('Inner')
    await owner.client.call(placeSharedFolder, { memberId: second.memberId, targetFolderId: inner })
    const theirs = await addTestMember(app, owner, inner, 'editor', user)
    await user.client.call(placeSharedFolder, { memberId: theirs.memberId })
    expect(await dav.names('Inner/')).toEqual([])
    expect((await dav.send('PROPFIND', 'Inner/Further/', { headers: { depth: '1' } })).status).toBe(404)
    expect((await dav.put('Inner/Further/a.txt', 'a')).status).toBe(409)
  })
})

/** Each method with the least role, and what it sends. The second path is a file that exists. */
const methods: Record<string, { least: Role; send: () => Promise<{ status: number }> }> = {
  PROPFIND: { least: 'viewer', send: () => dav.send('PROPFIND', `${HOLIDAY}/`, { headers: { depth: '1' } }) },
  GET: { least: 'viewer', send: () => dav.send('GET', `${HOLIDAY}/a.txt`) },
  HEAD: { least: 'viewer', send: () => dav.send('HEAD', `${HOLIDAY}/a.txt`) },
  'PUT of a new file': { least: 'contributor', send: () => dav.put(`${HOLIDAY}/new.txt`, 'new') },
  MKCOL: { least: 'contributor', send: () => dav.send('MKCOL', `${HOLIDAY}/New`) },
  'PUT of a file that exists': { least: 'editor', send: () => dav.put(`${HOLIDAY}/a.txt`, 'changed') },
  PROPPATCH: {
    least: 'editor',
    send: () =>
      dav.send('PROPPATCH', `${HOLIDAY}/a.txt`, {
        body: '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="x:">1</x></D:prop></D:set></D:propertyupdate>',
      }),
  },
  LOCK: { least: 'editor', send: () => dav.lock(`${HOLIDAY}/a.txt`) },
  COPY: { least: 'editor', send: () => dav.send('COPY', `${HOLIDAY}/a.txt`, to(`${HOLIDAY}/copy.txt`)) },
  MOVE: { least: 'editor', send: () => dav.send('MOVE', `${HOLIDAY}/a.txt`, to(`${HOLIDAY}/Day%201/a.txt`)) },
  DELETE: { least: 'editor', send: () => dav.send('DELETE', `${HOLIDAY}/Day%201`) },
}

describe.each(roles)('a member with the role %s', (role) => {
  it.each(Object.entries(methods))('is judged by the role for %s', async (_name, { least, send }) => {
    await setRole(role)
    const before = await sharedNames()
    const { status } = await send()
    if (rolesFrom(least).includes(role)) expect([200, 201, 204, 207]).toContain(status)
    else {
      expect(status).toBe(403)
      expect(await sharedNames()).toEqual(before)
    }
  })
})

describe('a change in a placed shared folder', () => {
  it('counts for the owner', async () => {
    await dav.put(`${HOLIDAY}/b.txt`, '1234567')
    const used = async ({ id }: TestUser) =>
      (await app.services.db.selectFrom('users').select('used_bytes').where('id', '=', id).executeTakeFirstOrThrow())
        .used_bytes
    expect(await used(user)).toBe(0)
    expect(await used(owner)).toBe('secret'.length + 'hello'.length + 7)
    await dav.send('DELETE', `${HOLIDAY}/b.txt`)
    expect((await owner.client.call(listTrash, {})).body.files).toMatchObject([{ name: 'b.txt' }])
  })

  it('copies what is moved between two trees, and the original goes to the trash of its owner', async () => {
    await dav.put('own.txt', 'own')
    expect((await dav.send('COPY', 'own.txt', to(`${HOLIDAY}/copy.txt`))).status).toBe(201)
    expect((await dav.send('MOVE', 'own.txt', to(`${HOLIDAY}/Day%201/own.txt`))).status).toBe(201)
    expect((await dav.send('GET', `${HOLIDAY}/Day%201/own.txt`)).text).toBe('own')
    expect((await user.client.call(listTrash, {})).body.files).toMatchObject([{ name: 'own.txt' }])
    expect((await dav.send('MOVE', `${HOLIDAY}/Day%201`, to('Files/Day%201'))).status).toBe(201)
    expect((await dav.send('GET', 'Files/Day%201/own.txt')).text).toBe('own')
    expect((await owner.client.call(listTrash, {})).body.folders).toMatchObject([{ name: 'Day 1' }])
    expect((await dav.send('MOVE', 'Files/Day%201/own.txt', to(`${HOLIDAY}/a.txt`))).status).toBe(204)
    expect((await dav.send('GET', `${HOLIDAY}/a.txt`)).text).toBe('own')
  })

  it('loses no file of the owner if a member moves one after the other onto the same one', async () => {
    for (const name of ['b', 'c']) await owner.client.upload(name, name, { folderId: shared })
    app.clock.advance(60_000)
    for (const name of ['b', 'c']) {
      const headers = { ...to(`${HOLIDAY}/a.txt`).headers, 'user-agent': 'rclone/v1.68.0' }
      expect((await dav.send('MOVE', `${HOLIDAY}/${name}`, { headers })).status).toBe(204)
    }
    const { files: trashed } = (await owner.client.call(listTrash, {})).body
    expect(trashed.map(({ name }) => name).sort()).toEqual(['b', 'c'])
    const item = (await owner.client.call(listItems, { folderId: shared })).body.items.find(
      ({ name }) => name === 'a.txt',
    )
    const { versions } = (await owner.client.call(listVersions, { id: item?.id as string })).body
    expect(versions.map(({ size }) => size)).toEqual([1, 5])
  })

  it('needs the role of an editor to take or replace something, and that of a contributor to add', async () => {
    await dav.put('own.txt', 'own')
    await setRole('contributor')
    expect((await dav.send('COPY', 'own.txt', to(`${HOLIDAY}/a.txt`))).status).toBe(403)
    expect((await dav.send('MOVE', `${HOLIDAY}/a.txt`, to('a.txt'))).status).toBe(403)
    expect((await dav.send('COPY', 'own.txt', to(`${HOLIDAY}/new.txt`))).status).toBe(201)
    await setRole('viewer')
    expect((await dav.send('COPY', 'own.txt', to(`${HOLIDAY}/newer.txt`))).status).toBe(403)
    expect(await sharedNames()).toEqual(['Day 1', 'a.txt', 'new.txt'])
  })

  it('leaves the shared folder itself as a whole', async () => {
    await dav.put('own.txt', 'own')
    const second = await makeFolderOf('Second')
    const joined = await addTestMember(app, owner, second, 'editor', user)
    await user.client.call(placeSharedFolder, { memberId: joined.memberId })
    const refused = [
      await dav.send('COPY', HOLIDAY, to('Copy')),
      await dav.send('MOVE', 'own.txt', to(HOLIDAY)),
      await dav.send('MOVE', HOLIDAY, to('Second/Holiday')),
      await dav.send('COPY', HOLIDAY, to('Second/Holiday')),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await namesIn(files)).toEqual(['Holiday'])
    expect(await dav.names('Second/')).toEqual([])
  })

  it.each(['MOVE', 'COPY'] as const)(
    'refuses a %s between two shared folders if source and target contain each other',
    async (method) => {
      const day = (await owner.client.call(listItems, { folderId: shared })).body.items[0]?.id as string
      const inner = await makeFolderOf('Inner', day)
      await makeFolderOf('X', inner)
      await owner.client.upload('i.txt', 'inner', { folderId: inner })
      const joined = await addTestMember(app, owner, inner, 'editor', user)
      await user.client.call(placeSharedFolder, { memberId: joined.memberId })
      const outside = `${HOLIDAY}/Day%201`
      for (const [path, destination] of [
        [outside, 'Inner/Day%201'],
        [outside, 'Inner/X/Day%201'],
        [outside, 'Inner/X'],
        [`${outside}/Inner`, 'Inner/Inner'],
        ['Inner/X', outside],
        ['Inner/X', `${outside}/Inner`],
        ['Inner/X', `${outside}/Inner/X`],
        ['Inner/i.txt', outside],
        ['Inner/i.txt', `${outside}/Inner/i.txt`],
      ] as const) {
        expect([path, destination, (await dav.send(method, path, to(destination))).status]).toEqual([
          path,
          destination,
          403,
        ])
      }
      expect((await owner.client.call(listTrash, {})).body).toEqual({ files: [], folders: [] })
      expect(await sharedNames(inner)).toEqual(['X', 'i.txt'])
      expect((await dav.send(method, 'Inner/X', to(`${outside}/X`))).status).toBe(201)
      expect((await dav.send(method, `${outside}/X`, to('Inner/Y'))).status).toBe(201)
    },
  )

  it('arrives in chunks, whether or not the client says at once where the file will be', async () => {
    for (const [name, early] of [
      ['early.bin', true],
      ['late.bin', false],
    ] as const) {
      const at = `/remote.php/dav/uploads/${user.email}/${name}`
      const destination = { destination: `${remote()}/${HOLIDAY}/${name}` }
      expect((await dav.send('MKCOL', at, { headers: early ? destination : {} })).status).toBe(201)
      expect((await dav.send('PUT', `${at}/00001`, { body: 'abc', headers: early ? destination : {} })).status).toBe(
        201,
      )
      expect((await dav.send('PUT', `${at}/00002`, { body: 'defg' })).status).toBe(early ? 404 : 201)
      if (early) await dav.send('PUT', `${at}/00002`, { body: 'defg', headers: destination })
      for (const status of [201, 204]) {
        expect((await dav.send('MOVE', `${at}/.file`, { headers: destination })).status).toBe(status)
      }
      expect((await dav.send('GET', `${HOLIDAY}/${name}`)).text).toBe('abcdefg')
    }
    const { reserved_bytes, used_bytes } = await app.services.db
      .selectFrom('users')
      .select(['reserved_bytes', 'used_bytes'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect({ reserved_bytes, used_bytes }).toEqual({ reserved_bytes: 0, used_bytes: 0 })
  })

  it('can be large, and ends with the membership', async () => {
    const large = Buffer.alloc(3 * 1024 * 1024, 'x')
    expect((await dav.put(`${HOLIDAY}/large.bin`, large)).status).toBe(201)
    expect(await sharedNames()).toContain('large.bin')
    const at = `/remote.php/dav/uploads/${user.email}/u`
    const headers = { destination: `${remote()}/${HOLIDAY}/u.bin` }
    await dav.send('MKCOL', at, { headers })
    await dav.send('PUT', `${at}/00001`, { body: 'abc', headers })
    await remove()
    expect([404, 409]).toContain((await dav.send('MOVE', `${at}/.file`, { headers })).status)
    const open = app.services.db.selectFrom('uploads').select('id').where('owner_id', '=', owner.id)
    expect(await open.where('completed_at', 'is', null).execute()).toEqual([])
  })

  it('is refused without telling how much space the owner has', async () => {
    await app.services.db.updateTable('users').set({ allocated_bytes: 20 }).where('id', '=', owner.id).execute()
    const refused = await dav.put(`${HOLIDAY}/b.txt`, 'x'.repeat(100))
    expect(refused).toMatchObject({ status: 507 })
    expect(refused.text).toContain('The storage of the owner of this folder is full.')
  })
})

describe('an item of a placed shared folder', () => {
  it('is found by its number for its picture and its versions, as long as the folder is placed', async () => {
    await dav.put(`${HOLIDAY}/a.txt`, 'changed')
    const number = Number.parseInt((await describeAt(HOLIDAY)).get('a.txt')?.id ?? '', 10)
    const versions = `/remote.php/dav/versions/${user.email}/versions/${number}`
    const [, version] = await dav.propfind(versions, '1')
    expect((await dav.send('GET', version?.href as string)).text).toBe('hello')
    await setRole('viewer')
    const back = { headers: { destination: `/remote.php/dav/versions/${user.email}/restore/x` } }
    expect((await dav.send('COPY', version?.href as string, back)).status).toBe(403)
    await setRole('editor')
    expect((await dav.send('COPY', version?.href as string, back)).status).toBe(204)
    expect((await dav.send('GET', `${HOLIDAY}/a.txt`)).text).toBe('hello')
    const picture = `/index.php/core/preview?fileId=${number}`
    expect((await dav.send('GET', picture)).text).not.toContain('There is no such file')
    expect((await dav.send('DELETE', HOLIDAY)).status).toBe(204)
    expect((await dav.send('PROPFIND', versions)).status).toBe(404)
    expect((await dav.send('GET', picture)).text).toContain('There is no such file')
  })
})

describe('an app password', () => {
  it('of one folder reaches a shared folder only if it lies in that', async () => {
    const inside = await createDavClient(app.app, user, { folderId: files })
    expect(await inside.names('Holiday/')).toEqual(['a.txt', 'Day 1'])
    const other = (await makeFolder('Other')).id
    const outside = await createDavClient(app.app, user, { folderId: other })
    expect((await outside.send('PROPFIND', HOLIDAY, { headers: { depth: '0' } })).status).toBe(404)
  })

  it('does no more in a shared folder than in the own drive', async () => {
    const reading = await createDavClient(app.app, user, { scope: 'read' })
    expect((await reading.send('GET', `${HOLIDAY}/a.txt`)).status).toBe(200)
    expect((await reading.put(`${HOLIDAY}/b.txt`, 'b')).status).toBe(403)
    const uploading = await createDavClient(app.app, user, { scope: 'upload' })
    expect((await uploading.put(`${HOLIDAY}/b.txt`, 'b')).status).toBe(201)
    expect((await uploading.put(`${HOLIDAY}/a.txt`, 'replaced')).status).toBe(403)
    expect((await uploading.send('GET', `${HOLIDAY}/a.txt`)).status).toBe(403)
  })

  it('opens no shared folder by the API', async () => {
    const { client } = await addAppPassword(app, user)
    expect((await client.call(getFolder, { id: shared })).status).toBe(404)
    expect((await client.call(listItems, { folderId: files })).body.items).toMatchObject([{ name: 'Holiday' }])
  })
})

describe('the entity tags of the folders above', () => {
  it('change with anything in the shared folder, with the role, and with its end', async () => {
    const tags = async () => [await tagAt(''), await tagAt('Files'), await tagAt(HOLIDAY)]
    await tags()
    let last = await tags()
    expect(await tags()).toEqual(last)
    const changes = [
      () => owner.client.upload('deep.txt', 'x', { folderId: shared, folderPath: 'Day 1' }),
      () => dav.put(`${HOLIDAY}/Day%201/b.txt`, 'b'),
      () => setRole('viewer'),
    ]
    for (const change of changes) {
      await change()
      const next = await tags()
      for (const [index, tag] of next.entries()) expect(tag).not.toBe(last[index])
      last = next
    }
    await owner.client.upload('elsewhere.txt', 'x')
    expect(await tags()).toEqual(last)
    await remove()
    expect(await tagAt('')).not.toBe(last[0])
    expect(await tagAt('Files')).not.toBe(last[1])
  })

  it('cost no statement for users without mounts, and one for others', async () => {
    await tagAt('')
    const withMounts = await countStatements(() => tagAt(''))
    const stranger = await createDavClient(app.app, owner)
    const root = `/remote.php/dav/files/${owner.email}`
    await stranger.propfind(root, '0', WANTED)
    const without = await countStatements(() => stranger.propfind(root, '0', WANTED))
    expect(withMounts - without).toBe(1)
  })
})
