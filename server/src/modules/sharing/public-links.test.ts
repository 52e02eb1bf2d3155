import { randomUUID } from 'node:crypto'
import { createFolder, moveFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { LINK_ACCESS_TTL, MAX_FAILURES_ANYWHERE, MAX_LINK_PASSWORD_TRIES } from '@alcove/contract/limits'
import {
  getPublicContent,
  getPublicFolder,
  getPublicItem,
  unlockPublicLink,
  updatePublicLink,
} from '@alcove/contract/sharing'
import { restoreFolder } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let app: TestApp
let user: TestUser
let visits = 0

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '100 GB Monthly' })
  visits += 1
})

async function share(id: string, options: { password?: string | null; expiresAt?: string | null } = {}) {
  const { body } = await user.client.call(updatePublicLink, { id, enabled: true, ...options })
  return body.link.split('/s/')[1] as string
}
const visit = (token: string, access?: string) => app.visitor.call(getPublicItem, { token, access })
const enter = (token: string, id: string) => app.visitor.call(getPublicFolder, { token, id })
const createIn = async (folderName: string, parentFolderId?: string) =>
  (await user.client.call(createFolder, { folderName, parentFolderId })).body.id

/** Creates the shared folder Photos with 2024/a.jpg in it, and a private folder next to it. */
async function createTree() {
  const photos = await createIn('Photos')
  const year = await createIn('2024', photos)
  const beside = await createIn('Private')
  const picture = await user.client.upload('a.jpg', 'jpeg', { folderId: year })
  const letter = await user.client.upload('letter.txt', 'dear', { folderId: beside })
  return { photos, year, beside, picture, letter, token: await share(photos) }
}

describe('a shared file', () => {
  it('returns the file without any details of its owner', async () => {
    const file = await user.client.upload('ü x.jpg', 'jpeg')
    const response = await visit(await share(file.id))
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      ...{ canDownload: true, canPreview: true },
      id: file.id,
      name: 'ü x.jpg',
      filename: 'ü x.jpg',
      type: 'file',
      mimeType: 'image/jpeg',
      size: 4,
      createdAt: file.createdAt,
      updatedAt: file.updatedAt,
      modifiedAt: file.modifiedAt,
      isEncrypted: false,
    })
    expect(response.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
  })

  it('marks a shared vault file as encrypted', async () => {
    const file = await user.client.upload('s.txt', 'ciphertext', { isEncrypted: true })
    expect((await visit(await share(file.id))).body).toMatchObject({ isEncrypted: true, size: 10 })
  })

  it('returns 404 when a shared file is opened as a folder', async () => {
    const file = await user.client.upload('a', 'x')
    const token = await share(file.id)
    expect((await enter(token, file.id)).status).toBe(404)
    expect((await enter(token, randomUUID())).status).toBe(404)
  })
})

describe('a shared folder', () => {
  it('returns contents, path and total size of the shared folder and of folders inside it', async () => {
    const { photos, year, picture, token } = await createTree()
    const { body } = await visit(token)
    expect(body).toMatchObject({ id: photos, name: 'Photos', type: 'folder', path: [], files: [] })
    expect(body).toMatchObject({ subFolders: [{ id: year, name: '2024', type: 'folder' }] })
    const inside = await enter(token, year)
    expect(inside.body).toMatchObject({ id: year, path: [{ id: photos, name: 'Photos' }], subFolders: [] })
    expect(inside.body.files).toMatchObject([{ id: picture.id, name: 'a.jpg', size: 4 }])
    expect(JSON.stringify([body, inside.body])).not.toMatch(/owner|parentId|folder_id|isFavorite|isShared|blob/)
    expect((await enter(token, photos)).body).toEqual(body)
    // The totals include all levels and are up to date.
    expect(body).toMatchObject({ contents: { folders: 1, files: 1, size: 4 } })
    expect(inside.body).toMatchObject({ contents: { folders: 0, files: 1, size: 4 } })
    await user.client.upload('b.jpg', 'xx', { folderId: year })
    expect((await visit(token)).body).toMatchObject({ contents: { folders: 1, files: 2, size: 6 } })
    await user.client.call(trashFile, { id: picture.id })
    expect((await visit(token)).body).toMatchObject({ contents: { folders: 1, files: 1, size: 2 } })
  })

  it('returns 404 for items outside the shared folder and of other users', async () => {
    const { beside, letter, picture, token } = await createTree()
    const stranger = await app.createUser()
    const foreign = await stranger.client.upload('b.txt', 'x')
    const { drive_root_id } = await app.services.db
      .selectFrom('users')
      .select('drive_root_id')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    for (const id of [beside, letter.id, foreign.id, drive_root_id, randomUUID()]) {
      expect((await enter(token, id)).status).toBe(404)
      expect((await app.visitor.call(getPublicContent, { token, id })).status).toBe(404)
    }
    expect((await enter(token, picture.id)).status).toBe(404)
    expect((await app.visitor.raw(getPublicFolder, { token, id: 'nonsense' })).status).toBe(400)
  })

  it('reflects items that are moved into or out of the shared folder or trashed', async () => {
    const { photos, year, beside, picture, token } = await createTree()
    await user.client.call(moveFolder, { folderId: year, targetFolderId: beside })
    expect((await enter(token, year)).status).toBe(404)
    await user.client.call(moveFolder, { folderId: year, targetFolderId: photos })
    expect((await enter(token, year)).status).toBe(200)
    await user.client.call(trashFile, { id: picture.id })
    expect((await enter(token, year)).body.files).toEqual([])
    expect((await app.visitor.call(getPublicContent, { token, id: picture.id })).status).toBe(404)
    await user.client.call(trashFolder, { id: year })
    expect((await enter(token, year)).status).toBe(404)
    expect((await visit(token)).body).toMatchObject({ subFolders: [] })
  })
})

describe('the error of an unavailable link', () => {
  it('returns the same 404 for disabled, expired, trashed and unknown links', async () => {
    const { photos, year, picture, token } = await createTree()
    const file = await user.client.upload('a', 'x')
    const disabled = await share(file.id)
    await user.client.call(updatePublicLink, { id: file.id, enabled: false })
    const inTrashed = await share(picture.id)
    const expired = await share(year, { expiresAt: new Date(app.clock.now() + 1000).toISOString() })
    expect((await visit(expired)).status).toBe(200)
    app.clock.advance(1000)
    await user.client.call(trashFolder, { id: photos })
    const bodies = new Set<string>()
    for (const one of [disabled, inTrashed, expired, token, 'x', 'A'.repeat(22), 'x'.repeat(900), '\u0000', '%', "'"]) {
      for (const call of [getPublicItem, getPublicContent, unlockPublicLink]) {
        const response = await app.visitor.raw(call, { token: one, password: 'x' })
        expect(response.status).toBe(404)
        bodies.add(JSON.stringify(response.body))
      }
      expect((await enter(one, year)).status).toBe(404)
    }
    expect(bodies.size).toBe(1)
    await user.client.call(restoreFolder, { id: photos })
    expect((await visit(token)).status).toBe(200)
    expect((await visit(inTrashed)).status).toBe(200)
  })
})

describe('a link with a password', () => {
  const unlock = (token: string, password: string, ip = `192.0.2.${visits}`) =>
    app.visitor.raw<{ access: string; code?: string; error?: string }>(
      unlockPublicLink,
      { token, password },
      { 'x-forwarded-for': ip },
    )

  it('reveals only that a password is required until the link is unlocked', async () => {
    const { photos, year, picture, token } = await createTree()
    await share(photos, { password: 'opén' })
    const responses = await Promise.all([
      visit(token),
      visit(token, 'nonsense'),
      enter(token, year),
      enter(token, randomUUID()),
      app.visitor.call(getPublicContent, { token }),
      app.visitor.call(getPublicContent, { token, id: picture.id }),
    ])
    for (const { status, body } of responses) {
      expect(status).toBe(403)
      expect(body).toEqual({
        error: 'This link is protected by a password.',
        message: 'This link is protected by a password.',
        code: 'password_required',
      })
    }
    expect(await unlock(token, 'open')).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    const { access } = (await unlock(token, 'ope\u0301n')).body
    expect((await visit(token, access)).status).toBe(200)
    expect((await app.visitor.call(getPublicFolder, { token, id: year, access })).status).toBe(200)
    const content = await app.visitor.call(getPublicContent, { token, id: picture.id, access })
    expect(content.bytes.toString()).toBe('jpeg')
  })

  it('ends access after a while or with a new password, and limits it to one link', async () => {
    const [file, other] = [await user.client.upload('a', 'x'), await user.client.upload('b', 'x')]
    const token = await share(file.id, { password: 'one' })
    const otherToken = await share(other.id, { password: 'one' })
    const { access } = (await unlock(token, 'one')).body
    expect((await visit(otherToken, access)).status).toBe(403)
    const forged = access.replace(/^\d/, (digit) => String(Number(digit) + 1))
    expect((await visit(token, forged)).status).toBe(403)
    await share(file.id, { password: 'one' })
    expect((await visit(token, access)).status).toBe(403)
    const again = (await unlock(token, 'one')).body.access
    await share(file.id, { password: null })
    expect((await visit(token)).status).toBe(200)
    await share(file.id, { password: 'two' })
    expect((await visit(token, again)).status).toBe(403)
    const last = (await unlock(token, 'two')).body.access
    expect((await visit(token, last)).status).toBe(200)
    app.clock.advance(LINK_ACCESS_TTL)
    expect((await visit(token, last)).status).toBe(403)
  })

  it('accepts ten wrong passwords from one address, then returns how long to wait', async () => {
    const token = await share((await user.client.upload('a', 'x')).id, { password: 'one' })
    const other = await share((await user.client.upload('b', 'x')).id, { password: 'one' })
    const tries = await Promise.all(Array.from({ length: 20 }, () => unlock(token, 'wrong')))
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(MAX_LINK_PASSWORD_TRIES)
    const refused = await unlock(token, 'one')
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(refused.body.error).toMatch(/^Too many attempts\. Please try again in 15 minutes\.$/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    expect((await unlock(token, 'one', '198.51.100.9')).status).toBe(200)
    expect((await unlock(other, 'one')).status).toBe(200)
  })

  it('limits wrong passwords from an IPv6 /48 to four times the limit of a /64', async () => {
    const token = await share((await user.client.upload('a', 'x')).id, { password: 'one' })
    for (let net = 0; net < MAX_LINK_PASSWORD_TRIES * 4; net++) {
      expect((await unlock(token, 'wrong', `2001:db8:77:${net.toString(16)}::1`)).status).toBe(403)
    }
    expect((await unlock(token, 'one', '2001:db8:77:ffff::1')).status).toBe(429)
    expect((await unlock(token, 'one', '2001:db8:78::1')).status).toBe(200)
  })

  it('slows down wrong passwords from many networks, but not the owner or known visitors', async () => {
    const token = await share((await user.client.upload('a', 'x')).id, { password: 'one' })
    expect((await unlock(token, 'one', '172.16.0.1')).status).toBe(200)
    const statuses: number[] = []
    for (let network = 0; network < MAX_FAILURES_ANYWHERE + 4; network++) {
      statuses.push((await unlock(token, 'wrong', `10.9.${network}.1`)).status)
    }
    expect(statuses.slice(MAX_FAILURES_ANYWHERE)).toEqual([403, 429, 429, 429])
    const stranger = await unlock(token, 'one', '10.10.0.1')
    expect(stranger).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(stranger.headers['retry-after'])).toBeLessThanOrEqual(30)
    expect((await unlock(token, 'wrong', '172.16.0.2')).status).toBe(403)
    const owner = await user.client.raw(
      unlockPublicLink,
      { token, password: 'wrong' },
      { 'x-forwarded-for': '10.11.0.1' },
    )
    expect(owner.status).toBe(403)
    expect((await unlock(token, 'one', '172.16.0.2')).status).toBe(200)
    expect((await unlock(token, 'one', '10.10.0.1')).status).toBe(200)
  })

  it('resets the count of wrong passwords after the right one', async () => {
    const token = await share((await user.client.upload('a', 'x')).id, { password: 'one' })
    for (let round = 0; round < 2; round++) {
      for (let time = 1; time < MAX_LINK_PASSWORD_TRIES; time++) {
        expect((await unlock(token, 'wrong')).status).toBe(403)
      }
      expect((await unlock(token, 'one')).status).toBe(200)
    }
  })

  it('stores the password only as an Argon2id hash', async () => {
    const file = await user.client.upload('a', 'x')
    await share(file.id, { password: 'very plain' })
    const row = await app.services.db
      .selectFrom('public_links')
      .selectAll()
      .where('item_id', '=', file.id)
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toMatch(/^\$argon2id\$/)
  })
})
