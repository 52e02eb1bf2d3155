import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAppPassword, listAppPasswords, revokeAppPassword } from '@alcove/contract/app-passwords'
import { fetchFile, getDownloadUrl } from '@alcove/contract/bytes'
import { addFavorite, listFavorites } from '@alcove/contract/favorites'
import { createFolder, getFolder, listRootFolders, trashFolder } from '@alcove/contract/files'
import { copyItems, getItem, getItemsDownloadUrl, listItems, trashItems } from '@alcove/contract/item-calls'
import { MAX_APP_PASSWORDS } from '@alcove/contract/limits'
import { createPlaylist, listAudio, listPlaylists } from '@alcove/contract/media'
import { searchItems } from '@alcove/contract/search'
import { emptyTrash, listTrash } from '@alcove/contract/trash'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { authenticateBasic } from '../../../platform/http/app-passwords.ts'
import { TestClient } from '../../../testing/clients/client.ts'
import { readSubjects } from '../../../testing/clients/sign-up.ts'
import { sendUntilLimited } from '../../../testing/clients/until-limited.ts'
import { createTestApp } from '../../../testing/engines/test-app.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { app, listIn, makeFolder, namesIn, namesOf, setUpDrive, trash, user } from '../../../testing/factories/drive.ts'
import { TEST_PASSWORD } from '../../../testing/factories/users.ts'
import { sweepSessions } from '../sessions/sweep-sessions.ts'

setUpDrive()

const MINUTE = 60_000
const list = async () => (await user.client.call(listAppPasswords, {})).body.appPasswords
const works = async (client: TestClient) => (await client.call(listItems, {})).status === 200
const at = (time: number) => new Date(time).toISOString()

describe('creating an app password', () => {
  it('returns 24 letters and digits once, and sends a mail', async () => {
    const created = await user.client.call(createAppPassword, { name: ' Laptop ', scope: 'read' })
    expect(created).toMatchObject({ status: 201, body: { user: user.email } })
    const { id, secret } = created.body
    expect(secret).toMatch(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
    expect(await list()).toEqual([
      {
        ...{ id, name: 'Laptop', scope: 'read', folderId: null, folderPath: null },
        ...{ createdAt: at(app.clock.now()), expiresAt: null, lastUsedAt: null, app: null, ip: null },
      },
    ])
    const stored = await app.services.db.selectFrom('app_passwords').selectAll().where('id', '=', id).execute()
    expect(JSON.stringify(stored)).not.toContain(secret.replaceAll('-', ''))
    expect((await readSubjects(app, user.email)).at(-1)).toBe('An app password was created - Alcove')
  })

  it('accepts the secret with or without dashes, in capitals and with spaces', async () => {
    const { secret } = await addAppPassword(app, user)
    for (const typed of [secret, secret.replaceAll('-', ''), secret.toUpperCase()]) {
      expect(await works(new TestClient(app.app, typed))).toBe(true)
    }
    expect(await works(new TestClient(app.app, `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`))).toBe(
      false,
    )
  })

  it('needs a recent sign-in', async () => {
    app.clock.advance(16 * MINUTE)
    const refused = await user.client.call(createAppPassword, { name: 'x', scope: 'read' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } })
  })

  it.each([
    ['an empty name', { name: ' ' }, 'The name cannot be empty.'],
    ['a long name', { name: 'x'.repeat(61) }, 'The name can have at most 60 characters.'],
    ['an unknown scope', { scope: 'admin' }, 'The scope must be read, write or upload.'],
    ['an end date without a time', { expiresAt: 'soon' }, 'expiresAt must be a time in ISO 8601 with a time zone.'],
    ['an end date in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'The end date must be in the future.'],
  ])('rejects %s', async (_what, fields, error) => {
    const response = await user.client.raw(createAppPassword, { name: 'x', scope: 'read', ...fields })
    expect(response).toMatchObject({ status: 400, body: { error } })
  })

  it('rejects folders of others, of the vault and in the trash', async () => {
    const other = await app.createUser()
    const theirs = (await other.client.call(createFolder, { folderName: 'theirs' })).body.id
    const inVault = (await makeFolder('secret', undefined, true)).id
    const trashed = (await makeFolder('trashed')).id
    await trash(trashed, 'folder')
    const create = (folderId: string) => user.client.call(createAppPassword, { name: 'x', scope: 'read', folderId })
    expect(await Promise.all([theirs, trashed, randomUUID(), inVault].map(create))).toMatchObject(
      [404, 404, 404, 409].map((status) => ({ status })),
    )
  })

  it('stops at the maximum, also when requests come at once', async () => {
    for (let number = 2; number < MAX_APP_PASSWORDS; number++) await addAppPassword(app, user)
    const create = () => user.client.call(createAppPassword, { name: 'x', scope: 'read' })
    const statuses = (await Promise.all([create(), create(), create(), create()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 201, 409, 409])
    expect(await list()).toHaveLength(MAX_APP_PASSWORDS)
  })
})

describe('using an app password', () => {
  it('records the app, the address and the time of the last use once a minute', async () => {
    const { client } = await addAppPassword(app, user)
    const use = (ip: string) =>
      client.request({
        method: 'GET',
        url: '/api/items',
        headers: { 'user-agent': 'rclone/v1.68.0', 'x-forwarded-for': ip },
      })
    await use('203.0.113.1')
    const first = app.clock.now()
    app.clock.advance(MINUTE - 1)
    await use('203.0.113.2')
    expect(await list()).toMatchObject([{ app: 'rclone', ip: '203.0.113.1', lastUsedAt: at(first) }])
    app.clock.advance(1)
    await use('203.0.113.2')
    expect(await list()).toMatchObject([{ ip: '203.0.113.2', lastUsedAt: at(app.clock.now()) }])
  })

  it('stops at its end date and disappears from the list', async () => {
    const { client } = await addAppPassword(app, user, { expiresAt: at(app.clock.now() + MINUTE) })
    expect(await works(client)).toBe(true)
    app.clock.advance(MINUTE)
    expect(await works(client)).toBe(false)
    expect(await list()).toEqual([])
    await sweepSessions(app.services)
    const rows = app.services.db.selectFrom('app_passwords').select('id').where('user_id', '=', user.id)
    expect(await rows.execute()).toEqual([])
  })

  it('refuses replacing for upload-only and tells nothing about the file that is there', async () => {
    await user.client.upload('a.txt', 'private')
    const { client } = await addAppPassword(app, user, { scope: 'upload' })
    const send = (onConflict: string) =>
      client.sendChunk(
        { uploadId: randomUUID(), filename: 'a.txt', chunkIndex: 0, totalChunks: 1, complete: 'true', onConflict },
        'new',
      )
    expect(await send('replace')).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const taken = await send('fail')
    expect(taken).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    expect(taken.body).not.toHaveProperty('existing')
    expect(await send('keepBoth')).toMatchObject({ status: 201, body: { name: 'a (1).txt' } })
  })

  it('signs in over Basic with the address of the account, and never with the account’s password', async () => {
    const { id, secret } = await addAppPassword(app, user)
    const other = await app.createUser()
    const signIn = async (text: string) => {
      const authorization = `Basic ${Buffer.from(text).toString('base64')}`
      const request = { headers: { authorization }, ip: '203.0.113.1' } as unknown as FastifyRequest
      return authenticateBasic(app.services, request)
    }
    expect(await signIn(`${user.email.toUpperCase()}:${secret}`)).toMatchObject({ id: user.id, appPassword: { id } })
    for (const text of [`${other.email}:${secret}`, `:${secret}`, secret, `${user.email}:${TEST_PASSWORD}`, '']) {
      await expect(signIn(text), text).rejects.toMatchObject({ code: 'unauthenticated' })
    }
  })

  it('counts failures only, and a valid app password works above their limit', async () => {
    const limited = await createTestApp({ rateLimits: true })
    const owner = await limited.createUser()
    const { client } = await addAppPassword(limited, owner)
    const wrong = new TestClient(limited.app, 'aaaa-bbbb-cccc-dddd-eeee-ffff')
    expect(await sendUntilLimited(60, () => wrong.call(listItems, {}))).toEqual([401, 429])
    expect(await works(client)).toBe(true)
    await limited.close()
  })
})

describe('revoking an app password', () => {
  it('ends it at once, with the URLs that it has signed', async () => {
    const file = await user.client.upload('a.txt', 'x')
    const { id, client } = await addAppPassword(app, user)
    const { url } = (await client.call(getDownloadUrl, { id: file.id })).body
    app.clock.advance(1)
    expect(await user.client.call(revokeAppPassword, { id })).toMatchObject({
      status: 200,
      body: { message: 'The app password was revoked.' },
    })
    expect((await client.call(listItems, {})).body).toMatchObject({
      code: 'unauthenticated',
      error: 'This app password is wrong, was revoked or has expired.',
    })
    const { pathname, search } = new URL(url)
    expect((await app.visitor.request({ method: 'GET', url: pathname + search })).status).toBe(403)
    expect((await user.client.call(revokeAppPassword, { id })).status).toBe(404)
  })

  it('ends transfers that are in progress', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { id, secret } = await addAppPassword(app, user)
      await app.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.app.server.address() as AddressInfo
      const upload = request({
        ...{ port, host: '127.0.0.1', method: 'POST', path: '/api/upload-chunk' },
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'multipart/form-data; boundary=x' },
      })
      upload.write('--x\r\n')
      upload.on('error', () => {})
      const ended = new Promise((resolve) => upload.once('close', resolve))
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
      await user.client.call(revokeAppPassword, { id })
      await vi.advanceTimersByTimeAsync(5_000)
      await ended
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('an app password of one folder', () => {
  async function setUp() {
    const outer = await makeFolder('outer')
    const folder = await makeFolder('only this', outer.id)
    const below = await makeFolder('below', folder.id)
    await user.client.upload('song in.mp3', 'in', { folderId: below.id })
    const outside = await user.client.upload('song out.mp3', 'out', { folderId: outer.id })
    const { client } = await addAppPassword(app, user, { folderId: folder.id })
    return { outer, folder, below, outside, client }
  }

  it('sees the folder as the root, without its ancestors', async () => {
    const { client, folder, below } = await setUp()
    expect((await client.call(listItems, {})).body.items).toMatchObject([{ name: 'below', parentId: null }])
    expect((await client.call(listRootFolders, {})).body).toMatchObject([{ name: 'below', parentId: null }])
    expect((await client.call(getFolder, { id: below.id })).body).toMatchObject({ parentId: null, path: [] })
    const [file] = (await client.call(listItems, { folderId: below.id })).body.items
    expect((await client.call(getItem, { id: file?.id ?? '' })).body.path).toEqual([{ id: below.id, name: 'below' }])
    expect((await client.call(getItem, { id: folder.id })).status).toBe(404)
    expect(await list()).toMatchObject([{ folderId: folder.id, folderPath: '/outer/only this' }])
  })

  it('finds only what is below it by search, in favorites, music and the trash', async () => {
    const { client, below, outside, outer } = await setUp()
    const [inside] = await listIn(below.id)
    for (const itemId of [inside?.id as string, outside.id]) {
      await user.client.call(addFavorite, { itemType: 'file', itemId })
    }
    await user.client.call(createPlaylist, { name: 'all', track_ids: [outside.id] })
    expect((await client.call(searchItems, { q: 'song' })).body).toMatchObject([{ path: '/below/song in.mp3' }])
    expect((await client.call(listFavorites, {})).body.map(({ item }) => item.name)).toEqual(['song in.mp3'])
    expect((await client.call(listAudio, {})).body.map(({ filename }) => filename)).toEqual(['song in.mp3'])
    expect((await client.call(listPlaylists, {})).body).toEqual([])
    expect((await client.call(createPlaylist, { name: 'mine', track_ids: [] })).status).toBe(404)
    await user.client.call(trashItems, { itemIds: [inside?.id as string, outside.id] })
    expect((await client.call(listTrash, {})).body.files).toMatchObject([
      { name: 'song in.mp3', originalPath: '/below' },
    ])
    expect((await client.call(emptyTrash, {})).status).toBe(200)
    expect(namesOf((await user.client.call(listTrash, {})).body.files)).toEqual(['song out.mp3'])
    expect(await namesIn(outer.id)).toEqual(['only this'])
  })

  it('adds files and folders to that folder when none is named, and nothing to the vault', async () => {
    const { client, folder } = await setUp()
    await client.upload('new.txt', 'x')
    await client.call(createFolder, { folderName: 'made' })
    expect(await namesIn(folder.id)).toEqual(['below', 'made', 'new.txt'])
    expect((await client.call(createFolder, { folderName: 'made', isEncrypted: true })).status).toBe(404)
    expect((await client.call(listItems, { vault: true })).status).toBe(404)
  })

  it('copies and downloads everything in it, and nothing else', async () => {
    const { client, below, outside } = await setUp()
    const copied = await client.call(copyItems, { allIn: { folderId: null }, targetFolderId: below.id })
    expect(copied.status).toBe(201)
    expect(await namesIn(below.id)).toEqual(['below', 'song in.mp3'])
    expect((await client.call(getItemsDownloadUrl, { allIn: { folderId: null } })).status).toBe(200)
    expect((await client.call(getItemsDownloadUrl, { itemIds: [outside.id] })).status).toBe(404)
    expect((await client.raw(fetchFile, { filename: 'song out.mp3' })).status).toBe(404)
  })

  it('stops while the folder is in the trash, and for good when it is deleted', async () => {
    const { client, folder } = await setUp()
    await user.client.call(trashFolder, { id: folder.id })
    expect((await client.call(listItems, {})).status).toBe(404)
    expect(await list()).toMatchObject([{ folderId: folder.id, folderPath: null }])
    await user.client.call(emptyTrash, {})
    expect((await client.call(listItems, {})).status).toBe(401)
    expect(await list()).toEqual([])
  })
})
