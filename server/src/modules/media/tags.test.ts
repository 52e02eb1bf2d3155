import { getThumbnail } from '@alcove/contract/bytes'
import { renameFile } from '@alcove/contract/files'
import { copyItems } from '@alcove/contract/item-calls'
import { getMediaTags, listAudio, listVideo } from '@alcove/contract/media'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WorkProcessDiedError } from '../../platform/processes/work-process.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { makeFlac, makeMp3 } from '../../testing/factories/music.ts'
import { colorAt, drawTestPicture } from '../../testing/factories/pictures.ts'
import type { TestUser } from '../../testing/factories/users.ts'
import { recordVideo, withFfmpeg } from '../../testing/factories/videos.ts'
import { readMedia } from './read-media.ts'

// Reading has the lowest priority, so it is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let app: TestApp
let user: TestUser
let cover: Buffer
const never = new AbortController().signal

beforeAll(async () => {
  app = await createTestApp(withFfmpeg)
  cover = await drawTestPicture(80, 80).png().toBuffer()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

const upload = async (name: string, content: Buffer<ArrayBuffer> | string) =>
  (await user.client.upload(name, content)).id
const read = () => readMedia(app.services, never)
const list = async (call: typeof listAudio | typeof listVideo = listAudio) => (await user.client.call(call, {})).body

/** Returns how many files are read until none is left to read. */
async function countReads(): Promise<number> {
  const reading = vi.spyOn(app.services.mediaReader, 'read')
  await read()
  const times = reading.mock.calls.length
  reading.mockRestore()
  return times
}

describe('music tags', () => {
  const tags = { title: 'Dia de folga', artist: 'Ana Moura', album: 'Desfado', track: '7/17' }

  it.each([
    ['mp3', makeMp3],
    ['flac', makeFlac],
  ])('reads the tags of an %s file in the background and shows them in lists', async (extension, make) => {
    const name = `a.${extension}`
    const id = await upload(name, make({ ...tags, cover }, 3))
    expect((await list())[0]).not.toHaveProperty('title')
    await read()
    const [track] = await list()
    expect(track).toMatchObject({ id, filename: name, title: 'Dia de folga', artist: 'Ana Moura', album: 'Desfado' })
    expect(track).toMatchObject({ track: 7, hasCover: true })
    expect(track?.duration).toBeCloseTo(3, 1)
  })

  it('returns the tags of a file to its owner only, on any plan', async () => {
    const free = await app.createUser()
    const { id } = await free.client.upload('a.mp3', makeMp3({ ...tags, cover }, 3))
    expect((await free.client.call(getMediaTags, { id })).body).toEqual({})
    await read()
    const { title, artist, album } = tags
    expect((await free.client.call(getMediaTags, { id })).body).toEqual({ title, artist, album, hasCover: true })
    expect((await user.client.call(getMediaTags, { id })).status).toBe(404)
    const text = await free.client.upload('a.txt', 'x')
    expect((await free.client.call(getMediaTags, { id: text.id })).status).toBe(404)
  })

  it('detects the format from the content, and finds no tags in unreadable files', async () => {
    await upload('1.wav', makeFlac({ title: 'A FLAC' }))
    await upload('2.mp3', '')
    await upload('3.flac', 'no music at all')
    await upload('4.mp3', makeMp3({ title: 'Whole', cover }).subarray(0, 60))
    await upload('5.ogg', Buffer.from(await drawTestPicture(9, 9).jpeg().toBuffer()))
    await read()
    const tracks = await list()
    expect(tracks[0]).toMatchObject({ title: 'A FLAC' })
    for (const track of tracks.slice(1)) expect(track).not.toHaveProperty('hasCover')
    expect(await countReads()).toBe(0)
  })

  it('reduces tags to one line of limited length without control characters', async () => {
    await upload('a.mp3', makeMp3({ title: 'x'.repeat(1_500_000), artist: 'a\0b\r\nc\u202ed', album: '\ud800 \n' }))
    await read()
    const [track] = await list()
    expect(track?.title).toBe('x'.repeat(300))
    expect(track?.artist).not.toMatch(/[\0\r\n\u202e]/)
    expect(track?.album?.isWellFormed() ?? true).toBe(true)
  })

  it('reads the tags of a renamed file and its copies once', async () => {
    const id = await upload('a.bin', makeMp3({ title: 'One' }))
    expect(await countReads()).toBe(0)
    await user.client.call(renameFile, { oldFilename: 'a.bin', newName: 'a.mp3' })
    expect(await countReads()).toBe(1)
    await user.client.call(copyItems, { itemIds: [id], targetFolderId: null })
    expect(await countReads()).toBe(0)
    expect((await list()).map(({ title }) => title)).toEqual(['One', 'One'])
    const unread = await app.services.db
      .selectFrom('items')
      .select('id')
      .where('media', 'is not', null)
      .where('media_read_at', 'is', null)
      .execute()
    expect(unread).toEqual([])
  })

  it('does not retry a file that crashes the reading process', async () => {
    await upload('a.mp3', makeMp3({ title: 'Deadly' }))
    const reading = vi
      .spyOn(app.services.mediaReader, 'read')
      .mockRejectedValue(new WorkProcessDiedError('out of memory'))
    await read()
    reading.mockRestore()
    expect(await countReads()).toBe(0)
    expect((await list())[0]).not.toHaveProperty('title')
  })

  it('retries a file if no process could be started', async () => {
    await upload('a.mp3', makeMp3({ title: 'Later' }))
    const reading = vi.spyOn(app.services.mediaReader, 'read').mockRejectedValue(new Error('no process'))
    await expect(read()).rejects.toThrow('no process')
    reading.mockRestore()
    await read()
    expect((await list())[0]).toMatchObject({ title: 'Later' })
  })

  it('stops reading tags when the server stops', async () => {
    await upload('a.mp3', makeMp3())
    const stopping = new AbortController()
    const reading = vi.spyOn(app.services.mediaReader, 'read').mockReturnValue(new Promise(() => {}))
    const work = readMedia(app.services, stopping.signal)
    setTimeout(() => stopping.abort(), 50)
    await work
    reading.mockRestore()
    expect(await countReads()).toBe(1)
  })
})

describe('music covers', () => {
  it.each([
    ['mp3', makeMp3],
    ['flac', makeFlac],
  ])('uses the cover of an %s file as its thumbnail', async (extension, make) => {
    const id = await upload(`a.${extension}`, make({ cover }))
    const response = await user.client.raw(getThumbnail, { id, size: 256 })
    expect(response.status).toBe(200)
    expect((await sharp(response.bytes).metadata()).width).toBe(80)
    const [red] = await colorAt(response.bytes, 0.5, 0.2)
    expect(red).toBeGreaterThan(200)
  })

  it.each([
    ['a file without a cover', makeMp3({ title: 'x' })],
    [
      'a cover that is no supported picture',
      makeMp3({ cover: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
    ],
    ['a file that is no music', Buffer.from('no music')],
    ['an empty file', Buffer.alloc(0)],
  ])('returns no thumbnail for %s', async (_why, content) => {
    const id = await upload('a.mp3', content)
    expect((await user.client.raw(getThumbnail, { id })).status).toBe(415)
    await read()
    expect((await user.client.raw(getThumbnail, { id })).status).toBe(415)
  })

  it('does not try to make a thumbnail of a file that is known to have no cover', async () => {
    const id = await upload('a.mp3', makeMp3())
    await read()
    const make = vi.spyOn(app.services.thumbnails, 'make')
    expect((await user.client.raw(getThumbnail, { id })).status).toBe(415)
    expect(make).not.toHaveBeenCalled()
    make.mockRestore()
  })
})

const film = withFfmpeg ? describe : describe.skip
film(withFfmpeg ? 'the duration of a video' : 'the duration of a video (skipped: ffmpeg is not on PATH)', () => {
  it.each(['mp4', 'mkv', 'webm', 'avi', 'flv', 'mpg', 'mov'])(
    'reads the duration of a file in %s format',
    async (extension) => {
      await upload(`a.${extension}`, Buffer.from(await recordVideo(extension)))
      await read()
      const [video] = await list(listVideo)
      expect(video?.duration).toBeGreaterThan(3.8)
      expect(video?.duration).toBeLessThan(4.3)
    },
  )
})

describe('a server without ffprobe', () => {
  it('reads the tags of music', async () => {
    const other = await createTestApp({ programPath: '' })
    try {
      const listener = await other.createUser({ planName: '2 TB Annually' })
      await listener.client.upload('a.mp3', makeMp3({ title: 'Alone' }))
      await readMedia(other.services, never)
      expect((await listener.client.call(listAudio, {})).body[0]).toMatchObject({ title: 'Alone' })
    } finally {
      await other.close()
    }
  })
})
