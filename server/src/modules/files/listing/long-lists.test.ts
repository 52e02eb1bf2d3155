import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { createFolder, getFolder, listFiles } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PagedResult } from '../../../platform/http/paged-result.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addManyItems } from '../../../testing/factories/many-items.ts'
import type { TestUser } from '../../../testing/factories/users.ts'

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
  it.each([0, 1, 4999, 5000, 5001, 10_000, 10_500])('has each of %i files once, in order', async (count) => {
    const { id, names } = await fill(count)
    const { files } = (await user.client.call(listFiles, { folderId: id })).body
    expect(files.map(({ name }) => name)).toEqual(names)
    const folder = (await user.client.call(getFolder, { id })).body
    expect(folder).toMatchObject({ id, name: 'Many', subFolders: [] })
    expect(folder.files).toEqual(files)
  })

  it('is sent in pages to visitors of a link, too', async () => {
    const { id, names } = await fill(5001)
    const { body } = await user.client.call(updatePublicLink, { id, enabled: true })
    const token = body.link.slice(body.link.lastIndexOf('/') + 1)
    const { headers, payload } = await app.app.inject({ url: `/api/public/${token}` })
    // A list that is in memory as a whole has a length.
    expect(headers).not.toHaveProperty('content-length')
    const { files, ...folder } = JSON.parse(payload) as { files: { name: string }[] }
    expect(folder).toMatchObject({ type: 'folder', id, canDownload: true, contents: { files: 5001 }, subFolders: [] })
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

  it('fails if a later page can’t be read, so that nobody takes it for whole', async () => {
    async function* read() {
      yield [1]
      yield [2]
      throw new Error('the database has gone')
    }
    const opened = await new PagedResult('whole', read()).open((value) => value)
    await expect(text(opened as Readable)).rejects.toThrow('the database has gone')
  })
})
