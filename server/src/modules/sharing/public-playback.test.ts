import { createFolder, trashFile } from '@alcove/contract/files'
import { getPublicLink, getPublicPlayback, getPublicPlaylist, updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { recordVideo, withFfmpeg } from '../../testing/factories/videos.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

describe.skipIf(!withFfmpeg)('a shared video that browsers cannot play', () => {
  let app: TestApp
  let user: TestUser
  let film: Buffer<ArrayBuffer>
  beforeAll(async () => {
    app = await createTestApp(withFfmpeg)
    film = Buffer.from(await recordVideo('avi', ['-c:v', 'mpeg4'], 'testsrc2=s=96x64:d=6:r=25'))
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    // Playback works on every plan.
    user = await app.createUser()
  })

  async function share(id: string, settings: { password?: string } = {}): Promise<string> {
    await user.client.call(getPublicLink, { id })
    const { link } = (await user.client.call(updatePublicLink, { id, enabled: true, ...settings })).body
    return link.slice(link.lastIndexOf('/') + 1)
  }
  const fetchPath = (path: string) => app.app.inject({ method: 'GET', url: `/api${path}` })
  const playlistPath = (token: string, query = 'way=encode') => `/public/${token}/playlist?${query}`

  it('serves playlist and segments until the link is disabled or the file is trashed', async () => {
    const { id } = await user.client.upload('film.avi', film)
    const token = await share(id)
    expect((await app.visitor.call(getPublicPlayback, { token })).body).toEqual({ ways: ['encode'] })
    const list = await fetchPath(playlistPath(token))
    expect(list.statusCode).toBe(200)
    const [segment] = list.body.match(/segments\/.+/) as [string]
    const fetchSegment = () => fetchPath(`/public/${token}/${segment}`)
    expect((await fetchSegment()).headers['content-type']).toBe('video/mp2t')
    await user.client.call(updatePublicLink, { id, enabled: false })
    for (const response of [await fetchSegment(), await fetchPath(playlistPath(token))])
      expect(response.statusCode).toBe(404)
    await user.client.call(updatePublicLink, { id, enabled: true })
    expect((await fetchSegment()).statusCode).toBe(200)
    await user.client.call(trashFile, { id })
    expect((await fetchSegment()).statusCode).toBe(404)
  })

  it('serves videos inside a shared folder and nothing outside it', async () => {
    const folder = (await user.client.call(createFolder, { folderName: 'Films' })).body
    const inside = await user.client.upload('film.avi', film, { folderId: folder.id })
    const outside = await user.client.upload('film.avi', film)
    const token = await share(folder.id)
    const statusOf = async (id: string) => (await fetchPath(playlistPath(token, `way=encode&id=${id}`))).statusCode
    expect(await statusOf(inside.id)).toBe(200)
    expect([await statusOf(outside.id), await statusOf(folder.id)]).toEqual([404, 404])
    expect((await app.visitor.call(getPublicPlayback, { token })).status).toBe(404)
  })

  it('requires the password, and passes the access grant on to the segments', async () => {
    const { id } = await user.client.upload('film.avi', film)
    const token = await share(id, { password: 'Fado12345!' })
    expect((await app.visitor.raw(getPublicPlaylist, { token, way: 'encode' })).status).toBe(403)
    const { body } = await app.visitor.request<{ access: string }>({
      method: 'POST',
      url: `/api/public/${token}/unlock`,
      payload: { password: 'Fado12345!' },
    })
    const list = await fetchPath(playlistPath(token, `way=encode&access=${encodeURIComponent(body.access)}`))
    const [segment] = list.body.match(/segments\/.+/) as [string]
    expect((await fetchPath(`/public/${token}/${segment}`)).statusCode).toBe(200)
    expect((await fetchPath(`/public/${token}/${segment.replace(/&access=[^&]+/, '')}`)).statusCode).toBe(403)
  })

  it('limits the segment requests of an IP address', async () => {
    const limited = await createTestApp({ ...withFfmpeg, rateLimits: true })
    const owner = await limited.createUser()
    const { id } = await owner.client.upload('film.avi', 'no film')
    await owner.client.call(getPublicLink, { id })
    const { link } = (await owner.client.call(updatePublicLink, { id, enabled: true })).body
    const url = `/api/public/${link.slice(link.lastIndexOf('/') + 1)}/segments/0?way=encode`
    const statuses = new Set<number>()
    for (let times = 0; times < 310; times++)
      statuses.add((await limited.app.inject({ method: 'GET', url })).statusCode)
    expect([...statuses].sort()).toEqual([415, 429])
    await limited.close()
  })

  it('returns no playback options for a file that is not a video', async () => {
    const { id } = await user.client.upload('film.avi', 'no film at all')
    const token = await share(id)
    expect((await app.visitor.call(getPublicPlayback, { token })).body).toEqual({ ways: [] })
    expect((await fetchPath(playlistPath(token))).statusCode).toBe(415)
    const text = await share((await user.client.upload('a.txt', 'x')).id)
    expect((await app.visitor.call(getPublicPlayback, { token: text })).status).toBe(404)
  })
})
