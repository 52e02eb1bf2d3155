import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getThumbnail } from '@alcove/contract/bytes'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findProgram } from '../../../platform/processes/operating-system.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { colorAt, drawTestPicture } from '../../../testing/factories/pictures.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { recordVideo, turnUpright, withFfmpeg } from '../../../testing/factories/videos.ts'

// Thumbnails are drawn at low priority, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

async function upload(user: TestUser, name: string, content: Buffer): Promise<string> {
  return (await user.client.upload(name, new Uint8Array(content))).id
}

function get(user: TestUser, id: string, size = 256) {
  return user.client.raw(getThumbnail, { id, size })
}

async function describePicture(bytes: Buffer) {
  const { format, width, height } = await sharp(bytes).metadata()
  return { format, width, height }
}

async function expectMiddle(bytes: Buffer, expected: number[]): Promise<void> {
  const color = await colorAt(bytes, 0.5, 0.5)
  for (const [index, value] of expected.entries()) expect(Math.abs((color[index] as number) - value)).toBeLessThan(40)
}

const red = [255, 0, 0]
const blue = [0, 0, 255]

/** A short video of noise, which hardly compresses. */
const NOISE = 'color=gray:s=640x360:d=0.4,noise=alls=100:allf=t'
const LARGE = ['-c:v', 'mpeg4', '-q:v', '1']

const suite = withFfmpeg ? describe : describe.skip
suite(withFfmpeg ? 'the thumbnail of a video' : 'the thumbnail of a video (skipped: ffmpeg is not on PATH)', () => {
  let app: TestApp
  let user: TestUser
  beforeAll(async () => {
    app = await createTestApp(withFfmpeg)
    user = await app.createUser()
  })
  afterAll(() => app.close())

  it.each([
    ['mp4', []],
    ['m4v', []],
    ['mov', []],
    ['webm', []],
    ['mkv', []],
    ['avi', []],
    ['flv', []],
    ['mpg', []],
    ['mpeg', []],
    ['ogv', []],
    ['3gp', ['-c:v', 'mpeg4']],
  ])('draws a frame from a few seconds into the video as WebP (%s)', async (extension, options) => {
    const response = await get(user, await upload(user, `a.${extension}`, await recordVideo(extension, options)))
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('image/webp')
    expect(await describePicture(response.bytes)).toEqual({ format: 'webp', width: 64, height: 48 })
    await expectMiddle(response.bytes, blue)
  })

  it('draws the first frame of a short video', async () => {
    const id = await upload(user, 'short.mp4', await recordVideo('mp4', [], 'color=red:s=64x64:d=1'))
    await expectMiddle((await get(user, id)).bytes, red)
  })

  it('returns the requested size of a large video but never enlarges it', async () => {
    const large = await recordVideo('mp4', LARGE, NOISE)
    expect(large.length).toBeGreaterThan(100_000)
    const id = await upload(user, 'large.mp4', large)
    for (const [size, width, height] of [
      [256, 341, 192],
      [512, 640, 360],
      [1280, 640, 360],
    ] as const) {
      expect(await describePicture((await get(user, id, size)).bytes)).toMatchObject({ width, height })
    }
  })

  it('applies the rotation and the pixel aspect ratio of the video', async () => {
    const upright = await upload(user, 'upright.mp4', turnUpright(await recordVideo('mp4')))
    expect(await describePicture((await get(user, upright)).bytes)).toMatchObject({ width: 48, height: 64 })
    const wide = await upload(user, 'wide.mkv', await recordVideo('mkv', ['-vf', 'setsar=2']))
    expect(await describePicture((await get(user, wide)).bytes)).toMatchObject({ width: 128, height: 48 })
  })

  it('detects the file type from the content, not from the name', async () => {
    const photo = await drawTestPicture(60, 60).jpeg().toBuffer()
    expect(await describePicture((await get(user, await upload(user, 'photo.mp4', photo))).bytes)).toMatchObject({
      width: 60,
      height: 60,
    })
    const named = await upload(user, 'film.jpg', await recordVideo('webm'))
    await expectMiddle((await get(user, named)).bytes, blue)
  })

  it('draws a frame of a video with sound and of a truncated video', async () => {
    const withSound = ['-f', 'lavfi', '-i', 'sine=d=4', '-shortest']
    const id = await upload(user, 'sound.mp4', await recordVideo('mp4', withSound))
    await expectMiddle((await get(user, id)).bytes, blue)
    const whole = await recordVideo('mkv', LARGE, NOISE)
    const part = await upload(user, 'part.mkv', whole.subarray(0, whole.length / 2))
    expect((await get(user, part)).status).toBe(200)
  })

  it.each([
    ['an empty file', () => Buffer.alloc(0)],
    ['a text file', () => Buffer.from('no video')],
    ['a playlist that refers to a file on the server', () => Buffer.from(playlist('file:///etc/passwd'))],
    [
      'a concat list that refers to a file on the server',
      () => Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n'),
    ],
    ['an MP4 file without its index', async () => (await recordVideo('mp4')).subarray(0, 1200)],
    ['the first bytes of a video', async () => (await recordVideo('mkv')).subarray(0, 100)],
    [
      'a file with sound only',
      () => recordVideo('m4a', ['-vn', '-f', 'mp4', '-c:a', 'aac'], 'sine=d=2[out0];color=red:d=1[out1]'),
    ],
    ['music with a cover', recordMusic],
  ])('returns 415 for %s with the extension of a video', async (_what, content) => {
    const id = await upload(user, 'a.mp4', await content())
    const response = await get(user, id)
    expect(response.status).toBe(415)
    expect(response.body).toEqual({
      code: 'no_thumbnail',
      error: 'This file has no thumbnail.',
      message: 'This file has no thumbnail.',
    })
    expect((await get(user, id, 512)).status).toBe(415)
  })
})

function playlist(address: string): string {
  return `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${address}\n#EXT-X-ENDLIST\n`
}

function recordMusic(): Promise<Buffer> {
  const cover = ['-f', 'lavfi', '-i', 'sine=d=2', '-map', '1:a', '-map', '0:v', '-c:v', 'mjpeg', '-frames:v', '1']
  return recordVideo('mp4', [...cover, '-disposition:v', 'attached_pic', '-c:a', 'aac'])
}

describe('ffmpeg', () => {
  let app: TestApp
  let folder: string
  afterEach(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  /** Creates an app that finds this shell script as ffmpeg, or no ffmpeg at all. */
  async function openWith(script: string | undefined): Promise<TestUser> {
    folder = await mkdtemp(join(tmpdir(), 'alcove-programs-'))
    if (script !== undefined) await writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    await writeFile(join(folder, 'index.html'), '<meta name="alcove-video-thumbnails" content="" />')
    app = await createTestApp({ programPath: folder }, { webDirectory: folder })
    return app.createUser()
  }

  const start = Buffer.from('\x1a\x45\xdf\xa3 and so on', 'latin1')
  const readPage = async () => (await app.app.inject({ url: '/profile', headers: { accept: 'text/html' } })).body
  const countTried = async () => (await app.services.db.selectFrom('thumbnails').select('size').execute()).length

  it('returns 415 without ffmpeg, starts no process and stores no failure', async () => {
    const user = await openWith(undefined)
    expect(await readPage()).toContain('content="no"')
    const make = vi.spyOn(app.services.thumbnails, 'make')
    const response = await get(user, await upload(user, 'a.mkv', start))
    expect(response.status).toBe(415)
    expect(response.body).toMatchObject({ code: 'no_thumbnail' })
    expect(make).not.toHaveBeenCalled()
    expect((await get(user, await upload(user, 'a.jpg', start))).status).toBe(415)
    expect(await countTried()).toBe(0)
  })

  it.skipIf(!withFfmpeg)('stores no failure when ffmpeg is broken, and succeeds once it works', async () => {
    const user = await openWith('exit 127')
    expect(await readPage()).toContain('content="yes"')
    const id = await upload(user, 'a.mkv', await recordVideo('mkv'))
    expect((await get(user, id)).status).toBe(415)
    await rm(join(folder, 'ffmpeg'))
    expect((await get(user, id)).status).toBe(415)
    expect(await countTried()).toBe(0)
    await symlink(findProgram('ffmpeg', withFfmpeg?.programPath ?? '') as string, join(folder, 'ffmpeg'))
    expect((await get(user, id)).status).toBe(200)
  })

  it.skipIf(process.platform !== 'linux')(
    'runs ffmpeg with limited memory, low priority and no settings, and ends it on close',
    async () => {
      const seen = join(await mkdtemp(join(tmpdir(), 'alcove-seen-')), 'seen')
      const metadata = '$$ $(ulimit -d) $(nice) $(env | grep -c -i -e secret -e alcove -e path) $(cat /dev/fd/3)'
      const user = await openWith(`echo "${metadata}" >${seen}.new; mv ${seen}.new ${seen}; exec sleep 600`)
      const id = await upload(user, 'a.mkv', start)
      const response = get(user, id)
      const read = () => readFile(seen, 'latin1').catch(() => '')
      await expect.poll(read, { timeout: 30_000 }).not.toBe('')
      const [pid, memory, priority, settings, ...content] = (await read()).split(' ')
      expect([memory, priority, settings]).toEqual([String(1536 * 1024), '15', '0'])
      expect(content.join(' ').trim()).toBe(start.toString('latin1'))
      await app.services.thumbnails.close()
      expect((await response).status).toBe(503)
      await expect.poll(() => isRunning(Number(pid)), { timeout: 10_000 }).toBe(false)
    },
  )
})

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !stat.includes(') Z ')
}
