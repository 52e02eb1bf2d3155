import { randomUUID } from 'node:crypto'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { addFavorite } from '@alcove/contract/favorites'
import { getStorage, moveFile, renameFile, trashFile } from '@alcove/contract/files'
import { copyItems } from '@alcove/contract/item-calls'
import { updatePublicLink } from '@alcove/contract/sharing'
import { deleteFile, restoreFile } from '@alcove/contract/trash'
import { completeUpload } from '@alcove/contract/uploads'
import {
  deleteVersion,
  deleteVersions,
  listVersions,
  renameVersion,
  restoreVersion,
  type Version,
} from '@alcove/contract/versions'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkCounters } from '../../commands/verify.ts'
import { TestClient } from '../../testing/clients/client.ts'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { app, download, makeFolder, setUpDrive, switchToNewUser, user } from '../../testing/factories/drive.ts'
import { addManyVersions } from '../../testing/factories/many-versions.ts'
import { noteDamage } from '../storage/index.ts'
import { removeQueuedBlobs } from '../storage/remove-blobs.ts'
import { deleteIdenticalVersions } from './identical-versions.ts'
import { thinVersions } from './thin-versions.ts'

const DAY = 86_400_000
// Sessions outlive the years that the tests skip.
setUpDrive({ sessionTtl: 10_000 * DAY, sessionMaxAge: 10_000 * DAY })

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** Uploads a file onto its own name. */
async function save(content: string, fields: Record<string, string | boolean> = {}, client = user.client) {
  return client.upload('report.txt', content, { totalSize: content.length, onConflict: 'replace', ...fields })
}

async function history(id: string): Promise<Version[]> {
  return (await user.client.call(listVersions, { id })).body.versions
}

async function readVersion(id: string, versionId: string): Promise<string> {
  const { url } = (await user.client.call(getDownloadUrl, { id, versionId })).body
  const { pathname, search } = new URL(url)
  const response = await app.visitor.request({ method: 'GET', url: pathname + search })
  expect(response.status).toBe(200)
  return response.bytes.toString()
}

async function textsOf(id: string): Promise<string[]> {
  return Promise.all((await history(id)).map((version) => readVersion(id, version.id)))
}

async function storage() {
  const { used_bytes, version_bytes } = (await user.client.call(getStorage, {})).body
  return { used_bytes, version_bytes }
}

async function expectRightCounters(): Promise<void> {
  const lines: string[] = []
  await checkCounters(app.services.db, (line) => lines.push(line))
  expect(lines.join('\n')).not.toContain(user.email)
}

describe('replacing a file', () => {
  it('keeps the old bytes as a version, while id, link, favorite mark and folder stay', async () => {
    const file = await save('first', { lastModified: '2011-06-05T04:03:02.001Z' })
    const { link } = (await user.client.call(updatePublicLink, { id: file.id, enabled: true })).body
    await user.client.call(addFavorite, { itemType: 'file', itemId: file.id })
    app.clock.advance(1000)
    const replaced = await save('second one')
    expect(replaced).toMatchObject({ id: file.id, size: 10, isFavorite: true, isShared: true })
    expect(replaced).not.toHaveProperty('thinnedBytes')

    const { body } = await user.client.call(listVersions, { id: file.id })
    expect(body).toMatchObject({ total: 1, nextCursor: null, currentName: null })
    expect(body.versions).toEqual([
      {
        id: expect.any(String),
        size: 5,
        sha256: 'a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e',
        modifiedAt: '2011-06-05T04:03:02.001Z',
        createdAt: new Date(app.clock.now()).toISOString(),
        author: user.email,
        device: 'Unknown device',
        name: null,
        isDamaged: false,
      },
    ])
    expect(await textsOf(file.id)).toEqual(['first'])
    expect((await download('report.txt')).toString()).toBe('second one')
    const shared = await app.visitor.request({ method: 'GET', url: `/api/public/${link.split('/').at(-1)}/content` })
    expect(shared.bytes.toString()).toBe('second one')
    expect(await storage()).toEqual({ used_bytes: 15, version_bytes: 5 })
    await expectRightCounters()
  })

  it('lists ten versions after ten replacements, newest first, page by page', async () => {
    const { id } = await save('0')
    for (let count = 1; count <= 10; count++) await save(String(count))
    expect(await textsOf(id)).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0'])
    const first = (await user.client.call(listVersions, { id, limit: 4 })).body
    const second = (await user.client.call(listVersions, { id, limit: 4, cursor: first.nextCursor as string })).body
    const third = (await user.client.call(listVersions, { id, limit: 4, cursor: second.nextCursor as string })).body
    expect([first, second, third].map(({ versions }) => versions.length)).toEqual([4, 4, 2])
    expect([first.total, third.nextCursor]).toEqual([10, null])
    const ids = [first, second, third].flatMap(({ versions }) => versions.map((version) => version.id))
    expect(ids).toEqual((await history(id)).map((version) => version.id))
  })

  it.each([
    ['a small file', 'x'.repeat(100)],
    ['a file whose digest is computed later', 'x'.repeat(100_000)],
  ])('makes no version of identical bytes of %s, but takes the new date', async (_, content) => {
    const { id } = await save(content, { lastModified: '2011-01-01T00:00:00.000Z' })
    const again = await save(content, { lastModified: '2012-01-01T00:00:00.000Z' })
    expect(again).toMatchObject({ id, modifiedAt: '2012-01-01T00:00:00.000Z' })
    expect(await history(id)).toEqual([])
    expect(await storage()).toEqual({ used_bytes: content.length, version_bytes: 0 })
    await removeQueuedBlobs(app.services)
    expect((await download('report.txt')).length).toBe(content.length)
    await expectRightCounters()
  })

  it('makes no version of identical bytes that arrive in chunks, and returns the same file when completed again', async () => {
    const { id } = await save('same bytes')
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'report.txt', chunkIndex: 0, totalChunks: 1 }, 'same bytes')
    for (let time = 0; time < 2; time++) {
      const { status, body } = await user.client.call(completeUpload, { uploadId, onConflict: 'replace' })
      expect([status, body.id]).toEqual([201, id])
    }
    expect(await history(id)).toEqual([])
    await removeQueuedBlobs(app.services)
    expect((await download('report.txt')).toString()).toBe('same bytes')
    await expectRightCounters()
  })

  it('repairs a file whose bytes are damaged when the same bytes arrive', async () => {
    const { id } = await save('precious')
    const blobOf = async () => {
      const items = app.services.db.selectFrom('items').select('blob_key').where('id', '=', id)
      return (await items.executeTakeFirstOrThrow()).blob_key as string
    }
    const damaged = await blobOf()
    await noteDamage(app.services.db, damaged, app.clock.now())
    await save('precious')
    expect(await blobOf()).not.toBe(damaged)
    expect(await history(id)).toEqual([])
    await removeQueuedBlobs(app.services)
    expect((await download('report.txt')).toString()).toBe('precious')
    await expectRightCounters()
  })

  it('keeps no history if versions are switched off', async () => {
    const { id } = await save('old')
    const retention = app.services.config.versionRetention
    Object.assign(app.services.config, { versionRetention: 0 })
    try {
      await save('new bytes')
    } finally {
      Object.assign(app.services.config, { versionRetention: retention })
    }
    expect(await history(id)).toEqual([])
    expect(await storage()).toEqual({ used_bytes: 9, version_bytes: 0 })
  })

  it('keeps every version of concurrent replacements', async () => {
    const { id } = await save('start')
    await Promise.all(Array.from({ length: 20 }, (_, index) => save(`save ${index}`)))
    expect(new Set(await textsOf(id)).size).toBe(20)
    await expectRightCounters()
  })
})

describe('a burst of saves by one device', () => {
  /** A client with the session of the user and another device. */
  function clientOn(userAgent: string): TestClient {
    const inject: ConstructorParameters<typeof TestClient>[0]['inject'] = (request) =>
      app.app.inject({ ...request, headers: { ...request.headers, 'user-agent': userAgent } })
    return new TestClient({ inject }, user.token)
  }

  let chrome: TestClient
  beforeEach(() => {
    chrome = clientOn(CHROME)
  })

  it('is one version a minute, and keeps the bytes from before the burst', async () => {
    const { id } = await save('before', {}, chrome)
    for (let second = 0; second < 100; second += 10) {
      await save(`at ${second}`, {}, chrome)
      app.clock.advance(10_000)
    }
    expect(await textsOf(id)).toEqual(['at 50', 'before'])
    expect((await history(id))[0]).toMatchObject({ device: 'Chrome on Windows' })
    expect((await download('report.txt')).toString()).toBe('at 90')
    await expectRightCounters()
  })

  it('never includes bytes that another device stored, that were restored, or that a person chose to replace', async () => {
    const { id } = await save('one', {}, chrome)
    await save('two', {}, chrome)
    await save('other device', {}, clientOn('rclone/v1.70'))
    await save('unknown device')
    await save('unknown device again')
    await save('three', {}, chrome)
    expect(await textsOf(id)).toEqual(['unknown device again', 'unknown device', 'other device', 'two', 'one'])
    const other = (await history(id))[2]
    await chrome.call(restoreVersion, { id, versionId: other?.id as string })
    await save('four', {}, chrome)
    await save('five', { keepReplaced: true }, chrome)
    await save('six', {}, chrome)
    expect(await textsOf(id)).toEqual([
      ...['five', 'four', 'other device', 'three', 'unknown device again', 'unknown device', 'two', 'one'],
    ])
  })
})

describe('restoring a version', () => {
  it('makes a version of the current bytes, takes no space, and can be undone', async () => {
    const { id } = await save('first', { lastModified: '2001-01-01T00:00:00.000Z' })
    await save('second one')
    const [first] = await history(id)
    const before = await storage()
    const restored = (await user.client.call(restoreVersion, { id, versionId: first?.id as string })).body
    expect(restored).toMatchObject({ id, size: 5, modifiedAt: '2001-01-01T00:00:00.000Z' })
    expect((await download('report.txt')).toString()).toBe('first')
    expect(await textsOf(id)).toEqual(['second one'])
    expect(await storage()).toEqual({ used_bytes: before.used_bytes, version_bytes: 10 })

    await user.client.call(restoreVersion, { id, versionId: restored.replacedVersionId as string })
    expect((await download('report.txt')).toString()).toBe('second one')
    expect(await textsOf(id)).toEqual(['first'])
    await expectRightCounters()
  })

  it('leaves the history as it was when it is undone', async () => {
    const { id } = await save('0')
    for (let count = 1; count <= 5; count++) await save(String(count))
    const before = await history(id)
    const third = before[2]?.id as string
    const { replacedVersionId } = (await user.client.call(restoreVersion, { id, versionId: third })).body
    app.clock.advance(5000)
    await user.client.call(restoreVersion, { id, versionId: before[4]?.id as string })
    expect(await textsOf(id)).toEqual(['5', '4', '3', '2', '1'])
    await user.client.call(restoreVersion, { id, versionId: replacedVersionId as string })
    expect(await history(id)).toEqual(before)
    // Other bytes end the turn of a version that was restored.
    await user.client.call(restoreVersion, { id, versionId: third })
    await save('6')
    expect(await textsOf(id)).toEqual(['2', '5', '4', '3', '1', '0'])
    await expectRightCounters()
  })

  it('can be repeated, and keeps the id of the version', async () => {
    const { id } = await save('first')
    await save('second')
    const versionId = (await history(id))[0]?.id as string
    const responses = [1, 2, 3].map(() => user.client.call(restoreVersion, { id, versionId }))
    const restored = (await Promise.all(responses)).map(({ status, body }) => [status, body.replacedVersionId])
    const [second] = await history(id)
    expect(restored).toEqual([1, 2, 3].map(() => [200, second?.id]))
    await user.client.call(restoreVersion, { id, versionId: second?.id as string })
    expect((await history(id)).map((version) => version.id)).toEqual([versionId])
    await expectRightCounters()
  })

  it('keeps the name of a version while its bytes are the current ones', async () => {
    const { id } = await save('draft')
    await save('rewrite')
    const versionId = (await history(id))[0]?.id as string
    expect((await user.client.call(renameVersion, { id, versionId, name: ' before the rewrite ' })).body.name).toBe(
      'before the rewrite',
    )
    await user.client.call(restoreVersion, { id, versionId })
    expect((await user.client.call(listVersions, { id })).body.currentName).toBe('before the rewrite')
    await save('again')
    expect((await history(id)).map(({ name }) => name)).toEqual(['before the rewrite', null])
  })

  it('changes nothing if the file already has these bytes', async () => {
    const { id } = await save('same')
    await save('other')
    await save('same')
    const oldest = (await history(id)).at(-1)
    const { body } = await user.client.call(restoreVersion, { id, versionId: oldest?.id as string })
    expect(body.replacedVersionId).toBe(null)
    expect(await textsOf(id)).toEqual(['other', 'same'])
  })

  it('refuses a damaged version, marks it, and leaves the others usable', async () => {
    const { id } = await save('one')
    await save('two')
    await save('three')
    const [two, one] = await history(id)
    const row = await app.services.db
      .selectFrom('versions')
      .select('blob_key')
      .where('id', '=', two?.id as string)
      .executeTakeFirstOrThrow()
    await noteDamage(app.services.db, row.blob_key, app.clock.now())
    expect((await history(id)).map(({ isDamaged }) => isDamaged)).toEqual([true, false])
    const refused = await user.client.call(restoreVersion, { id, versionId: two?.id as string })
    expect(refused).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    expect((await user.client.call(restoreVersion, { id, versionId: one?.id as string })).status).toBe(200)
    expect((await download('report.txt')).toString()).toBe('one')
  })
})

describe('work in the background', () => {
  it('deletes versions whose bytes turn out to be the same, once their digests are known', async () => {
    const { id } = await save('same')
    await save('other')
    await save('same again')
    await save('last')
    const { db } = app.services
    const rows = await db.selectFrom('versions').selectAll().where('item_id', '=', id).orderBy('created_at').execute()
    // As if all of them were too large to be compared when they arrived.
    const digests = ['a', 'a', 'b']
    for (const [index, { blob_key }] of rows.entries()) {
      await db
        .updateTable('blobs')
        .set({ sha256: digests[index] as string })
        .where('key', '=', blob_key)
        .execute()
    }
    await deleteIdenticalVersions(app.services, rows[1]?.blob_key as string)
    expect(await textsOf(id)).toEqual(['same again', 'other'])
    await expectRightCounters()
  })

  it('thins out the versions of files that nobody changes any more', async () => {
    const { id } = await save('one')
    for (const content of ['two', 'three', 'four']) {
      app.clock.advance(60_000)
      await save(content)
    }
    app.clock.advance(3 * DAY)
    await thinVersions(app.services, new AbortController().signal)
    expect(await textsOf(id)).toEqual(['three'])
    app.clock.advance(400 * DAY)
    await thinVersions(app.services, new AbortController().signal)
    expect(await textsOf(id)).toEqual([])
    await expectRightCounters()
  })

  it('restores a version in the same number of statements, however many there are', async () => {
    const count = async (versions: number) => {
      await switchToNewUser({})
      const { id } = await save('current')
      const latest = app.clock.now() - 1000
      await addManyVersions(app.services, { ownerId: user.id, itemId: id, count: versions, every: 1000, latest })
      const versionId = (await history(id)).at(-1)?.id as string
      return countStatements(async () => {
        expect((await user.client.call(restoreVersion, { id, versionId })).status).toBe(200)
      })
    }
    expect(await count(1)).toBeGreaterThan(4)
    expect(await count(500)).toBe(await count(1))
  })
})

describe('the calls of versions', () => {
  it('answer 404 for another user, another file, an unknown id, and a folder', async () => {
    const { id } = await save('one')
    await save('two')
    const versionId = (await history(id))[0]?.id as string
    const other = await user.client.upload('other.txt', 'x')
    const folder = await makeFolder('folder')
    const stranger = await app.createUser()
    const attempts: [TestClient, string, string][] = [
      [stranger.client, id, versionId],
      [user.client, other.id, versionId],
      [user.client, folder.id, versionId],
      [user.client, id, randomUUID()],
    ]
    for (const [client, fileId, version] of attempts) {
      const input = { id: fileId, versionId: version }
      expect((await client.call(restoreVersion, input)).status).toBe(404)
      expect((await client.call(renameVersion, { ...input, name: 'x' })).status).toBe(404)
      expect((await client.call(deleteVersion, input)).status).toBe(404)
      expect((await client.call(getDownloadUrl, input)).status).toBe(404)
    }
    expect((await stranger.client.call(listVersions, { id })).status).toBe(404)
    expect((await user.client.call(listVersions, { id: folder.id })).status).toBe(404)
    expect(await textsOf(id)).toEqual(['one'])
  })

  it('reject long and invisible names, and remove a name with null', async () => {
    const { id } = await save('one')
    await save('two')
    const versionId = (await history(id))[0]?.id as string
    for (const name of ['x'.repeat(101), 'a\u0000b', 'a\u202eb', 7]) {
      expect((await user.client.raw(renameVersion, { id, versionId, name })).status).toBe(400)
    }
    expect((await user.client.call(renameVersion, { id, versionId, name: '😀'.repeat(100) })).status).toBe(200)
    expect((await user.client.call(renameVersion, { id, versionId, name: null })).body.name).toBe(null)
  })

  it('delete one version and free its space, once', async () => {
    const { id } = await save('one')
    await save('second')
    await save('third')
    const [second] = await history(id)
    const input = { id, versionId: second?.id as string }
    expect((await user.client.call(deleteVersion, input)).body.message).toBe('The version was deleted.')
    expect((await user.client.call(deleteVersion, input)).status).toBe(404)
    expect(await textsOf(id)).toEqual(['one'])
    expect(await storage()).toEqual({ used_bytes: 8, version_bytes: 3 })
    await expectRightCounters()
  })

  it('delete all versions except named ones', async () => {
    const { id } = await save('keep me')
    await save('two')
    await user.client.call(renameVersion, { id, versionId: (await history(id))[0]?.id as string, name: 'mine' })
    await save('three')
    const { body } = await user.client.call(deleteVersions, {})
    expect(body).toMatchObject({ freedBytes: 3 })
    expect(await textsOf(id)).toEqual(['keep me'])
    expect(await storage()).toEqual({ used_bytes: 12, version_bytes: 7 })
    await expectRightCounters()
  })

  it('refuse a download URL that was changed to another version', async () => {
    const { id } = await save('one')
    await save('two')
    await save('three')
    const [two, one] = await history(id)
    const url = new URL((await user.client.call(getDownloadUrl, { id, versionId: one?.id as string })).body.url)
    url.searchParams.set('version', two?.id as string)
    expect((await app.visitor.request({ method: 'GET', url: url.pathname + url.search })).status).toBe(403)
    url.searchParams.delete('version')
    expect((await app.visitor.request({ method: 'GET', url: url.pathname + url.search })).status).toBe(403)
  })
})

describe('history', () => {
  it('survives renaming, moving, trash and restore, and is not copied', async () => {
    const { id } = await save('one')
    await save('two')
    const folder = await makeFolder('folder')
    await user.client.call(renameFile, { oldFilename: 'report.txt', newName: 'renamed.txt' })
    await user.client.call(moveFile, { fileId: id, targetFolderId: folder.id })
    await user.client.call(trashFile, { id })
    const hidden = await user.client.call(listVersions, { id })
    expect(hidden).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    expect((await storage()).version_bytes).toBe(3)
    await user.client.call(restoreFile, { id })
    expect(await textsOf(id)).toEqual(['one'])

    const { itemIds } = (await user.client.call(copyItems, { itemIds: [id], targetFolderId: folder.id })).body
    expect(await history(itemIds[0] as string)).toEqual([])
    await expectRightCounters()
  })

  it('is deleted with the file for good', async () => {
    const { id } = await save('one')
    await save('two')
    await user.client.call(trashFile, { id })
    await user.client.call(deleteFile, { id })
    expect(await storage()).toEqual({ used_bytes: 0, version_bytes: 0 })
    await removeQueuedBlobs(app.services)
    expect(await app.services.db.selectFrom('versions').select('id').where('item_id', '=', id).execute()).toEqual([])
    await expectRightCounters()
  })

  it('keeps a version whose bytes a deleted copy shared', async () => {
    const { id } = await save('shared bytes')
    const folder = await makeFolder('copies')
    const { itemIds } = (await user.client.call(copyItems, { itemIds: [id], targetFolderId: folder.id })).body
    const copy = itemIds[0] as string
    await save('new')
    await user.client.call(trashFile, { id: copy })
    await user.client.call(deleteFile, { id: copy })
    await removeQueuedBlobs(app.services)
    expect(await textsOf(id)).toEqual(['shared bytes'])
  })

  it('of vault files holds opaque bytes, each with its own check value', async () => {
    const vault = { isEncrypted: true, vaultCheck: 'A'.repeat(22) }
    const { id } = await save('salt, iv, cipher one', vault)
    await save('salt, iv, cipher two', { ...vault, vaultCheck: 'B'.repeat(22) })
    const [first] = await history(id)
    expect(first).toMatchObject({ vaultCheck: 'A'.repeat(22) })
    const restored = (await user.client.call(restoreVersion, { id, versionId: first?.id as string })).body
    expect(restored).toMatchObject({ isEncrypted: true, vaultCheck: 'A'.repeat(22) })
    expect((await history(id))[0]).toMatchObject({ vaultCheck: 'B'.repeat(22) })
  })
})

describe('the retention rule', () => {
  it('keeps all of a day, one an hour for a week, one a day for 90 days, and one a week after', async () => {
    const { id } = await save('0')
    // One replacement each quarter of an hour for two days.
    let count = 0
    for (; count < 4 * 48; count++) {
      app.clock.advance(15 * 60_000)
      await save(String(count + 1))
    }
    const now = app.clock.now()
    const ages = (await history(id)).map(({ createdAt }) => now - Date.parse(createdAt))
    expect(ages.filter((age) => age <= DAY)).toHaveLength(97)
    expect(ages.filter((age) => age > DAY)).toHaveLength(24)

    app.clock.advance(8 * DAY)
    await save('next')
    const afterWeek = (await history(id)).filter(({ createdAt }) => app.clock.now() - Date.parse(createdAt) > DAY)
    expect(afterWeek).toHaveLength(new Set(afterWeek.map(({ createdAt }) => createdAt.slice(0, 10))).size)
    app.clock.advance(120 * DAY)
    await save('later')
    expect((await history(id)).length).toBeLessThanOrEqual(5)
    app.clock.advance(400 * DAY)
    await save('last')
    expect(await textsOf(id)).toEqual(['later'])
    await expectRightCounters()
  })

  it('never removes a named version', async () => {
    const { id } = await save('named')
    await save('two')
    await user.client.call(renameVersion, { id, versionId: (await history(id))[0]?.id as string, name: 'first' })
    app.clock.advance(1000 * DAY)
    await save('three')
    await save('four')
    expect((await textsOf(id)).at(-1)).toBe('named')
  })
})

describe('when space runs out', () => {
  it.each(['in one request', 'in chunks'])('an upload %s removes the oldest versions, and says so', async (way) => {
    await switchToNewUser({ allocatedBytes: 100 })
    const { id } = await save('a'.repeat(20))
    await save('b'.repeat(20))
    app.clock.advance(30 * DAY)
    await save('c'.repeat(20))
    app.clock.advance(2 * DAY)
    await save('d'.repeat(20))
    expect(await storage()).toEqual({ used_bytes: 80, version_bytes: 60 })
    const send = async (content: string) => {
      if (way === 'in one request') return user.client.upload('new.bin', content)
      const fields = { uploadId: randomUUID(), filename: 'new.bin', chunkIndex: 0, totalChunks: 1 }
      const { status } = await user.client.sendChunk({ ...fields, totalSize: content.length }, content)
      expect(status).toBe(200)
      const completed = await user.client.call(completeUpload, { uploadId: fields.uploadId })
      return (await user.client.call(completeUpload, { uploadId: fields.uploadId })).body ?? completed.body
    }
    expect(await send('n'.repeat(30))).toMatchObject({ thinnedBytes: 20 })
    expect(await textsOf(id)).toEqual(['c'.repeat(20), 'b'.repeat(20)])
    expect(await storage()).toEqual({ used_bytes: 90, version_bytes: 40 })
    await expectRightCounters()
  })

  it('named versions and those of the last 24 hours stay, and the upload is refused', async () => {
    await switchToNewUser({ allocatedBytes: 100 })
    const { id } = await save('a'.repeat(20))
    await save('b'.repeat(20))
    await user.client.call(renameVersion, { id, versionId: (await history(id))[0]?.id as string, name: 'mine' })
    app.clock.advance(2 * DAY)
    await save('c'.repeat(20))
    const fields = { uploadId: randomUUID(), filename: 'new.bin', chunkIndex: 0, totalChunks: 1, complete: true }
    const refused = await user.client.sendChunk(fields, 'n'.repeat(50))
    expect(refused).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect(await textsOf(id)).toEqual(['b'.repeat(20), 'a'.repeat(20)])
    expect(await storage()).toEqual({ used_bytes: 60, version_bytes: 40 })
  })
})
