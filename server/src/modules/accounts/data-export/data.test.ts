import { randomUUID } from 'node:crypto'
import { downloadData, getDataUrl, login, type SignedIn } from '@alcove/contract/accounts'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { addFavorite } from '@alcove/contract/favorites'
import { createFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { createGroup } from '@alcove/contract/groups'
import { trashItems } from '@alcove/contract/item-calls'
import { DOWNLOAD_URL_TTL } from '@alcove/contract/limits'
import { updateProfile } from '@alcove/contract/profile'
import { updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readZip } from '../../../testing/clients/zip.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { firstLink } from '../../../testing/factories/first-link.ts'
import { addNotice } from '../../../testing/factories/notices.ts'
import { addTestMember } from '../../../testing/factories/shares.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '100 GB Monthly' })
})

async function getExportUrl(of = user, options: { history?: boolean } = {}): Promise<URL> {
  const { body } = await of.client.call(getDataUrl, options)
  expect(body.url).toMatch(new RegExp(`^${app.services.config.publicUrl}/api/account/data\\?`))
  return new URL(body.url)
}

const open = (exportUrl: URL, method: 'GET' | 'HEAD' = 'GET') =>
  app.visitor.request({ method, url: exportUrl.pathname + exportUrl.search })

async function download(
  of = user,
  options: { history?: boolean } = {},
): Promise<{ entries: Map<string, Buffer>; details: Record<string, unknown> }> {
  const response = await open(await getExportUrl(of, options))
  expect(response.status).toBe(200)
  const entries = await readZip(response.bytes)
  return { entries, details: JSON.parse(entries.get('account.json')?.toString() ?? '') }
}

const texts = (entries: Map<string, Buffer>) =>
  Object.fromEntries(
    [...entries].filter(([name]) => !/^(README|account)/.test(name)).map(([name, bytes]) => [name, bytes.toString()]),
  )

describe('the data export', () => {
  it('exports drive, trash and vault files in separate folders with their paths', async () => {
    const { client } = user
    const trip = (await client.call(createFolder, { folderName: 'Trip' })).body
    const old = (await client.call(createFolder, { folderName: 'Old' })).body
    const upload = async (name: string, fields = {}) => (await client.upload(name, `content of ${name}`, fields)).id
    await upload('root.txt')
    await upload('day.txt', { folderId: trip.id })
    const gone = await upload('gone.txt', { folderId: trip.id })
    await upload('inside.txt', { folderId: old.id })
    const before = await upload('before.txt', { folderId: old.id })
    const same = await upload('gone.txt')
    await upload('secret.bin', { isEncrypted: true })
    const secretGone = await upload('secret-gone.bin', { isEncrypted: true })
    await client.call(trashFile, { id: gone })
    await client.call(trashFile, { id: before })
    await client.call(trashFolder, { id: old.id })
    await client.call(trashItems, { itemIds: [same, secretGone] })

    const { entries } = await download()
    expect([...entries.keys()].slice(0, 2)).toEqual(['README.txt', 'account.json'])
    const found = texts(entries)
    expect(found).toEqual({
      'Drive/': '',
      'Drive/root.txt': 'content of root.txt',
      'Drive/Trip/': '',
      'Drive/Trip/day.txt': 'content of day.txt',
      'Trash/Old/': '',
      'Trash/Old/inside.txt': 'content of inside.txt',
      'Trash/before.txt': 'content of before.txt',
      'Trash/gone.txt': 'content of gone.txt',
      'Trash/gone (1).txt': 'content of gone.txt',
      'Vault/': '',
      'Vault/secret.bin': 'content of secret.bin',
      'Vault Trash/secret-gone.bin': 'content of secret-gone.bin',
    })
    const readme = entries.get('README.txt')?.toString() ?? ''
    for (const name of ['Drive/', 'Trash/', 'Vault/', 'Vault Trash/', 'account.json']) expect(readme).toContain(name)
  })

  it('lists the people with whom folders are shared, and the folders that others share, without their files', async () => {
    const trip = (await user.client.call(createFolder, { folderName: 'Trip' })).body
    await user.client.upload('day.txt', 'day', { folderId: trip.id })
    const member = await addTestMember(app, user, trip.id, 'editor')
    const acceptedAt = new Date(app.clock.now()).toISOString()
    const own = await download()
    expect(own.details).toMatchObject({
      sharedFolders: [{ path: '/Trip', email: member.email, role: 'editor', acceptedAt }],
      sharedWithMe: [],
      activity: [{ action: 'added' }, { action: 'added', items: [{ name: 'Trip' }], folder: { id: null } }],
    })
    const { details, entries } = await download(member)
    expect(details).toMatchObject({
      sharedFolders: [],
      sharedWithMe: [{ folder: 'Trip', owner: user.email, role: 'editor', acceptedAt }],
    })
    expect([...entries.keys()].filter((name) => name.includes('day'))).toEqual([])
  })

  it('lists the own groups of people', async () => {
    await user.client.call(createGroup, { name: 'Family', emails: ['mum@example.com', 'dad@example.com'] })
    await user.client.call(createGroup, { name: 'Nobody' })
    expect((await download()).details).toMatchObject({
      groups: [
        { name: 'Family', emails: ['dad@example.com', 'mum@example.com'] },
        { name: 'Nobody', emails: [] },
      ],
    })
  })

  it('contains the earlier versions of files, also of the trash and the vault, only if they are requested', async () => {
    const trip = (await user.client.call(createFolder, { folderName: 'Trip' })).body
    const replace = async (name: string, fields: Record<string, string | boolean>) => {
      const { id } = await user.client.upload(name, `old ${name}`, fields)
      await user.client.upload(name, `new ${name}`, { ...fields, onConflict: 'replace' })
      return id
    }
    await replace('a.txt', { folderId: trip.id })
    const gone = await replace('gone.txt', {})
    await user.client.call(trashFile, { id: gone })
    await replace('secret.bin', { isEncrypted: true })
    const time = new Date(app.clock.now()).toISOString().replaceAll(':', '.')
    const versions = ({ entries }: { entries: Map<string, Buffer> }) =>
      Object.fromEntries(Object.entries(texts(entries)).filter(([name]) => name.startsWith('Versions/')))
    expect(versions(await download())).toEqual({})
    expect(versions(await download(user, { history: true }))).toEqual({
      [`Versions/Drive/Trip/a.txt/${time}.txt`]: 'old a.txt',
      [`Versions/Drive Trash/gone.txt ${gone}/${time}.txt`]: 'old gone.txt',
      [`Versions/Vault/secret.bin/${time}.bin`]: 'old secret.bin',
    })
  })

  it('contains the account details but not the password hash', async () => {
    const headers = { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' }
    await app.visitor.raw<SignedIn>(login, { email: user.email, password: TEST_PASSWORD }, headers)
    await user.client.call(updateProfile, { displayName: 'Mara Oyelaran' })
    await addNotice(app, user, { kind: 'security_change', data: { change: 'two_factor_on' } })
    const file = await user.client.upload('a.txt', 'a', {
      relativePath: 'Trip/a.txt',
      folderPath: 'Trip',
      lastModified: '2011-05-06T07:08:09.123Z',
    })
    await user.client.call(addFavorite, { itemType: 'file', itemId: file.id })
    const { link } = (await user.client.call(updatePublicLink, { id: file.id, enabled: true, password: 'open sesame' }))
      .body
    const { db } = app.services
    const now = app.clock.now()
    const playlist = { id: randomUUID(), owner_id: user.id, name: 'Evening', created_at: now, updated_at: now }
    await db.insertInto('playlists').values(playlist).execute()
    await db.insertInto('playlist_tracks').values({ playlist_id: playlist.id, place: 0, item_id: file.id }).execute()
    await db
      .insertInto('billing_customers')
      .values({ user_id: user.id, realm: 'sandbox', customer_id: 'cus_7' })
      .execute()

    const { details, entries } = await download()
    const time = new Date(now).toISOString()
    const described = { path: '/Trip/a.txt', type: 'file', modifiedAt: '2011-05-06T07:08:09.123Z' }
    expect(details).toMatchObject({
      account: {
        email: user.email,
        displayName: 'Mara Oyelaran',
        createdAt: time,
        activatedAt: time,
        plan: { planName: '100 GB Monthly' },
        storage: { usedBytes: 1 },
      },
      signInDevices: [{ device: 'Firefox on Linux', network: '203.0.113.0/24', seenAt: time }],
      twoFactor: { enabledAt: null },
      passkeys: [],
      signInProviders: [],
      notices: [{ kind: 'security_change', data: { change: 'two_factor_on' }, isRead: false }],
      noticeMails: { storage: true },
      payments: { customerId: 'cus_7', status: 'free' },
      publicLinks: [{ link, ...described, isInVault: false, hasPassword: true, downloadCount: 0 }],
      favorites: [{ ...described, markedAt: time }],
      playlists: [{ name: 'Evening', tracks: ['/Trip/a.txt'] }],
    })
    expect(details.sessions).toContainEqual({
      device: 'Firefox on Linux',
      ip: '203.0.113.7',
      createdAt: time,
      lastUsedAt: time,
      confirmedAt: null,
      expiresAt: expect.any(String),
    })
    const row = await db.selectFrom('users').select('password_hash').where('id', '=', user.id).executeTakeFirstOrThrow()
    expect(entries.get('account.json')?.toString()).not.toContain(row.password_hash)
    expect(entries.get('account.json')?.toString()).not.toContain('argon2')
  })

  it('contains no data of other users and is complete for an empty account', async () => {
    const other = await app.createUser()
    await user.client.upload('mine.txt', 'mine')
    const { entries, details } = await download(other)
    expect(texts(entries)).toEqual({ 'Drive/': '', 'Vault/': '' })
    expect(details).toMatchObject({ publicLinks: [], favorites: [], playlists: [], payments: null })
  })

  it('exports more than one page of links, favorites and trashed items', async () => {
    const ids: string[] = []
    for (let index = 0; index < 3; index++) ids.push((await user.client.upload(`${index}.txt`, 'x')).id)
    const { db } = app.services
    const row = await db
      .selectFrom('items')
      .selectAll()
      .where('id', '=', ids[0] as string)
      .executeTakeFirstOrThrow()
    const { media: _computed, ...copied } = row
    const copies = Array.from({ length: 1005 }, (_unused, index) => {
      const name = `copy ${String(index).padStart(4, '0')}.txt`
      return { ...copied, id: randomUUID(), name, sort_key: name, favorite_at: 7, shared_at: 7 }
    })
    for (let start = 0; start < copies.length; start += 50) {
      const some = copies.slice(start, start + 50)
      await db.insertInto('items').values(some).execute()
      await db
        .insertInto('public_links')
        .values(some.map(({ id }) => firstLink({ id, owner_id: copied.owner_id })))
        .execute()
    }
    const { details } = await download()
    const paths = (list: unknown) => new Set((list as { path: string }[]).map(({ path }) => path)).size
    expect([paths(details.favorites), paths(details.publicLinks)]).toEqual([1005, 1005])

    await db
      .updateTable('items')
      .set((eb) => ({ trashed_at: 9, trash_id: eb.ref('id') }))
      .where('favorite_at', '=', 7)
      .execute()
    const { entries } = await download()
    expect([...entries.keys()].filter((name) => name.startsWith('Trash/'))).toHaveLength(1005)
  })
})

describe('the data export URL', () => {
  it('serves a ZIP attachment for GET and the same headers for HEAD', async () => {
    const exportUrl = await getExportUrl()
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers } = await open(exportUrl, method)
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'content-type': 'application/zip', 'cache-control': 'private, no-store' })
      expect(headers['content-disposition']).toContain('attachment; filename="Alcove 2026-')
    }
  })

  it('rejects a data export URL after 15 minutes', async () => {
    const exportUrl = await getExportUrl()
    app.clock.advance(DOWNLOAD_URL_TTL - 1)
    expect((await open(exportUrl)).status).toBe(200)
    app.clock.advance(1)
    expect(await open(exportUrl)).toMatchObject({
      status: 403,
      body: { error: 'This download link has expired. Please start the download again.' },
    })
  })

  it('rejects a modified data export URL and the signature of another URL', async () => {
    const other = await app.createUser()
    const file = await user.client.upload('a.txt', 'a')
    const download = new URL((await user.client.call(getDownloadUrl, { id: file.id })).body.url)
    for (const change of [
      { owner: other.id },
      { expires: String(app.clock.now() * 2) },
      { signature: 'x' },
      { signature: download.searchParams.get('signature') ?? '', expires: download.searchParams.get('expires') ?? '' },
    ]) {
      const exportUrl = await getExportUrl()
      for (const [name, value] of Object.entries(change)) exportUrl.searchParams.set(name, value)
      expect((await open(exportUrl)).status, JSON.stringify(change)).toBe(403)
    }
    expect((await app.visitor.raw(downloadData, {})).status).toBe(400)
    expect((await app.visitor.raw(downloadData, { owner: 'x', expires: '1', signature: 'x' })).status).toBe(400)
  })

  it('rejects a data export URL after its account is deleted', async () => {
    const exportUrl = await getExportUrl()
    await user.client.request({ method: 'DELETE', url: '/api/account/delete' })
    expect((await open(exportUrl)).status).toBe(403)
  })
})
