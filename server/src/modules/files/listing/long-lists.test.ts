import { gunzipSync } from 'node:zlib'
import { createFolder, getFolder, listFiles, trashFile } from '@alcove/contract/files'
import { createPlaylist, listAudio, listPlaylists } from '@alcove/contract/media'
import { updatePublicLink } from '@alcove/contract/sharing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionUser } from '../../../context.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'
import { addTestMember, type TestMember } from '../../../testing/factories/shares.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { listFilePages } from '../../items/index.ts'

let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = await createTestApp()
  user = await app.createUser()
})
afterEach(() => app.close())

async function fill(count: number): Promise<{ id: string; names: string[] }> {
  const { id } = (await user.client.call(createFolder, { folderName: 'Many' })).body
  const names = Array.from({ length: count }, (_, index) => `file ${index}.txt`)
  await addManyItems(app.services, { ownerId: user.id, folderId: id, names: names.toReversed() })
  return { id, names }
}

describe('a list of files', () => {
  it.each([0, 1, 1999, 2000, 2001, 4000, 4500])('has each of %i files once, in order', async (count) => {
    const { id, names } = await fill(count)
    const { files } = (await user.client.call(listFiles, { folderId: id })).body
    expect(files.map(({ name }) => name)).toEqual(names)
    const folder = (await user.client.call(getFolder, { id })).body
    expect(folder).toMatchObject({ id, name: 'Many', subFolders: [] })
    expect(folder.files).toEqual(files)
  })

  it('is sent in pages to visitors of a link, too', async () => {
    const { id, names } = await fill(2001)
    const { body } = await user.client.call(updatePublicLink, { id, enabled: true })
    const token = body.link.slice(body.link.lastIndexOf('/') + 1)
    const { headers, payload } = await app.app.inject({ url: `/api/public/${token}` })
    // A list that is in memory as a whole has a length.
    expect(headers).not.toHaveProperty('content-length')
    const { files, ...folder } = JSON.parse(payload) as { files: { name: string }[] }
    expect(folder).toMatchObject({ type: 'folder', id, canDownload: true, contents: { files: 2001 }, subFolders: [] })
    expect(files.map(({ name }) => name)).toEqual(names)
  })

  it('is compressed while it is sent', async () => {
    const { id, names } = await fill(6000)
    const { headers, rawPayload } = await app.app.inject({
      url: `/api/files?folderId=${id}`,
      headers: { authorization: `Bearer ${user.token}`, 'accept-encoding': 'gzip' },
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
    })
    const { files } = JSON.parse(gunzipSync(rawPayload).toString()) as { files: { name: string }[] }
    expect(files.map(({ name }) => name)).toEqual(names)
  })

  it('has each file once if others go and come while it is read', async () => {
    const { id, names } = await fill(4500)
    const { services } = app
    const pages = listFilePages(services.db, { id: user.id } as SessionUser, { id, area: 'drive' })
    const listed: string[] = []
    for await (const page of pages) {
      if (listed.length === 0) {
        await user.client.call(trashFile, { id: page[0]?.id as string })
        await addManyItems(services, { ownerId: user.id, folderId: id, names: ['a', 'file 3000b.txt'] })
      }
      listed.push(...page.map(({ name }) => name))
    }
    expect(listed).toEqual(names.flatMap((name) => (name === 'file 3000.txt' ? [name, 'file 3000b.txt'] : name)))
  })
})

/** More than a page. */
const MANY = 2050

/** Returns the names of a long list as the server sends it, and checks that it isn't in memory as a whole. */
async function readNames(url: string, token?: string, key?: string): Promise<string[]> {
  const { statusCode, headers, payload } = await app.app.inject({
    url: `/api${url}`,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  })
  expect(statusCode).toBe(200)
  expect(headers).not.toHaveProperty('content-length')
  const body = JSON.parse(payload)
  const list: { name?: string; filename?: string; item?: { name: string } }[] = key ? body[key] : body
  return list.map(({ name, filename, item }) => item?.name ?? name ?? filename ?? '')
}

/** Adds many items to a folder in no order. Returns their names in natural order. */
async function add(folderId: string | undefined, kind: 'file' | 'folder', extension = ''): Promise<string[]> {
  const names = Array.from({ length: MANY }, (_unused, index) => `item ${index}${extension}`)
  const shuffled = names.map((_name, index) => names[(index * 7) % MANY] as string)
  await addManyItems(app.services, {
    ownerId: user.id,
    ...(folderId !== undefined && { folderId }),
    names: shuffled,
    kind,
  })
  return names
}

describe('other long lists are sent in pages, in order', () => {
  it('folders at the root, in a folder, in the vault and behind a link', async () => {
    const { id } = (await user.client.call(createFolder, { folderName: 'Many' })).body
    const names = await add(id, 'folder')
    const { body } = await user.client.call(updatePublicLink, { id, enabled: true })
    expect(await readNames(`/folder/${id}`, user.token, 'subFolders')).toEqual(names)
    expect(
      await readNames(`/public/${body.link.slice(body.link.lastIndexOf('/') + 1)}`, undefined, 'subFolders'),
    ).toEqual(names)
    await add(undefined, 'folder')
    expect(await readNames('/folders', user.token)).toEqual([...names, 'Many'])
    await sql`update items set area = 'vault', parent_id = (select vault_root_id from users where id = ${user.id})
      where parent_id = ${id}`.execute(app.services.db)
    expect(await readNames('/folders/vault', user.token)).toEqual(names)
  })

  it('the trash, newest first, also if everything went there at once', async () => {
    await add(undefined, 'folder')
    await add(undefined, 'file', '.txt')
    const { db } = app.services
    await sql`update items set trash_id = id, trashed_at = case when name like '%7%' then 7 else 5 end
      where owner_id = ${user.id} and parent_id is not null`.execute(db)
    for (const kind of ['file', 'folder'] as const) {
      const rows = await db
        .selectFrom('items')
        .select(['id', 'name', 'trashed_at'])
        .where('kind', '=', kind)
        .where('trashed_at', 'is not', null)
        .execute()
      rows.sort((a, b) => (b.trashed_at as number) - (a.trashed_at as number) || (a.id < b.id ? 1 : -1))
      expect(rows).toHaveLength(MANY)
      expect(await readNames('/trash', user.token, `${kind}s`)).toEqual(rows.map(({ name }) => name))
    }
  })

  it('favorites, folders first, with those in folders that others share', async () => {
    const folders = await add(undefined, 'folder')
    const files = await add(undefined, 'file', '.txt')
    const member = await mark(user)
    await member.client.upload('item 7b.txt', 'x')
    await member.client.call(createFolder, { folderName: 'item 9b' })
    await sql`update items set favorite_at = 5 where owner_id = ${member.id} and parent_id is not null`.execute(
      app.services.db,
    )
    expect(await readNames('/favorites', user.token)).toEqual([...folders, ...files])
    const withOwn = (names: string[], last: string, added: string) =>
      names.flatMap((name) => (name === last ? [name, added] : name))
    expect(await readNames('/favorites', member.token)).toEqual([
      ...withOwn(folders, 'item 9', 'item 9b'),
      ...withOwn(files, 'item 7.txt', 'item 7b.txt'),
    ])
  })

  /** Marks all items of a user as favorites, of the user and of a new member of a folder that contains them. */
  async function mark(owner: TestUser): Promise<TestMember> {
    const { db } = app.services
    const { id } = (await owner.client.call(createFolder, { folderName: 'Shared' })).body
    const member = await addTestMember(app, owner, id, 'viewer')
    await sql`update items set favorite_at = 5, parent_id = ${id} where owner_id = ${owner.id} and parent_id is not null and id <> ${id}`.execute(
      db,
    )
    await sql`insert into member_favorites (user_id, item_id, member_id, created_at)
      select ${member.id}, id, ${member.memberId}, 5 from items where parent_id = ${id}`.execute(db)
    return member
  }

  it.each(['audio', 'video'] as const)('%s, with that in folders that others share', async (kind) => {
    const extension = kind === 'audio' ? '.mp3' : '.mp4'
    const owner = await app.createUser({ planName: '2 TB Annually' })
    const { id } = (await owner.client.call(createFolder, { folderName: 'Shared' })).body
    user = owner
    const names = await add(id, 'file', extension)
    expect(await readNames(`/media/${kind}`, owner.token)).toEqual(names)
    const member = await addTestMember(app, owner, id, 'viewer', await app.createUser({ planName: '2 TB Annually' }))
    await member.client.upload(`item 7b${extension}`, 'x')
    expect(await readNames(`/media/${kind}`, member.token)).toEqual(
      names.flatMap((name) => (name === `item 7${extension}` ? [name, `item 7b${extension}`] : name)),
    )
  })

  it('playlists, if they are long or many', async () => {
    const owner = await app.createUser({ planName: '2 TB Annually' })
    user = owner
    await add(undefined, 'file', '.mp3')
    const { body: music } = await owner.client.call(listAudio, {})
    const tracks = Array.from({ length: 4 }, () => music.map(({ id }) => id)).flat()
    for (let number = 0; number < 3; number += 1) {
      await owner.client.call(createPlaylist, { name: `list ${number}`, track_ids: tracks.slice(number) })
    }
    expect(await readNames('/playlists', owner.token)).toEqual(['list 0', 'list 1', 'list 2'])
    const { body: long } = await owner.client.call(listPlaylists, {})
    expect(long.map(({ track_ids }) => track_ids)).toEqual([tracks, tracks.slice(1), tracks.slice(2)])
    for (let number = 3; number < 60; number += 1) {
      await owner.client.call(createPlaylist, { name: `list ${number}`, track_ids: tracks.slice(0, 2) })
    }
    expect(await readNames('/playlists', owner.token)).toEqual(
      long.concat(Array.from({ length: 57 })).map((_, number) => `list ${number}`),
    )
  })
})
