import { randomUUID } from 'node:crypto'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { createFolder, moveFile, renameFile, trashFile } from '@alcove/contract/files'
import { STREAM_URL_TTL } from '@alcove/contract/limits'
import { getStreamUrl, listAudio, listSubtitles, listVideo } from '@alcove/contract/media'
import { restoreFile } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

const names = async (call: typeof listAudio | typeof listVideo) =>
  (await user.client.call(call, {})).body.map(({ filename }) => filename)
const fetchUrl = (url: string, headers: Record<string, string> = {}) =>
  app.app.inject({ method: 'GET', url: url.slice(new URL(url).origin.length), headers })

describe('the media library', () => {
  it('lists audio and video files of the drive from all folders in natural order', async () => {
    const folder = (await user.client.call(createFolder, { folderName: 'Albums' })).body
    await user.client.upload('10 last.mp3', 'x', { folderId: folder.id })
    for (const name of [
      '2 second.MP3',
      'a.flac',
      'film.mkv',
      'clip.m4v',
      'cover.jpg',
      'mp3',
      '.mp3',
      '._a.flac',
      '._film.mkv',
    ]) {
      await user.client.upload(name, 'x')
    }
    await user.client.upload('secret.mp3', 'x', { isEncrypted: true })
    expect(await names(listAudio)).toEqual(['2 second.MP3', '10 last.mp3', 'a.flac'])
    expect(await names(listVideo)).toEqual(['clip.m4v', 'film.mkv'])
    const { body } = await user.client.call(listAudio, {})
    expect(body[1]).toEqual({
      id: expect.any(String),
      filename: '10 last.mp3',
      folder_id: folder.id,
      size: 1,
      modifiedAt: expect.any(String),
      updatedAt: expect.any(String),
    })
  })

  it('updates the lists when a file is renamed, trashed, restored or moved', async () => {
    const file = await user.client.upload('a.mp3', 'x')
    await user.client.call(renameFile, { oldFilename: 'a.mp3', newName: 'a.mp4' })
    expect([await names(listAudio), await names(listVideo)]).toEqual([[], ['a.mp4']])
    await user.client.call(trashFile, { id: file.id })
    expect(await names(listVideo)).toEqual([])
    await user.client.call(restoreFile, { id: file.id })
    expect(await names(listVideo)).toEqual(['a.mp4'])
    const folder = (await user.client.call(createFolder, { folderName: 'Films' })).body
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: folder.id })
    expect(await names(listVideo)).toEqual(['a.mp4'])
  })

  it("leaves out other users' files", async () => {
    await (await app.createUser({ planName: '2 TB Annually' })).client.upload('theirs.mp3', 'x')
    expect(await names(listAudio)).toEqual([])
  })

  it.each([listAudio, listVideo])('requires a paid plan for $path', async (call) => {
    const free = await app.createUser()
    expect(await free.client.raw(call, {})).toMatchObject({ status: 403, body: { code: 'plan_required' } })
  })
})

describe('listing subtitles', () => {
  it('returns the subtitle files beside a video that have its name, with their language', async () => {
    const { id } = await user.client.upload('Film.mp4', 'x')
    for (const name of ['Film.vtt', 'film.pt.SRT', 'Fîlm.es.vtt', 'Film.txt', 'Film 2.vtt', 'Other.vtt'])
      await user.client.upload(name, 'x')
    const gone = await user.client.upload('Film.de.vtt', 'x')
    await user.client.call(trashFile, { id: gone.id })
    const folder = (await user.client.call(createFolder, { folderName: 'Elsewhere' })).body
    await user.client.upload('Film.fr.vtt', 'x', { folderId: folder.id })
    const { body } = await user.client.call(listSubtitles, { id })
    expect(body.map(({ filename, label }) => [filename, label])).toEqual([
      ['film.pt.SRT', 'pt'],
      ['Film.vtt', ''],
    ])
  })

  it("returns 404 for another user's video and for a file that is no video", async () => {
    const other = await app.createUser({ planName: '2 TB Annually' })
    const theirs = await other.client.upload('Film.mp4', 'x')
    expect((await user.client.call(listSubtitles, { id: theirs.id })).status).toBe(404)
    const { id } = await user.client.upload('a.jpg', 'x')
    expect((await user.client.call(listSubtitles, { id })).status).toBe(404)
  })
})

describe('the stream URL of a file', () => {
  it('serves the file without a session, whole or in ranges', async () => {
    const { id } = await user.client.upload('a.mp3', '0123456789')
    const { url } = (await user.client.call(getStreamUrl, { id })).body
    const whole = await fetchUrl(url)
    expect([whole.statusCode, whole.body, whole.headers['content-type']]).toEqual([200, '0123456789', 'audio/mpeg'])
    expect(whole.headers['accept-ranges']).toBe('bytes')
    const part = await fetchUrl(url, { range: 'bytes=2-4' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
    expect((await fetchUrl(url, { range: 'bytes=10-' })).statusCode).toBe(416)
    const etag = String(whole.headers.etag)
    expect((await fetchUrl(url, { range: 'bytes=2-4', 'if-range': etag })).statusCode).toBe(206)
    expect((await fetchUrl(url, { range: 'bytes=2-4', 'if-range': '"other"' })).statusCode).toBe(200)
  })

  it('accepts a stream URL for one file only, for six hours and not as a download', async () => {
    const { id } = await user.client.upload('a.mp3', 'one')
    const { id: otherId } = await user.client.upload('b.mp3', 'two')
    const { url } = (await user.client.call(getStreamUrl, { id })).body
    expect((await fetchUrl(url.replace(id, otherId))).statusCode).toBe(403)
    expect((await fetchUrl(url.replace('/stream/', '/download-item/'))).statusCode).toBe(403)
    const download = (await user.client.call(getDownloadUrl, { id })).body.url
    expect((await fetchUrl(download.replace('/download-item/', '/stream/'))).statusCode).toBe(403)
    app.clock.advance(STREAM_URL_TTL - 1)
    expect((await fetchUrl(url)).statusCode).toBe(200)
    app.clock.advance(1)
    expect((await fetchUrl(url)).statusCode).toBe(403)
  })

  it('stops serving a stream URL once its file is in the trash', async () => {
    const { id } = await user.client.upload('a.mp3', 'x')
    const { url } = (await user.client.call(getStreamUrl, { id })).body
    await user.client.call(trashFile, { id })
    expect((await fetchUrl(url)).statusCode).toBe(404)
    expect((await user.client.call(getStreamUrl, { id })).status).toBe(404)
  })

  it.each([
    ['a picture', 'a.jpg', {}],
    ['a vault file', 'a.mp3', { isEncrypted: true }],
  ])('refuses a stream URL for %s', async (_what, name, fields) => {
    const { id } = await user.client.upload(name, 'x', fields)
    expect((await user.client.call(getStreamUrl, { id })).status).toBe(404)
  })

  it("refuses a stream URL for another user's file and on the free plan", async () => {
    const other = await app.createUser({ planName: '2 TB Annually' })
    const { id } = await other.client.upload('a.mp3', 'x')
    expect((await user.client.call(getStreamUrl, { id })).status).toBe(404)
    expect((await user.client.call(getStreamUrl, { id: randomUUID() })).status).toBe(404)
    const free = await app.createUser()
    expect((await free.client.call(getStreamUrl, { id })).status).toBe(403)
  })
})
