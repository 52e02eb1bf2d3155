import { randomUUID } from 'node:crypto'
import { completeUpload } from '@alcove/contract/uploads'
import { renameVersion, restoreVersion } from '@alcove/contract/versions'
import { describe, expect, it } from 'vitest'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { app, switchToNewUser, user } from '../../testing/factories/drive.ts'
import { addManyVersions } from '../../testing/factories/many-versions.ts'
import {
  DAY,
  expectRightCounters,
  history,
  save,
  setUpVersions,
  storage,
  textsOf,
} from '../../testing/factories/versions.ts'
import { deleteIdenticalVersions } from './identical-versions.ts'
import { thinVersions } from './thin-versions.ts'

setUpVersions()

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
