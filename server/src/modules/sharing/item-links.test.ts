import { createFolder, trashFolder } from '@alcove/contract/files'
import { MAX_LINKS_PER_ITEM } from '@alcove/contract/limits'
import { createLink, deleteLink, type Link, listItemLinks, updateLink } from '@alcove/contract/links'
import {
  getPublicContent,
  getPublicFolder,
  getPublicItem,
  getPublicThumbnail,
  listPublicLinks,
  revokePublicLinks,
  unlockPublicLink,
  updatePublicLink,
} from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { describeSharePage } from './share-page.ts'

let app: TestApp
let user: TestUser
let folder: string
let file: string
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
  folder = (await user.client.call(createFolder, { folderName: 'Trip' })).body.id
  file = (await user.client.upload('a.txt', '0123456789', { folderId: folder })).id
})

const tokenOf = ({ link }: { link: string }) => link.slice(link.lastIndexOf('/') + 1)
const create = async (fields: object = {}, id = folder): Promise<Link> =>
  (await user.client.call(createLink, { id, ...fields })).body
const visit = async (link: { link: string }, access?: string) =>
  app.visitor.raw(getPublicItem, { token: tokenOf(link), ...(access !== undefined && { access }) })
const fetchContent = (link: Link, fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
  const url = `/api${getPublicContent.path.replace('{token}', tokenOf(link))}?${new URLSearchParams(fields)}`
  return app.visitor.request({ method: 'GET', url, headers })
}

describe('several links of an item', () => {
  it('have addresses, labels, passwords and expiries of their own', async () => {
    const open = await create({ label: ' For Ada ' })
    const locked = await create({ label: 'For Bo', password: 'secret', expiresAt: '2099-01-01T00:00:00Z' })
    expect(open).toMatchObject({ label: 'For Ada', right: 'view', enabled: true, state: 'active', isFirst: false })
    expect(locked).toMatchObject({ hasPassword: true, expiresAt: '2099-01-01T00:00:00.000Z' })
    const { links } = (await user.client.call(listItemLinks, { id: folder })).body
    expect(links.map(({ isFirst, enabled, label }) => [isFirst, enabled, label])).toEqual([
      [true, false, ''],
      [false, true, 'For Ada'],
      [false, true, 'For Bo'],
    ])
    expect((await visit(open)).status).toBe(200)
    expect((await visit(locked)).body).toMatchObject({ code: 'password_required' })
    expect((await visit(links[0] as Link)).status).toBe(404)
  })

  it('show a password’s grant of one link no other', async () => {
    const [one, two] = [await create({ password: 'same' }), await create({ password: 'same' })]
    const { access } = (await app.visitor.call(unlockPublicLink, { token: tokenOf(one), password: 'same' })).body
    expect((await visit(one, access)).status).toBe(200)
    expect((await visit(two, access)).body).toMatchObject({ code: 'password_required' })
  })

  it('mark the item as shared while any of them is enabled', async () => {
    const isShared = async () => (await user.client.upload('probe', 'x')) && (await readShared())
    const readShared = async () => {
      const { shared_at } = await app.services.db
        .selectFrom('items')
        .select('shared_at')
        .where('id', '=', folder)
        .executeTakeFirstOrThrow()
      return shared_at !== null
    }
    expect(await isShared()).toBe(false)
    const link = await create()
    await user.client.call(updatePublicLink, { id: folder, enabled: true })
    await user.client.call(updateLink, { linkId: link.id, enabled: false })
    expect(await readShared()).toBe(true)
    await user.client.call(updatePublicLink, { id: folder, enabled: false })
    expect(await readShared()).toBe(false)
    await user.client.call(updateLink, { linkId: link.id, enabled: true })
    expect(await readShared()).toBe(true)
    await user.client.call(deleteLink, { linkId: link.id })
    expect(await readShared()).toBe(false)
    expect((await visit(link)).status).toBe(404)
  })

  it('are all in the list, with their states', async () => {
    await create({ label: 'used', maxDownloads: 1 }).then((link) => fetchContent(link, { id: file, download: '1' }))
    await create({ label: 'off', enabled: false })
    const short = await create({ label: 'short', expiresAt: new Date(app.clock.now() + 60_000).toISOString() })
    app.clock.advance(120_000)
    const { links, total } = (await user.client.call(listPublicLinks, { limit: 2 })).body
    expect([links.length, total]).toEqual([2, 3])
    const all = (await user.client.call(listPublicLinks, {})).body.links
    expect(Object.fromEntries(all.map(({ label, state }) => [label, state]))).toEqual({
      used: 'used up',
      off: 'disabled',
      short: 'expired',
    })
    expect((await visit(short)).status).toBe(404)
    expect((await user.client.call(revokePublicLinks, {})).body.count).toBe(2)
  })

  it('end with a limit, and the first one can’t be deleted', async () => {
    await create()
    const { db } = app.services
    const [row] = await db.selectFrom('public_links').selectAll().where('item_id', '=', folder).execute()
    const rows = Array.from({ length: MAX_LINKS_PER_ITEM - 2 }, (_unused, n) => ({
      ...(row as NonNullable<typeof row>),
      ...{ id: crypto.randomUUID(), token: `${folder}-${n}`, is_first: 0 },
    }))
    await db.insertInto('public_links').values(rows).execute()
    expect((await user.client.raw(createLink, { id: folder })).body).toMatchObject({ code: 'state_conflict' })
    const first = (await user.client.call(listItemLinks, { id: folder })).body.links.find(({ isFirst }) => isFirst)
    expect((await user.client.raw(deleteLink, { linkId: first?.id as string })).status).toBe(409)
  })

  it('stop working while the item is in the trash', async () => {
    const link = await create()
    await user.client.call(trashFolder, { id: folder })
    expect((await visit(link)).status).toBe(404)
    expect((await user.client.raw(updateLink, { linkId: link.id, label: 'x' })).status).toBe(404)
  })
})

describe('a link to view without downloading', () => {
  it('shows files and refuses downloads', async () => {
    // It has no downloads that could be limited.
    const link = await create({ right: 'preview', maxDownloads: 1 })
    expect((await visit(link)).body).toMatchObject({ canDownload: false, canPreview: true })
    expect((await fetchContent(link, { id: file })).status).toBe(200)
    expect((await fetchContent(link, { id: file, download: '1' })).status).toBe(403)
    // Nothing shows these, so their bytes could only be saved.
    for (const name of ['all.zip', 'report.docx', 'raw.heic', 'unknown']) {
      const { id } = await user.client.upload(name, 'x', { folderId: folder })
      expect((await fetchContent(link, { id })).status).toBe(403)
    }
    expect((await fetchContent(link)).status).toBe(403)
    expect((await fetchContent(link, { download: '1' })).status).toBe(403)
  })
})

describe('a link with a limited number of downloads', () => {
  it('ends after them, also when they are requested at once', async () => {
    const link = await create({ maxDownloads: 3 })
    const fetched = await Promise.all(Array.from({ length: 12 }, () => fetchContent(link, { id: file, download: '1' })))
    expect(fetched.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(fetched.filter(({ status }) => status === 404)).toHaveLength(9)
    expect((await visit(link)).status).toBe(404)
  })

  it('sends no parts and no previews, which would not count', async () => {
    const link = await create({ maxDownloads: 1 })
    expect((await visit(link)).body).toMatchObject({ canDownload: true, canPreview: false })
    expect((await fetchContent(link, { id: file })).status).toBe(403)
    const part = await fetchContent(link, { id: file, download: '1' }, { range: 'bytes=1-' })
    expect([part.status, part.bytes.toString()]).toEqual([200, '0123456789'])
    expect((await fetchContent(link, { id: file, download: '1' })).status).toBe(404)
  })
})

describe('a link that asks for files', () => {
  it('shows its words and nothing of the folder', async () => {
    const link = await create({
      right: 'upload',
      title: 'Photos of the trip',
      message: 'Please!',
      visitorName: 'required',
    })
    const { body } = await visit(link)
    expect(body).toEqual({
      ...{ type: 'request', title: 'Photos of the trip', message: 'Please!', visitorName: 'required' },
      ...{ maxFileBytes: null, maxFiles: null, fileTypes: [], expiresAt: null },
    })
    const token = tokenOf(link)
    for (const [call, fields] of [
      [getPublicFolder, { id: folder }],
      [getPublicContent, { id: file }],
      [getPublicContent, {}],
      [getPublicThumbnail, { id: file, size: '256' }],
    ] as const) {
      expect((await app.visitor.raw(call, { token, ...fields })).status).toBe(404)
    }
    const page = await describeSharePage(app.services, `/s/${token}`, '192.0.2.1')
    expect(page?.head).toContain('content="Photos of the trip"')
    expect(page?.head).not.toContain('"Trip"')
  })
})

describe('invalid input of links', () => {
  it.each<[string, number, object]>([
    ['an unknown right', 400, { right: 'everything' }],
    ['an expiry in the past', 400, { expiresAt: '2001-01-01T00:00:00Z' }],
    ['no downloads at all', 400, { maxDownloads: 0 }],
    ['half a file', 400, { maxFiles: 0.5 }],
    ['a label that is too long', 400, { label: 'x'.repeat(101) }],
    ['a path as a file type', 400, { fileTypes: ['../etc'] }],
  ])('is refused: %s', async (_what, status, fields) => {
    expect((await user.client.raw(createLink, { id: folder, ...fields } as never)).status).toBe(status)
  })

  it('is refused: uploads to a file or to the vault', async () => {
    const vaultFolder = (await user.client.call(createFolder, { folderName: 'V', isEncrypted: true })).body.id
    for (const [id, right] of [
      [file, 'upload'],
      [file, 'view-upload'],
      [vaultFolder, 'upload'],
      [vaultFolder, 'preview'],
    ] as const) {
      expect((await user.client.raw(createLink, { id, right })).body).toMatchObject({ code: 'state_conflict' })
    }
    const link = await create({}, vaultFolder)
    expect((await user.client.raw(updateLink, { linkId: link.id, right: 'upload' })).status).toBe(409)
  })
})
