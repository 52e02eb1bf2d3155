import { getPlayback, getStreamUrl, listAudio } from '@alcove/contract/media'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { readPacketTimes, recordVideo, withFfmpeg } from '../../../testing/factories/videos.ts'
import { readMedia } from '../read-media.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const SOUND = 'sine=440:d=12:sample_rate=44100'
const SAMPLES: Record<string, string[]> = {
  'ALAC in m4a': ['m4a', '-c:a', 'alac'],
  WMA: ['wma', '-c:a', 'wmav2'],
  AIFF: ['aiff', '-c:a', 'pcm_s16be'],
  'ADPCM in wav': ['wav', '-c:a', 'adpcm_ms'],
}
const never = new AbortController().signal

/** Records ffmpeg's test tone in the container that the extension names. */
const recordSound = ([extension = '', ...options]: readonly string[]) =>
  recordVideo(extension, ['-f', 'lavfi', '-i', SOUND, '-map', '1:a', '-map', '-0:v', ...options])

describe.skipIf(!withFfmpeg)('music that browsers cannot play', () => {
  let app: TestApp
  let user: TestUser
  beforeAll(async () => {
    app = await createTestApp(withFfmpeg)
    user = await app.createUser({ planName: '2 TB Annually' })
  })
  afterAll(() => app.close())
  const fetchFrom = (url: string) => app.app.inject({ method: 'GET', url: url.slice(new URL(url).origin.length) })

  it.each(Object.entries(SAMPLES))(
    'lists %s in the library and converts it into HLS segments without gaps',
    async (what, sample) => {
      const { id } = await user.client.upload(`${what}.${sample[0]}`, Buffer.from(await recordSound(sample)))
      await readMedia(app.services, never)
      expect((await user.client.call(listAudio, {})).body.map((track) => track.id)).toContain(id)
      const { kind, playlists, storyboard } = (await user.client.call(getStreamUrl, { id })).body
      expect([kind, playlists.length, storyboard]).toEqual(['hls', 1, undefined])
      const playlist = playlists[0] as string
      expect((await fetchFrom(playlist)).body.match(/segments\/\d/g)).toEqual([
        'segments/0',
        'segments/1',
        'segments/2',
      ])
      const segment = async (index: number) =>
        readPacketTimes((await fetchFrom(playlist.replace('/playlist?', `/segments/${index}?`))).rawPayload, 'a')
      const [first, second] = [await segment(0), await segment(1)]
      expect(second.length).toBe(225)
      expect((second[0] as number) - (first.at(-1) as number)).toBeCloseTo(1024 / 48_000, 3)
    },
  )

  it('detects the format from the content, and plays previews on any plan', async () => {
    const { id } = await user.client.upload('hidden.mp3', Buffer.from(await recordSound(SAMPLES.AIFF as string[])))
    await readMedia(app.services, never)
    expect((await user.client.call(getStreamUrl, { id })).body).toMatchObject({ kind: 'hls' })
    const free = await app.createUser()
    const theirs = await free.client.upload('a.wma', Buffer.from(await recordSound(SAMPLES.WMA as string[])))
    const [playlist] = (await free.client.call(getPlayback, { id: theirs.id })).body.playlists
    expect((await fetchFrom((playlist as string).replace('/playlist?', '/segments/0?'))).statusCode).toBe(200)
    expect((await user.client.call(getPlayback, { id: theirs.id })).status).toBe(404)
    expect((await free.client.call(getStreamUrl, { id: theirs.id })).status).toBe(403)
  })

  it.each([
    ['contains something else', 'a.wma', 'no music'],
    ['is empty', 'a.ape', ''],
    ['consists of a header only', 'a.aiff', 'FORM\0\0\x10\0AIFFCOMM'],
  ])('reports a file as unplayable if it %s', async (_what, name, content) => {
    const { id } = await user.client.upload(name, content)
    expect((await user.client.call(getStreamUrl, { id })).body).toMatchObject({ kind: 'unplayable', playlists: [] })
    expect((await user.client.call(getPlayback, { id })).body).toEqual({ playlists: [] })
  })
})

it('reports music that browsers cannot play as unplayable without ffmpeg', async () => {
  const app = await createTestApp()
  const user = await app.createUser({ planName: '2 TB Annually' })
  const { id } = await user.client.upload('a.wma', 'x')
  expect((await user.client.call(getStreamUrl, { id })).body).toMatchObject({ kind: 'unplayable', playlists: [] })
  expect((await user.client.call(getPlayback, { id })).body).toEqual({ playlists: [] })
  await app.close()
})
