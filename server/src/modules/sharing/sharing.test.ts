import { randomUUID } from 'node:crypto'
import { createFolder, getFolder, listFiles, moveFile, renameFile, trashFile } from '@alcove/contract/files'
import { copyItems } from '@alcove/contract/item-calls'
import {
  getPublicItem,
  getPublicLink,
  listPublicLinks,
  revokePublicLink,
  revokePublicLinks,
  updatePublicLink,
} from '@alcove/contract/sharing'
import { deleteFile, restoreFile } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let app: TestApp
let user: TestUser
const HOUR = 3_600_000

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '100 GB Monthly' })
})

const linkOf = async (id: string) => (await user.client.call(getPublicLink, { id })).body
const share = async (id: string) => (await user.client.call(updatePublicLink, { id, enabled: true })).body
const tokenOf = ({ link }: { link: string }) => link.split('/s/')[1] as string
const visit = async (link: { link: string }) => (await app.visitor.call(getPublicItem, { token: tokenOf(link) })).status
const inOneHour = () => new Date(app.clock.now() + HOUR).toISOString()

describe("an item's public link", () => {
  it('creates a disabled link for files and folders of drive and vault when first requested', async () => {
    const file = await user.client.upload('a.txt', 'x')
    const secret = await user.client.upload('s.txt', 'x', { isEncrypted: true })
    const folder = (await user.client.call(createFolder, { folderName: 'Photos' })).body
    const vaultFolder = (await user.client.call(createFolder, { folderName: 'V', isEncrypted: true })).body
    const tokens = new Set<string>()
    for (const { id } of [file, secret, folder, vaultFolder]) {
      const response = await user.client.call(getPublicLink, { id })
      expect(response.status).toBe(200)
      expect(response.body).toEqual({
        link: expect.stringMatching(/^http:\/\/localhost:\d+\/s\/[\w-]{22}$/),
        enabled: false,
        hasPassword: false,
        expiresAt: null,
        downloadCount: 0,
      })
      expect(await visit(response.body)).toBe(404)
      tokens.add(response.body.link)
    }
    expect(tokens.size).toBe(4)
  })

  it('returns the same link to concurrent first requests', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const links = await Promise.all(Array.from({ length: 20 }, () => linkOf(id)))
    expect(new Set(links.map(({ link }) => link)).size).toBe(1)
  })

  it('keeps the address of a link that is enabled and disabled', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const { link } = await linkOf(id)
    expect(await share(id)).toMatchObject({ link, enabled: true })
    expect(await linkOf(id)).toMatchObject({ link, enabled: true })
    expect(await visit({ link })).toBe(200)
    expect((await user.client.call(revokePublicLink, { id })).body).toMatchObject({ link, enabled: false })
    expect(await visit({ link })).toBe(404)
    expect(await share(id)).toMatchObject({ link, enabled: true })
    expect(await visit({ link })).toBe(200)
  })

  it('enables a link that was not requested before', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    expect(await visit(await share(id))).toBe(200)
  })

  it('marks an item with an enabled link as shared in a listing', async () => {
    const folder = (await user.client.call(createFolder, { folderName: 'Photos' })).body
    expect(folder.isShared).toBe(false)
    const inside = await user.client.upload('a.txt', 'x', { folderId: folder.id })
    await share(folder.id)
    await share(inside.id)
    const { body } = await user.client.call(getFolder, { id: folder.id })
    expect(body.files).toEqual([{ ...inside, isShared: true }])
    await user.client.call(revokePublicLink, { id: inside.id })
    expect((await user.client.call(getFolder, { id: folder.id })).body.files).toEqual([inside])
  })

  it('keeps the link of an item that is renamed, moved and replaced', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const folder = (await user.client.call(createFolder, { folderName: 'Photos' })).body
    const link = await share(id)
    await user.client.call(renameFile, { oldFilename: 'a.txt', newName: 'b.txt' })
    await user.client.call(moveFile, { fileId: id, targetFolderId: folder.id })
    await user.client.upload('b.txt', 'longer', { folderId: folder.id, onConflict: 'replace' })
    expect(await linkOf(id)).toEqual(link)
    const { body } = await app.visitor.call(getPublicItem, { token: tokenOf(link) })
    expect(body).toMatchObject({ id, name: 'b.txt', size: 6 })
  })

  it('hides the link while its item is trashed, and deletes it with the item', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const link = await share(id)
    await user.client.call(trashFile, { id })
    expect((await user.client.call(getPublicLink, { id })).status).toBe(404)
    expect((await user.client.call(updatePublicLink, { id, enabled: true })).status).toBe(404)
    expect(await visit(link)).toBe(404)
    await user.client.call(restoreFile, { id })
    expect(await linkOf(id)).toEqual(link)
    expect(await visit(link)).toBe(200)
    await user.client.call(trashFile, { id })
    await user.client.call(deleteFile, { id })
    expect(await visit(link)).toBe(404)
    const left = await app.services.db.selectFrom('public_links').selectAll().where('item_id', '=', id).execute()
    expect(left).toEqual([])
  })

  it('does not copy the link with its item', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const folder = (await user.client.call(createFolder, { folderName: 'Photos' })).body
    const { link } = await share(id)
    const { body } = await user.client.call(copyItems, { itemIds: [id], targetFolderId: folder.id })
    const [copy] = (await user.client.call(getFolder, { id: folder.id })).body.files
    expect(body.itemIds).toEqual([copy?.id])
    expect(copy?.isShared).toBe(false)
    const own = await linkOf(copy?.id as string)
    expect(own.enabled).toBe(false)
    expect(own.link).not.toBe(link)
  })

  it("returns 404 for another user's items, unknown ids and root folders", async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const link = await share(id)
    const stranger = await app.createUser()
    const { drive_root_id } = await app.services.db
      .selectFrom('users')
      .select('drive_root_id')
      .where('id', '=', stranger.id)
      .executeTakeFirstOrThrow()
    for (const itemId of [id, randomUUID(), drive_root_id]) {
      expect((await stranger.client.call(getPublicLink, { id: itemId })).status).toBe(404)
      expect((await stranger.client.call(updatePublicLink, { id: itemId, enabled: false })).status).toBe(404)
      expect((await stranger.client.call(revokePublicLink, { id: itemId })).status).toBe(404)
    }
    expect(await visit(link)).toBe(200)
  })

  it('ends in a consistent state when a link is changed concurrently', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const responses = await Promise.all(
      [true, false, true, false].map((enabled) => user.client.call(updatePublicLink, { id, enabled })),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { enabled } = await linkOf(id)
    expect((await user.client.call(listFiles, {})).body.files).toMatchObject([{ id, isShared: enabled }])
  })

  it('keeps the link settings that an update omits', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const expiresAt = inOneHour()
    const set = await user.client.call(updatePublicLink, { id, enabled: true, password: 'open', expiresAt })
    expect(set.body).toMatchObject({ enabled: true, hasPassword: true, expiresAt })
    expect(await share(id)).toEqual(set.body)
    const cleared = await user.client.call(updatePublicLink, { id, enabled: true, password: null, expiresAt: null })
    expect(cleared.body).toMatchObject({ hasPassword: false, expiresAt: null })
  })

  it('rejects invalid link settings', async () => {
    const { id } = await user.client.upload('a.txt', 'x')
    const past = new Date(app.clock.now() - 1000).toISOString()
    for (const bad of [
      {},
      { enabled: 'yes' },
      { enabled: true, password: '' },
      { enabled: true, password: 'x'.repeat(257) },
      { enabled: true, expiresAt: past },
      { enabled: true, expiresAt: 'tomorrow' },
    ]) {
      const response = await user.client.raw(updatePublicLink, { id, ...bad })
      expect(response).toMatchObject({ status: 400, body: { code: 'malformed', error: expect.stringMatching(/\S/) } })
    }
    expect(await linkOf(id)).toMatchObject({ enabled: false, hasPassword: false, expiresAt: null })
  })
})

describe('the list of public links', () => {
  const list = async (input = {}) => (await user.client.call(listPublicLinks, input)).body

  it('lists enabled links with their items, including expired ones, newest first', async () => {
    expect(await list()).toEqual({ links: [], nextCursor: null, total: 0 })
    const folder = (await user.client.call(createFolder, { folderName: 'Photos' })).body
    const file = await user.client.upload('a.txt', 'x', { folderId: folder.id })
    const secret = await user.client.upload('s.txt', 'x', { isEncrypted: true })
    const never = await user.client.upload('never.txt', 'x')
    await linkOf(never.id)
    await user.client.call(updatePublicLink, { id: file.id, enabled: true, expiresAt: inOneHour() })
    app.clock.advance(2 * HOUR)
    await share(folder.id)
    app.clock.advance(1000)
    await share(secret.id)
    const { links, total } = await list()
    expect(total).toBe(3)
    expect(links).toMatchObject([
      { item: { id: secret.id }, path: '/s.txt', isEncrypted: true, enabled: true, expiresAt: null },
      { item: { id: folder.id, type: 'folder' }, path: '/Photos', isEncrypted: false },
      { item: { ...file, isShared: true }, path: '/Photos/a.txt', expiresAt: expect.any(String) },
    ])
    expect(links[1]?.sharedAt).toBe(new Date(app.clock.now() - 1000).toISOString())
  })

  it("omits disabled links, links of trashed items and other users' links", async () => {
    const upload = (name: string) => user.client.upload(name, 'x')
    const [a, b, c] = await Promise.all([upload('a'), upload('b'), upload('c')])
    for (const { id } of [a, b, c]) await share(id)
    await user.client.call(trashFile, { id: a.id })
    await user.client.call(revokePublicLink, { id: b.id })
    expect((await list()).links.map(({ item }) => item.id)).toEqual([c.id])
    const stranger = await app.createUser()
    expect((await stranger.client.call(listPublicLinks, {})).body.total).toBe(0)
  })

  it('pages through links that were shared at the same time, and rejects invalid cursors', async () => {
    const files = await Promise.all(Array.from({ length: 7 }, (_, index) => user.client.upload(`${index}`, 'x')))
    for (const { id } of files) await share(id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list({ limit: 3, cursor })
      expect(page.total).toBe(7)
      seen.push(...page.links.map(({ item }) => item.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(seen.toSorted()).toEqual(files.map(({ id }) => id).toSorted())
    expect(new Set(seen).size).toBe(7)
    for (const bad of ['x', '1.2', `${'9'.repeat(20)}.${randomUUID()}`]) {
      expect((await user.client.raw(listPublicLinks, { cursor: bad })).status).toBe(400)
    }
  })

  it('disables all links of a user, including those of trashed items, and no others', async () => {
    const [a, b] = await Promise.all([user.client.upload('a', 'x'), user.client.upload('b', 'x')])
    const stranger = await app.createUser()
    const foreign = await stranger.client.upload('a', 'x')
    await stranger.client.call(updatePublicLink, { id: foreign.id, enabled: true })
    for (const { id } of [a, b]) await share(id)
    await user.client.call(trashFile, { id: a.id })
    expect((await user.client.call(revokePublicLinks, {})).body.count).toBe(2)
    expect((await list()).total).toBe(0)
    await user.client.call(restoreFile, { id: a.id })
    expect((await linkOf(a.id)).enabled).toBe(false)
    expect((await stranger.client.call(listPublicLinks, {})).body.total).toBe(1)
    expect((await user.client.call(revokePublicLinks, {})).body.count).toBe(0)
  })
})
