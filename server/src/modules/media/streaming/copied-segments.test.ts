import { getStreamUrl } from '@alcove/contract/media'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TIME_OFFSET } from '../../../platform/media/cut-segment.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { findDecodeErrors, readPacketTimes, recordVideo, withFfmpeg } from '../../../testing/factories/videos.ts'
import { readMedia } from '../read-media.ts'

// Reading and encoding have the lowest priority, so they are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const FILM = 'testsrc2=s=96x64:d=18:r=25'
const SOUND = ['-f', 'lavfi', '-i', 'sine=440:d=18:sample_rate=44100', '-map', '0:v', '-map', '1:a']
/** A key frame every 70 frames, as cameras and encoders set them, and frames that are decoded in another order than shown. */
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '70', '-bf', '2']
const SAMPLES: Record<string, [extension: string, options: string[]]> = {
  'Matroska with AC-3': ['mkv', ['-c:a', 'ac3']],
  'Matroska with AAC': ['mkv', ['-c:a', 'aac']],
  'Flash with AAC': ['flv', ['-c:a', 'aac']],
  'QuickTime with PCM': ['mov', ['-c:a', 'pcm_s16le']],
  'MPEG-TS with MP2': ['mpg', ['-c:a', 'mp2', '-f', 'mpegts']],
}
/** Open GOPs: some frames after a key frame are shown before it, and need the frames before it too. */
const OPEN = ['-c:a', 'ac3', '-x264opts', 'open-gop=1:keyint=70:bframes=3']
const never = new AbortController().signal

describe.skipIf(!withFfmpeg)('a film with H.264 video in a container or with audio that browsers cannot play', () => {
  let app: TestApp
  let user: TestUser
  beforeAll(async () => {
    app = await createTestApp(withFfmpeg)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    user = await app.createUser({ planName: '2 TB Annually' })
  })

  const fetchFrom = (url: string) => app.app.inject({ method: 'GET', url: url.slice(new URL(url).origin.length) })
  async function store(name: string, film: Buffer) {
    const { id } = await user.client.upload(name, Buffer.from(film))
    await readMedia(app.services, never)
    return (await user.client.call(getStreamUrl, { id })).body
  }
  async function fetchSegments(playlist: string): Promise<{ lengths: number[]; segments: Buffer[] }> {
    const text = (await fetchFrom(playlist)).body
    const lengths = [...text.matchAll(/#EXTINF:([\d.]+),/g)].map(([, length]) => Number(length))
    const segments: Buffer[] = []
    for (const index of lengths.keys()) {
      const response = await fetchFrom(playlist.replace('/playlist?', `/segments/${index}?`))
      expect(response.statusCode).toBe(200)
      segments.push(response.rawPayload)
    }
    return { lengths, segments }
  }

  async function expectWhole(segments: readonly Buffer[]): Promise<void> {
    expect(await findDecodeErrors(Buffer.concat(segments))).toBe('')
    const pictures = (await Promise.all(segments.map((segment) => readPacketTimes(segment, 'v')))).flat()
    expect(pictures.length).toBe(18 * 25)
    expect(new Set(pictures.map((time) => time.toFixed(2))).size).toBe(18 * 25)
    const sound = (await Promise.all(segments.map((segment) => readPacketTimes(segment, 'a')))).flat()
    const gaps = sound.slice(1).map((time, index) => time - (sound[index] as number))
    expect(Math.max(...gaps)).toBeLessThan(0.03)
    expect(Math.min(...gaps)).toBeGreaterThan(0.01)
  }

  it.each(Object.entries(SAMPLES))(
    'remuxes %s in segments that start at key frames, without missing or duplicate frames',
    async (_, sample) => {
      const [extension, options] = sample
      const film = await recordVideo(extension, [...SOUND, ...H264, ...options], FILM)
      const { playlists } = await store(`film.${extension}`, film)
      expect(playlists.map((playlist) => new URL(playlist).searchParams.get('way'))).toEqual(['copy', 'encode'])
      const { lengths, segments } = await fetchSegments(playlists[0] as string)
      for (const length of lengths.slice(0, 3)) expect(length).toBeCloseTo(5.6, 0)
      // Each segment can be decoded by itself and begins where the playlist says.
      expect(await findDecodeErrors(segments[2] as Buffer)).toBe('')
      expect((await readPacketTimes(segments[2] as Buffer, 'v'))[0]).toBeCloseTo(TIME_OFFSET + 11.2, 1)
      await expectWhole(segments)
    },
  )

  it('keeps all frames of a film with open GOPs', async () => {
    const film = await recordVideo('mkv', [...SOUND, ...H264, ...OPEN], FILM)
    const { playlists } = await store('film.mkv', film)
    await expectWhole((await fetchSegments(playlists[0] as string)).segments)
  })

  it('transcodes a film if its key frames are too far apart or not known yet', async () => {
    const film = await recordVideo('mkv', [...SOUND, ...H264, '-g', '10000'], 'testsrc2=s=96x64:d=30:r=25')
    const { playlists } = await store('film.mkv', film)
    expect(playlists.map((playlist) => new URL(playlist).searchParams.get('way'))).toEqual(['encode'])
    const { id } = await user.client.upload('new.mkv', Buffer.from(await recordVideo('mkv', H264, FILM)))
    const requested = async () => (await user.client.call(getStreamUrl, { id })).body.playlists.length
    expect(await requested()).toBe(1)
    await readMedia(app.services, never)
    expect(await requested()).toBe(2)
  })
})
