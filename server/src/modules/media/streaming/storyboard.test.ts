import { getStreamUrl } from '@alcove/contract/media'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { colorAt } from '../../../testing/factories/pictures.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { recordVideo, withFfmpeg } from '../../../testing/factories/videos.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Red for 6 seconds, then blue for 6. */
const FILM = 'color=red:s=64x36:d=6[a];color=blue:s=64x36:d=6[b];[a][b]concat'

describe.skipIf(!withFfmpeg)('the storyboard of a video', () => {
  let app: TestApp
  let user: TestUser
  beforeAll(async () => {
    app = await createTestApp(withFfmpeg)
    user = await app.createUser({ planName: '2 TB Annually' })
  })
  afterAll(() => app.close())

  const fetchFrom = (url: string) => app.app.inject({ method: 'GET', url: url.slice(new URL(url).origin.length) })
  async function storyboardOf(name: string, film: Buffer): Promise<string | undefined> {
    const { id } = await user.client.upload(name, Buffer.from(film))
    return (await user.client.call(getStreamUrl, { id })).body.storyboard
  }

  it('shows a picture for each second, ten per sheet', async () => {
    const sound = ['-f', 'lavfi', '-i', 'sine=440:d=12', '-map', '0:v', '-map', '1:a', '-c:a', 'ac3']
    const storyboard = (await storyboardOf('film.mkv', await recordVideo('mkv', sound, FILM))) as string
    const list = await fetchFrom(storyboard)
    expect([list.statusCode, list.headers['content-type']]).toEqual([200, 'text/vtt'])
    const cues = list.body.split('\n\n').slice(1)
    expect(cues.length).toBe(12)
    expect(cues[7]).toMatch(/^00:00:07\.000 --> 00:00:08\.000\nsheets\/0\?.*#xywh=320,90,160,90$/)
    expect(cues[11]).toMatch(/^00:00:11\.000 --> 00:00:12\.\d+\nsheets\/1\?.*#xywh=160,0,160,90/)
    const first = await fetchFrom(storyboard.replace('/storyboard?', '/sheets/0?'))
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(await sharp(first.rawPayload).metadata()).toMatchObject({ width: 800, height: 180 })
    expect((await colorAt(first.rawPayload, 0.1, 0.25))[0]).toBeGreaterThan(200)
    expect((await colorAt(first.rawPayload, 0.5, 0.75))[2]).toBeGreaterThan(200)
    const second = await fetchFrom(storyboard.replace('/storyboard?', '/sheets/1?'))
    expect((await colorAt(second.rawPayload, 0.1, 0.5))[2]).toBeGreaterThan(200)
    expect((await fetchFrom(storyboard.replace('/storyboard?', '/sheets/2?'))).statusCode).toBe(404)
  })

  it('covers a long film with 120 pictures of its key frames', async () => {
    const film = await recordVideo(
      'mp4',
      ['-g', '75'],
      'color=red:s=64x36:d=300:r=5[a];color=blue:s=64x36:d=300:r=5[b];[a][b]concat',
    )
    const storyboard = (await storyboardOf('film.mp4', film)) as string
    const cues = (await fetchFrom(storyboard)).body.split('\n\n').slice(1)
    expect(cues.length).toBe(120)
    const early = await fetchFrom(storyboard.replace('/storyboard?', '/sheets/1?'))
    const late = await fetchFrom(storyboard.replace('/storyboard?', '/sheets/11?'))
    expect((await colorAt(early.rawPayload, 0.1, 0.25))[0]).toBeGreaterThan(200)
    expect((await colorAt(late.rawPayload, 0.9, 0.75))[2]).toBeGreaterThan(200)
  })

  it('accepts storyboard URLs for one video only, and makes none for files without video', async () => {
    const storyboard = (await storyboardOf('one.mkv', await recordVideo('mkv', [], FILM))) as string
    const { id } = await user.client.upload('other.mkv', Buffer.from(await recordVideo('mkv', [], FILM)))
    for (const path of ['/storyboard?', '/sheets/0?']) {
      const url = storyboard.replace('/storyboard?', path)
      expect((await fetchFrom(url.replace(/stream\/[^/]+/, `stream/${id}`))).statusCode).toBe(403)
    }
    expect(await storyboardOf('no film.mkv', Buffer.from('no film at all'))).toBeUndefined()
    const sound = await recordVideo('mkv', ['-f', 'lavfi', '-i', 'sine=440:d=3', '-map', '1:a', '-c:a', 'aac'])
    expect(await storyboardOf('sound.mkv', sound)).toBeUndefined()
  })
})
