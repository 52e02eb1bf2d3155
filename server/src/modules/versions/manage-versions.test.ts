import { randomUUID } from 'node:crypto'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { deleteVersion, deleteVersions, listVersions, renameVersion, restoreVersion } from '@alcove/contract/versions'
import { describe, expect, it } from 'vitest'
import type { TestClient } from '../../testing/clients/client.ts'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { app, download, makeFolder, user } from '../../testing/factories/drive.ts'
import {
  expectRightCounters,
  history,
  save,
  setUpVersions,
  storage,
  textsOf,
} from '../../testing/factories/versions.ts'
import { noteDamage } from '../storage/index.ts'

setUpVersions()

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

  it('delete no version for an app, which could overwrite a file and then leave nothing of it', async () => {
    const { id } = await save('one')
    const client = (await addAppPassword(app, user)).client
    await save('two', {}, client)
    const versionId = (await history(id))[0]?.id as string
    const refused = { status: 403, body: { code: 'forbidden' } }
    expect(await client.raw(deleteVersion, { id, versionId })).toMatchObject(refused)
    expect(await client.raw(deleteVersions, {})).toMatchObject(refused)
    expect(await textsOf(id)).toEqual(['one'])
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
