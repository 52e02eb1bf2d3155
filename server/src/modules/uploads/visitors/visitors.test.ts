import { randomUUID } from 'node:crypto'
import { type AnyCall, scopes } from '@alcove/contract/call'
import { allCalls } from '@alcove/contract/calls'
import { createFolder, getFolder, listFiles, moveFolder, trashFolder } from '@alcove/contract/files'
import { UPLOAD_TTL } from '@alcove/contract/limits'
import { createLink, deleteLink, type Link, updateLink } from '@alcove/contract/links'
import { listNotices } from '@alcove/contract/notices'
import { unlockPublicLink } from '@alcove/contract/sharing'
import { openSubmission } from '@alcove/contract/submissions'
import { cancelUpload, completeUpload, createFolderPaths, getUpload, verifyUploads } from '@alcove/contract/uploads'
import { beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { app, readStorage, setUpDrive, switchToNewUser, user } from '../../../testing/factories/drive.ts'
import { sweepSubmissions } from '../../sharing/index.ts'

setUpDrive()

let folder: string
beforeEach(async () => {
  folder = (await user.client.call(createFolder, { folderName: 'Wedding' })).body.id
})

const tokenOf = ({ link }: Pick<Link, 'link'>) => link.slice(link.lastIndexOf('/') + 1)
const ask = async (fields: object = {}): Promise<Link> =>
  (await user.client.call(createLink, { id: folder, right: 'upload', ...fields })).body
const visit = async (link: Link, fields: object = {}): Promise<TestClient> =>
  new TestClient(app.app, (await app.visitor.call(openSubmission, { token: tokenOf(link), ...fields })).body.secret)
const send = (visitor: TestClient, filename: string, content: string, fields: Record<string, unknown> = {}) =>
  visitor.sendChunk(
    {
      ...{ uploadId: randomUUID(), filename, chunkIndex: '0', totalChunks: '1', complete: 'true' },
      ...{ totalSize: String(Buffer.byteLength(content)), ...fields },
    } as Record<string, string>,
    content,
  )
const names = async (id = folder) => {
  const { subFolders, files } = (await user.client.call(getFolder, { id })).body
  return [...subFolders.map(({ name }) => `${name}/`), ...files.map(({ name }) => name)].sort()
}
const below = async (name: string, id = folder): Promise<string> => {
  const found = (await user.client.call(getFolder, { id })).body.subFolders.find((sub) => sub.name === name)
  return found?.id as string
}

describe('files that a visitor sends', () => {
  it('arrive in the folder of the link, whole or in chunks, and count for the owner', async () => {
    const visitor = await visit(await ask())
    const sent = await send(visitor, 'a.jpg', 'hello', { lastModified: '2020-01-02T03:04:05Z' })
    expect(sent).toMatchObject({ status: 201, body: { name: 'a.jpg', size: 5, folder_id: null } })
    const uploadId = randomUUID()
    for (const chunkIndex of [0, 1]) {
      const fields = { uploadId, filename: 'b.mov', chunkIndex, totalChunks: 2, totalSize: 10 }
      expect((await visitor.sendChunk(fields as never, '12345')).status).toBe(200)
    }
    expect((await visitor.call(getUpload, { uploadId })).body.received).toEqual([0, 1])
    const { body } = await visitor.call(completeUpload, { uploadId })
    expect(body).toMatchObject({ id: uploadId, name: 'b.mov', size: 10 })
    expect(await names()).toEqual(['a.jpg', 'b.mov'])
    expect(await readStorage()).toEqual({ used_bytes: 15, reserved_bytes: 0 })
    expect((await visitor.call(verifyUploads, { uploadIds: [uploadId] })).body.stored).toEqual([{ uploadId, size: 10 }])
    const files = await send(visitor, 'c.txt', 'x')
    expect(files.status).toBe(201)
    const link = await app.services.db
      .selectFrom('public_links')
      .selectAll()
      .where('item_id', '=', folder)
      .where('is_first', '=', 0)
      .executeTakeFirstOrThrow()
    expect([link.received_files, link.received_bytes]).toEqual([3, 16])
  })

  it('stand beside files of the same name, and the visitor doesn’t learn that', async () => {
    await user.client.upload('plan.txt', 'mine', { folderId: folder })
    const link = await ask()
    for (const visitor of [await visit(link), await visit(link)]) {
      const sent = await send(visitor, 'plan.txt', 'theirs', { onConflict: 'replace' })
      expect(sent).toMatchObject({ status: 201, body: { name: 'plan.txt', filename: 'plan.txt' } })
      expect((await send(visitor, 'plan.txt', 'theirs', { onConflict: 'fail' })).status).toBe(201)
    }
    expect(await names()).toEqual(['plan (1).txt', 'plan (2).txt', 'plan (3).txt', 'plan (4).txt', 'plan.txt'])
  })

  it('keep folders of different visitors apart from each other and from the owner’s', async () => {
    await user.client.call(createFolder, { folderName: 'Day 1', parentFolderId: folder })
    const link = await ask()
    const [ada, bo] = [await visit(link), await visit(link)]
    for (const name of ['1.jpg', '2.jpg']) {
      await send(ada, name, 'ada', { relativePath: `Day 1/am/${name}` })
      await send(bo, name, 'bo', { relativePath: `Day 1/${name}` })
    }
    await ada.call(createFolderPaths, { folderPaths: ['Day 1/empty', 'Day 2'] })
    expect(await names()).toEqual(['Day 1 (1)/', 'Day 1 (2)/', 'Day 1/', 'Day 2/'])
    expect(await names(await below('Day 1'))).toEqual([])
    expect(await names(await below('Day 1 (1)'))).toEqual(['am/', 'empty/'])
    expect(await names(await below('Day 1 (2)'))).toEqual(['1.jpg', '2.jpg'])
  })

  it('go into a folder with the name of the visitor, if the owner wants that', async () => {
    const link = await ask({ folderPerVisitor: true, visitorName: 'required' })
    const nameless = await app.visitor.raw(openSubmission, { token: tokenOf(link), visitorName: ' ' })
    expect(nameless).toMatchObject({ status: 400, body: { code: 'malformed' } })
    const ada = await visit(link, { visitorName: ' Ada\u202e / Bo ' })
    expect(await names()).toEqual([])
    await send(ada, '1.jpg', 'x')
    await send(ada, '2.jpg', 'x', { relativePath: 'deep/2.jpg' })
    await send(await visit(link, { visitorName: 'Ada - Bo' }), '1.jpg', 'x')
    expect(await names()).toEqual(['Ada - Bo (1)/', 'Ada - Bo/'])
    expect(await names(await below('Ada - Bo'))).toEqual(['1.jpg', 'deep/'])
    // If the owner has put a folder away, the next file gets another one.
    await user.client.call(trashFolder, { id: await below('Ada - Bo') })
    await send(ada, '3.jpg', 'x')
    expect(await names(await below('Ada - Bo'))).toEqual(['3.jpg'])
  })

  it('give the owner one notice an hour for each link, which counts them', async () => {
    const link = await ask({ label: 'Guests', visitorName: 'optional' })
    for (const visitorName of ['Ada', 'Bo']) {
      const visitor = await visit(link, { visitorName })
      for (const name of ['1.jpg', '2.jpg']) await send(visitor, name, 'x')
    }
    await send(await visit(await ask()), 'other.jpg', 'x')
    const { notices } = (await user.client.call(listNotices, {})).body
    expect(
      notices.filter(({ kind }) => kind === 'files_received').map(({ count, data }) => ({ count, ...data })),
    ).toEqual([
      { count: 1, folderId: folder, folder: 'Wedding', link: '', visitor: null },
      { count: 4, folderId: folder, folder: 'Wedding', link: 'Guests', visitor: 'Bo' },
    ])
  })

  it('follow the folder when the owner moves it', async () => {
    const visitor = await visit(await ask())
    const target = (await user.client.call(createFolder, { folderName: 'Archive' })).body.id
    await user.client.call(moveFolder, { folderId: folder, targetFolderId: target })
    expect((await send(visitor, 'a', 'x')).status).toBe(201)
    expect(await names()).toEqual(['a'])
  })

  it('lose, merge and halve nothing when a hundred visitors send at once', async () => {
    const link = await ask()
    const visitors = await Promise.all(Array.from({ length: 100 }, () => visit(link)))
    const content = (visitor: number, file: number) => `visitor ${visitor} file ${file}`
    const statuses = await Promise.all(
      visitors.flatMap((visitor, v) =>
        [0, 1, 2].map(
          async (f) =>
            (await send(visitor, 'same.txt', content(v, f), { relativePath: `Photos/${f}/same.txt` })).status,
        ),
      ),
    )
    expect(statuses.every((status) => status === 201)).toBe(true)
    const rows = await app.services.db
      .selectFrom('items')
      .select(['kind', 'size'])
      .where('owner_id', '=', user.id)
      .where('name', 'like', '%same%')
      .execute()
    expect(rows).toHaveLength(300)
    expect((await names()).length).toBe(100)
  })
})

describe('what a visitor may do', () => {
  const allowed = new Set(allCalls.filter(({ isForVisitors }) => isForVisitors).map((call) => call.path))

  it('is sending files, and none of the other calls', async () => {
    expect(scopes).toContain('upload')
    const visitor = await visit(await ask())
    const others = allCalls.filter((call: AnyCall) => call.access !== 'public' && !allowed.has(call.path))
    expect(others.length).toBeGreaterThan(80)
    for (const call of others) {
      const response = await visitor.raw(call, { id: folder })
      expect([call.path, response.status]).toEqual([call.path, call.access === 'admin' ? 404 : 403])
    }
  })

  it('reaches no folder of the owner by its id, and none outside by a path', async () => {
    const elsewhere = (await user.client.call(createFolder, { folderName: 'Elsewhere' })).body.id
    const inside = (await user.client.call(createFolder, { folderName: 'Inside', parentFolderId: folder })).body.id
    const visitor = await visit(await ask())
    for (const id of [elsewhere, inside, randomUUID()]) {
      expect((await send(visitor, 'a.txt', 'x', { folderId: id, parentFolderId: id })).status).toBe(201)
      expect(await names(inside)).toEqual([])
      expect(await names(elsewhere)).toEqual([])
    }
    for (const relativePath of ['../a.txt', '/a.txt', 'a/../../b.txt']) {
      expect((await send(visitor, 'a.txt', 'x', { relativePath })).status).toBe(400)
    }
    expect((await user.client.call(listFiles, {})).body.files).toEqual([])
  })

  it('reaches no upload of the owner or of another visitor', async () => {
    const link = await ask()
    const [ada, bo] = [await visit(link), await visit(link)]
    const begin = async (client: TestClient) => {
      const uploadId = randomUUID()
      const fields = { uploadId, filename: 'x', chunkIndex: 0, totalChunks: 2, totalSize: 4, folderId: folder }
      expect((await client.sendChunk(fields as never, 'ab')).status).toBe(200)
      return uploadId
    }
    for (const uploadId of [await begin(ada), await begin(user.client)]) {
      expect((await bo.raw(getUpload, { uploadId })).status).toBe(404)
      expect((await bo.raw(cancelUpload, { uploadId })).status).toBe(404)
      expect((await bo.raw(completeUpload, { uploadId })).status).toBe(404)
      const chunk = { uploadId, filename: 'x', chunkIndex: 1, totalChunks: 2, totalSize: 4 }
      expect((await bo.sendChunk(chunk as never, 'cd')).status).toBe(404)
      expect((await bo.call(verifyUploads, { uploadIds: [uploadId] })).body).toEqual({ stored: [], gone: [] })
    }
  })
})

describe('the limits of a link', () => {
  const open = (visitor: TestClient, filename: string, totalSize: number | undefined) =>
    visitor.sendChunk(
      { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 2, ...(totalSize && { totalSize }) } as never,
      'x',
    )

  it('refuse a type or a size before any byte is stored', async () => {
    const visitor = await visit(await ask({ fileTypes: ['.JPG', 'png'], maxFileBytes: 100 }))
    expect((await send(visitor, 'a.JPG', 'x')).status).toBe(201)
    expect(await send(visitor, 'a.exe', 'x')).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    expect(await open(visitor, 'b.png', 101)).toMatchObject({ status: 413, body: { code: 'too_large' } })
    expect(await open(visitor, 'c.png', undefined)).toMatchObject({ status: 400 })
    // The type is that of the name in the end.
    const uploadId = randomUUID()
    await visitor.sendChunk({ uploadId, filename: 'd.png', chunkIndex: 0, totalChunks: 1, totalSize: 1 } as never, 'x')
    expect((await visitor.raw(completeUpload, { uploadId, filename: 'd.exe' })).status).toBe(409)
    expect(await names()).toEqual(['a.JPG'])
  })

  it.each([
    ['files', { maxFiles: 3 }],
    ['bytes', { maxBytes: 35 }],
  ])('are never exceeded by parallel uploads: %s', async (_what, limits) => {
    const link = await ask(limits)
    const visitors = await Promise.all(Array.from({ length: 10 }, () => visit(link)))
    const statuses = await Promise.all(visitors.map(async (visitor) => (await send(visitor, 'a', '0123456789')).status))
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(statuses.filter((status) => status === 507)).toHaveLength(7)
    expect(await readStorage()).toEqual({ used_bytes: 30, reserved_bytes: 0 })
  })

  it('count what is on its way, and give it back when it is cancelled', async () => {
    const link = await ask({ maxBytes: 100 })
    const [ada, bo] = [await visit(link), await visit(link)]
    const uploadId = randomUUID()
    const fields = { uploadId, filename: 'x', chunkIndex: 0, totalChunks: 2, totalSize: 80 }
    expect((await ada.sendChunk(fields as never, 'ab')).status).toBe(200)
    expect((await open(bo, 'y', 30)).status).toBe(507)
    await ada.call(cancelUpload, { uploadId })
    expect((await open(bo, 'y', 30)).status).toBe(200)
  })

  it('tell a visitor nothing of the owner’s storage but that it is full, and cost no earlier version', async () => {
    await switchToNewUser({ allocatedBytes: 1000 })
    folder = (await user.client.call(createFolder, { folderName: 'Full' })).body.id
    const visitor = await visit(await ask())
    const refused = await send(visitor, 'a', 'x'.repeat(1001))
    expect(refused).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect(refused.body.message).toMatch(/^The owner’s storage is full/)
    expect(refused.body).not.toHaveProperty('missingBytes')
  })
})

describe('a link that ends', () => {
  it.each<[string, (link: Link) => Promise<unknown>]>([
    ['disabled', (link) => user.client.call(updateLink, { linkId: link.id, enabled: false })],
    ['deleted', (link) => user.client.call(deleteLink, { linkId: link.id })],
    ['changed to viewing', (link) => user.client.call(updateLink, { linkId: link.id, right: 'view' })],
    ['given a password', (link) => user.client.call(updateLink, { linkId: link.id, password: 'x' })],
    ['in the trash', () => user.client.call(trashFolder, { id: folder })],
  ])('refuses its visitors at once when it is %s, and keeps what they sent', async (_how, end) => {
    const link = await ask()
    const visitor = await visit(link)
    await send(visitor, 'kept.txt', 'x')
    await end(link)
    expect(await send(visitor, 'late.txt', 'x')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    const kept = await app.services.db
      .selectFrom('items')
      .select('id')
      .where('name', '=', 'kept.txt')
      .where('owner_id', '=', user.id)
      .execute()
    expect(kept).toHaveLength(1)
  })

  it('needs its password, and another password ends what was begun', async () => {
    const link = await ask({ password: 'first' })
    const token = tokenOf(link)
    expect((await app.visitor.raw(openSubmission, { token })).body).toMatchObject({ code: 'password_required' })
    const { access } = (await app.visitor.call(unlockPublicLink, { token, password: 'first' })).body
    const visitor = await visit(link, { access })
    expect((await send(visitor, 'a', 'x')).status).toBe(201)
    await user.client.call(updateLink, { linkId: link.id, password: 'second' })
    expect((await send(visitor, 'a', 'x')).status).toBe(401)
  })

  it('is forgotten with its visitors, if they sent nothing', async () => {
    const link = await ask()
    await send(await visit(link), 'a', 'x')
    await visit(link)
    const { db } = app.services
    const count = async () =>
      (await db.selectFrom('submissions').select('id').where('link_id', '=', link.id).execute()).length
    await sweepSubmissions(app.services)
    expect(await count()).toBe(2)
    app.clock.advance(3 * UPLOAD_TTL)
    await sweepSubmissions(app.services)
    expect(await count()).toBe(1)
  })

  it('accepts no files if it only shows something, and no made-up secret', async () => {
    const link = await ask({ right: 'view' })
    expect((await app.visitor.raw(openSubmission, { token: tokenOf(link) })).status).toBe(404)
    expect((await send(new TestClient(app.app, 'visit.made-up'), 'a', 'x')).status).toBe(401)
  })
})
