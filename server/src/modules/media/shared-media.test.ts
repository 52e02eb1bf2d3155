import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getThumbnail } from '@alcove/contract/bytes'
import { createFolder, moveFile, trashFile, trashFolder } from '@alcove/contract/files'
import {
  createPlaylist,
  getMediaTags,
  getPlayback,
  getStreamUrl,
  listAudio,
  listPlaylists,
  listSubtitles,
  listVideo,
  updatePlaylist,
} from '@alcove/contract/media'
import { removeMember } from '@alcove/contract/members'
import { endOtherSessions } from '@alcove/contract/sessions'
import { restoreFolder } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { countStatements } from '../../testing/engines/item-scans.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { addManyItems } from '../../testing/factories/many-items.ts'
import { addTestMember, type TestMember } from '../../testing/factories/shares.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { recordVideo, withFfmpeg } from '../../testing/factories/videos.ts'

let app: TestApp
let owner: TestUser
let member: TestMember
let outer: string
let folder: string
let inner: string

beforeAll(async () => {
  app = await createTestApp(withFfmpeg)
})
afterAll(() => app.close())
beforeEach(async () => {
  // The owner is on the free plan.
  owner = await app.createUser()
  const make = async (folderName: string, parentFolderId?: string) =>
    (await owner.client.call(createFolder, { folderName, parentFolderId })).body.id
  outer = await make('Private')
  folder = await make('Trip', outer)
  inner = await make('Day 1', folder)
  member = await addTestMember(app, owner, folder, 'viewer', await app.createUser({ planName: '2 TB Annually' }))
})

const upload = async (name: string, folderId = inner, content: string | Buffer<ArrayBuffer> = 'x') =>
  (await owner.client.upload(name, content, { folderId })).id
const names = async (call: typeof listAudio | typeof listVideo = listAudio) =>
  (await member.client.call(call, {})).body.map(({ filename }) => filename)
const remove = () => owner.client.call(removeMember, { id: folder, memberId: member.memberId })
const follow = (url: string) => app.app.inject({ method: 'GET', url: url.slice(new URL(url).origin.length) })
const streamOf = async (id: string) => (await member.client.call(getStreamUrl, { id })).body

describe('the library of a member', () => {
  it('has own and shared music and videos in one order', async () => {
    const shared = await upload('9 shared.mp3')
    await upload('outside.mp3', outer)
    const own = await member.client.upload('10 own.mp3', 'x')
    const film = await upload('film.mp4', folder)
    const sharedBy = { email: owner.email, displayName: null, role: 'viewer' }
    const { body } = await member.client.call(listAudio, {})
    expect(body).toMatchObject([
      { id: shared, filename: '9 shared.mp3', folder_id: inner, sharedBy },
      { id: own.id, filename: '10 own.mp3', folder_id: null },
    ])
    expect(body[1]).not.toHaveProperty('sharedBy')
    expect((await member.client.call(listVideo, {})).body).toMatchObject([{ id: film, folder_id: folder, sharedBy }])
  })

  it('has each file once where folders inside each other are both shared', async () => {
    await upload('a.mp3')
    await addTestMember(app, owner, inner, 'editor', member)
    expect((await member.client.call(listAudio, {})).body).toMatchObject([{ sharedBy: { role: 'editor' } }])
  })

  it('ends with the membership, and while a file or the folder is elsewhere or in the trash', async () => {
    const id = await upload('a.mp3')
    await owner.client.call(trashFolder, { id: outer })
    expect(await names()).toEqual([])
    await owner.client.call(restoreFolder, { id: outer })
    await owner.client.call(moveFile, { fileId: id, targetFolderId: outer })
    expect(await names()).toEqual([])
    await owner.client.call(moveFile, { fileId: id, targetFolderId: folder })
    expect(await names()).toEqual(['a.mp3'])
    await remove()
    expect(await names()).toEqual([])
  })

  it('needs the plan of the member, not of the owner', async () => {
    const id = await upload('a.mp3')
    expect((await owner.client.call(getStreamUrl, { id })).body).toMatchObject({ code: 'plan_required' })
    expect((await member.client.call(getStreamUrl, { id })).status).toBe(200)
    const free = await addTestMember(app, owner, folder, 'editor')
    for (const call of [getStreamUrl, listAudio]) {
      expect((await free.client.raw(call, { id })).body).toMatchObject({ code: 'plan_required' })
    }
    for (const call of [getPlayback, getMediaTags]) expect((await free.client.call(call, { id })).status).toBe(200)
  })

  it('reads only the shared folder of an owner with very many tracks', async () => {
    const many = Array.from({ length: 20_000 }, (_unused, index) => `track ${index}.mp3`)
    await addManyItems(app.services, { ownerId: owner.id, folderId: outer, names: many })
    await upload('a.mp3')
    expect(await names()).toEqual(['a.mp3'])
    expect(await countStatements(() => names())).toBeLessThan(10)
  }, 60_000)
})

describe('a stream of a member', () => {
  it('ends with the membership, and when the file leaves the folder', async () => {
    const id = await upload('a.mp3', inner, 'music')
    const { url } = await streamOf(id)
    expect(new URL(url).searchParams.get('member')).toBe(member.memberId)
    expect((await follow(url)).body).toBe('music')
    // Without the membership in it, or with another, the signature is wrong.
    for (const other of ['', `&member=${randomUUID()}`]) {
      expect((await follow(url.replace(`&member=${member.memberId}`, other))).statusCode).toBe(403)
    }
    await owner.client.call(moveFile, { fileId: id, targetFolderId: outer })
    expect((await follow(url)).statusCode).toBe(404)
    await owner.client.call(moveFile, { fileId: id, targetFolderId: folder })
    expect((await follow(url)).statusCode).toBe(200)
    await remove()
    expect((await follow(url)).statusCode).toBe(403)
    expect((await member.client.call(getStreamUrl, { id })).status).toBe(404)
  })

  it('is not for files outside the folder, strangers and the trash', async () => {
    const [id, outside] = [await upload('a.mp3'), await upload('b.mp3', outer)]
    const stranger = await app.createUser({ planName: '2 TB Annually' })
    for (const call of [getStreamUrl, getPlayback, getMediaTags, listSubtitles]) {
      expect((await member.client.call(call, { id: outside })).status).toBe(404)
      expect((await stranger.client.call(call, { id })).status).toBe(404)
    }
    const { url } = await streamOf(id)
    await owner.client.call(trashFile, { id })
    expect((await follow(url)).statusCode).toBe(404)
    expect((await member.client.raw(getThumbnail, { id })).status).toBe(404)
  })

  it('ends soon after the member is removed in the middle of it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const id = await upload('long.mp3', inner, Buffer.alloc(40_000_000))
      const url = new URL((await streamOf(id)).url)
      await app.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.app.server.address() as AddressInfo
      const response = await new Promise<IncomingMessage>((resolve) =>
        request({ port, host: '127.0.0.1', path: url.pathname + url.search }, resolve).end(),
      )
      response.on('error', () => {})
      // Reads nothing, so the response stays open.
      const ended = new Promise((resolve) => response.once('close', resolve))
      await remove()
      await vi.advanceTimersByTimeAsync(5_000)
      response.resume()
      await ended
      expect(response.complete).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is revoked with the other sessions of the member, not with those of the owner', async () => {
    const { url } = await streamOf(await upload('a.mp3'))
    app.clock.advance(1000)
    await owner.client.call(endOtherSessions, {})
    expect((await follow(url)).statusCode).toBe(200)
    await member.client.call(endOtherSessions, {})
    expect((await follow(url)).statusCode).toBe(403)
  })

  it('finds the subtitles beside a video', async () => {
    const id = await upload('film.mp4')
    await upload('film.pt.srt')
    expect((await member.client.call(listSubtitles, { id })).body).toMatchObject([{ label: 'pt' }])
  })

  it.runIf(withFfmpeg)(
    'converts films segment by segment, until the membership ends',
    async () => {
      const film = Buffer.from(await recordVideo('avi', ['-c:v', 'mpeg4']))
      const id = await upload('film.avi', inner, film)
      const { kind, playlists, storyboard } = await streamOf(id)
      expect(kind).toBe('hls')
      const playlist = playlists.at(-1) as string
      const segment = /segments\/0\?\S+/.exec((await follow(playlist)).body)?.[0]
      const segmentUrl = new URL(segment as string, playlist).href
      expect((await follow(segmentUrl)).statusCode).toBe(200)
      const sheet = /sheets\/0\?[^#\s]+/.exec((await follow(storyboard as string)).body)?.[0]
      const sheetUrl = new URL(sheet as string, storyboard).href
      expect((await follow(sheetUrl)).statusCode).toBe(200)
      const { body } = await member.client.call(getPlayback, { id })
      expect((await follow(body.playlists.at(-1) as string)).statusCode).toBe(200)
      await remove()
      for (const url of [playlist, segmentUrl, storyboard as string, sheetUrl, body.playlists.at(-1) as string]) {
        expect((await follow(url)).statusCode, url).toBe(403)
      }
    },
    60_000,
  )
})

describe('a playlist of a member', () => {
  const create = (track_ids: string[]) => member.client.call(createPlaylist, { name: 'Evening', track_ids })

  it('has own and shared tracks, and keeps those that are no longer shared at their places', async () => {
    const [first, second] = [await upload('a.mp3'), await upload('b.mp3')]
    const own = (await member.client.upload('c.mp3', 'x')).id
    const { status, body } = await create([first, own, first])
    expect(status).toBe(201)
    await remove()
    const update = (track_ids: string[]) => member.client.call(updatePlaylist, { id: body.id, track_ids })
    expect((await update([own, first])).body.track_ids).toEqual([own, first])
    expect((await update([own, first, second])).status).toBe(404)
    expect((await member.client.call(listPlaylists, {})).body).toMatchObject([{ track_ids: [own, first] }])
    expect((await update([own])).status).toBe(200)
    expect((await update([own, first])).status).toBe(404)
  })

  it('takes no tracks from outside the folder, from the trash or of strangers', async () => {
    const [track, outside, film] = [await upload('a.mp3'), await upload('b.mp3', outer), await upload('a.mp4')]
    const trashed = await upload('c.mp3')
    await owner.client.call(trashFile, { id: trashed })
    for (const id of [outside, film, trashed, randomUUID()]) expect((await create([track, id])).status).toBe(404)
    const stranger = await app.createUser({ planName: '2 TB Annually' })
    const theirs = await stranger.client.call(createPlaylist, { name: 'x', track_ids: [track] })
    expect(theirs.status).toBe(404)
    expect((await member.client.call(listPlaylists, {})).body).toEqual([])
  })
})
