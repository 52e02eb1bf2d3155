import { randomUUID } from 'node:crypto'
import { trashFile } from '@alcove/contract/files'
import { MAX_PLAYLIST_TRACKS } from '@alcove/contract/limits'
import { createPlaylist, deletePlaylist, listPlaylists, updatePlaylist } from '@alcove/contract/media'
import { deleteFile } from '@alcove/contract/trash'
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

const track = async (name: string) => (await user.client.upload(name, 'x')).id
const create = async (name: string, track_ids: string[] = []) =>
  (await user.client.call(createPlaylist, { name, track_ids })).body

describe('playlists', () => {
  it('creates, renames and deletes playlists and lists them by name', async () => {
    const [a, b] = [await track('a.mp3'), await track('b.mp3')]
    const made = await user.client.call(createPlaylist, { name: '  Evening 10 ', track_ids: [b, a, b] })
    expect(made).toMatchObject({ status: 201, body: { name: 'Evening 10', track_ids: [b, a, b] } })
    await create('evening 9')
    const listed = (await user.client.call(listPlaylists, {})).body
    expect(listed.map(({ name }) => name)).toEqual(['evening 9', 'Evening 10'])
    expect(listed[1]).toEqual(made.body)
    const renamed = await user.client.call(updatePlaylist, { id: made.body.id, name: 'Night' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Night', track_ids: [b, a, b] } })
    expect((await user.client.call(deletePlaylist, { id: made.body.id })).status).toBe(200)
    expect((await user.client.call(listPlaylists, {})).body.map(({ name }) => name)).toEqual(['evening 9'])
    expect((await user.client.call(deletePlaylist, { id: made.body.id })).status).toBe(404)
  })

  it('stores the tracks of the latest update in their order', async () => {
    const [a, b, c] = [await track('a.mp3'), await track('b.mp3'), await track('c.mp3')]
    const { id } = await create('Mix', [a])
    expect((await user.client.call(updatePlaylist, { id, track_ids: [a, b, c] })).body.track_ids).toEqual([a, b, c])
    expect((await user.client.call(updatePlaylist, { id, track_ids: [c, a] })).body.track_ids).toEqual([c, a])
    expect((await user.client.call(updatePlaylist, { id, track_ids: [] })).body.track_ids).toEqual([])
  })

  it('rejects an update that is based on an older state, and one of a playlist that is gone', async () => {
    const [a, b] = [await track('a.mp3'), await track('b.mp3')]
    const { body } = await user.client.call(createPlaylist, { name: 'Mix', track_ids: [a] })
    const { id, updatedAt: ifUpdatedAt } = body
    const added = await user.client.call(updatePlaylist, { id, track_ids: [a, b], ifUpdatedAt })
    expect(added.status).toBe(200)
    const late = await user.client.call(updatePlaylist, { id, track_ids: [], ifUpdatedAt })
    expect(late).toMatchObject({ status: 409, body: { code: 'state_conflict' } })
    expect((await user.client.call(listPlaylists, {})).body[0]?.track_ids).toEqual([a, b])
    expect((await user.client.call(updatePlaylist, { id: randomUUID(), track_ids: [], ifUpdatedAt })).status).toBe(404)
  })

  it('keeps the place of a trashed track and drops a deleted one', async () => {
    const [a, b] = [await track('a.mp3'), await track('b.mp3')]
    const { id } = await create('Mix', [a, b])
    await user.client.call(trashFile, { id: a })
    expect((await user.client.call(listPlaylists, {})).body[0]?.track_ids).toEqual([a, b])
    expect((await user.client.call(updatePlaylist, { id, track_ids: [b, a] })).status).toBe(200)
    await user.client.call(deleteFile, { id: a })
    expect((await user.client.call(listPlaylists, {})).body[0]?.track_ids).toEqual([b])
  })

  it('stores one complete list of tracks when updates run concurrently', async () => {
    const tracks = await Promise.all(['a', 'b', 'c', 'd'].map((name) => track(`${name}.mp3`)))
    const { id } = await create('Mix')
    const orders = [tracks, tracks.toReversed()]
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        user.client.call(updatePlaylist, { id, track_ids: orders[turn % 2] as string[] }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(orders).toContainEqual((await user.client.call(listPlaylists, {})).body[0]?.track_ids)
  })

  it('rejects foreign playlists, foreign tracks and files that are no music, and changes nothing', async () => {
    const other = await app.createUser({ planName: '2 TB Annually' })
    const theirs = (await other.client.upload('a.mp3', 'x')).id
    const mine = await track('b.mp3')
    const picture = (await user.client.upload('c.jpg', 'x')).id
    const { id } = await create('Mix', [mine])
    for (const wrong of [theirs, randomUUID(), picture]) {
      const response = await user.client.call(updatePlaylist, { id, name: 'Changed', track_ids: [mine, wrong] })
      expect(response).toMatchObject({ status: 404, body: { error: 'This track was not found.' } })
      expect((await user.client.call(createPlaylist, { name: 'New', track_ids: [wrong] })).status).toBe(404)
    }
    expect((await user.client.call(listPlaylists, {})).body).toMatchObject([{ name: 'Mix', track_ids: [mine] }])
    expect((await other.client.call(updatePlaylist, { id, name: 'Taken' })).status).toBe(404)
    expect((await other.client.call(deletePlaylist, { id })).status).toBe(404)
    expect((await other.client.call(listPlaylists, {})).body).toEqual([])
  })

  it('rejects an empty name, a name that is too long and too many tracks', async () => {
    for (const name of ['', '   ', 'x'.repeat(201)]) {
      expect((await user.client.call(createPlaylist, { name })).status).toBe(400)
    }
    const empty = await user.client.call(createPlaylist, { name: ' ' })
    expect(empty.body).toMatchObject({ error: 'Playlist name cannot be empty.' })
    const many = Array.from({ length: MAX_PLAYLIST_TRACKS + 1 }, () => randomUUID())
    const response = await user.client.call(createPlaylist, { name: 'Mix', track_ids: many })
    expect(response.status).toBe(400)
  })

  it('stores as many tracks as the limit allows', async () => {
    const ids = [await track('a.mp3'), await track('b.mp3')]
    const many = Array.from({ length: MAX_PLAYLIST_TRACKS }, (_, index) => ids[index % 2] as string)
    const { id } = await create('All', many)
    const [listed] = (await user.client.call(listPlaylists, {})).body
    expect(listed).toMatchObject({ id, track_ids: many })
  })
})
