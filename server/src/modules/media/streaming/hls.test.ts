import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trashFile } from '@alcove/contract/files'
import { STREAM_URL_TTL } from '@alcove/contract/limits'
import { getStreamUrl } from '@alcove/contract/media'
import { deleteFile } from '@alcove/contract/trash'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TIME_OFFSET } from '../../../platform/media/cut-segment.ts'
import { findProgram } from '../../../platform/processes/operating-system.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { readPacketTimes, recordVideo, withFfmpeg } from '../../../testing/factories/videos.ts'
import { removeQueuedBlobs } from '../../storage/remove-blobs.ts'
import { sweepSegments } from './hls.ts'

// Encoding has the lowest priority, so it is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const FILM = 'testsrc2=s=96x64:d=12:r=25'
const WITH_SOUND = ['-f', 'lavfi', '-i', 'sine=440:d=12:sample_rate=44100', '-map', '0:v', '-map', '1:a']
const SAMPLES: Record<string, string[]> = {
  avi: ['-c:v', 'mpeg4', '-c:a', 'mp3'],
  mkv: ['-c:v', 'mpeg4', '-c:a', 'ac3'],
  flv: ['-c:v', 'flv', '-c:a', 'mp3', '-ar', '44100'],
  mpg: ['-c:v', 'mpeg1video', '-c:a', 'mp2'],
  '3gp': ['-c:v', 'mpeg4', '-c:a', 'aac'],
  mov: ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le'],
}

const recorded = new Map<string, Promise<Buffer<ArrayBuffer>>>()

/** Records a film once for all tests. */
function record(extension: string, options = SAMPLES[extension] ?? []): Promise<Buffer<ArrayBuffer>> {
  const name = [extension, ...options].join(' ')
  const film =
    recorded.get(name) ?? recordVideo(extension, [...WITH_SOUND, ...options], FILM).then((bytes) => Buffer.from(bytes))
  recorded.set(name, film)
  return film
}

const fetchFrom = (app: TestApp, url: string) =>
  app.app.inject({ method: 'GET', url: url.slice(new URL(url).origin.length) })

const film = withFfmpeg ? describe : describe.skip
film(
  withFfmpeg
    ? 'a video that browsers cannot play'
    : 'a video that browsers cannot play (skipped: ffmpeg is not on PATH)',
  () => {
    let app: TestApp
    let user: TestUser
    beforeAll(async () => {
      app = await createTestApp(withFfmpeg)
    })
    afterAll(() => app.close())
    beforeEach(async () => {
      user = await app.createUser({ planName: '2 TB Annually' })
    })

    async function store(name: string, content: Buffer<ArrayBuffer>) {
      const { id } = await user.client.upload(name, content)
      const { playlists, ...stream } = (await user.client.call(getStreamUrl, { id })).body
      return { id, ...stream, playlist: playlists.at(-1) }
    }
    const segmentUrl = (playlist: string | undefined, index: number) =>
      (playlist ?? '').replace('/playlist?', `/segments/${index}?`)
    async function blobKeyOf(id: string): Promise<string> {
      const file = app.services.db.selectFrom('items').select('blob_key').where('id', '=', id)
      return (await file.executeTakeFirstOrThrow()).blob_key as string
    }
    const listSegments = async () => {
      const root = join(app.dataDir, 'segments')
      const folders = await readdir(root).catch(() => [])
      return (await Promise.all(folders.map((folder) => readdir(join(root, folder))))).flat()
    }

    it.each(Object.keys(SAMPLES))(
      'converts %s into segments that are made independently of each other',
      async (extension) => {
        const { kind, playlist } = await store(`film.${extension}`, await record(extension))
        expect(kind).toBe('hls')
        const list = await fetchFrom(app, playlist as string)
        expect([list.statusCode, list.headers['content-type']]).toEqual([200, 'application/vnd.apple.mpegurl'])
        expect(list.body.match(/segments\/\d/g)).toEqual(['segments/0', 'segments/1', 'segments/2'])
        const before = await listSegments()
        // Requests a segment in the middle without those before it.
        const middle = await fetchFrom(app, segmentUrl(playlist, 1))
        expect([middle.statusCode, middle.headers['content-type']]).toEqual([200, 'video/mp2t'])
        expect((await listSegments()).length).toBe(before.length + 1)
        const pictures = await readPacketTimes(middle.rawPayload, 'v')
        expect(pictures[0]).toBeGreaterThan(TIME_OFFSET + 4.7)
        expect(pictures[0]).toBeLessThan(TIME_OFFSET + 4.9)
        expect(pictures.at(-1)).toBeLessThan(TIME_OFFSET + 9.61)
        expect(pictures.length).toBe(120)
        // The sound of two segments has no gap between them.
        const first = await readPacketTimes((await fetchFrom(app, segmentUrl(playlist, 0))).rawPayload, 'a')
        const second = await readPacketTimes(middle.rawPayload, 'a')
        expect(second.length).toBe(225)
        expect((second[0] as number) - (first.at(-1) as number)).toBeCloseTo(1024 / 48_000, 3)
        const last = await fetchFrom(app, segmentUrl(playlist, 2))
        expect((await readPacketTimes(last.rawPayload, 'v')).at(-1)).toBeGreaterThan(TIME_OFFSET + 11.5)
      },
    )

    it('makes a segment once for concurrent requests and caches it', async () => {
      const { playlist } = await store('film.avi', await record('avi'))
      const open = vi.spyOn(app.services.segments.store, 'keep')
      const ask = () => fetchFrom(app, segmentUrl(playlist, 1))
      const responses = await Promise.all([ask(), ask(), ask()])
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
      expect((await ask()).rawPayload.equals(responses[0]?.rawPayload as Buffer)).toBe(true)
      expect(open).toHaveBeenCalledTimes(1)
      open.mockRestore()
    })

    it('accepts playlist and segment URLs for one file, for six hours and until it is trashed', async () => {
      const { id, playlist } = await store('film.avi', await record('avi'))
      const { id: otherId } = await store('other.avi', await record('avi'))
      const addresses = [playlist as string, segmentUrl(playlist, 0)]
      for (const url of addresses) expect((await fetchFrom(app, url.replace(id, otherId))).statusCode).toBe(403)
      expect((await fetchFrom(app, segmentUrl(playlist, 3))).statusCode).toBe(404)
      expect((await fetchFrom(app, segmentUrl(playlist, 999_999))).statusCode).toBe(404)
      for (const index of ['x', '-1', '1e3', '../0']) {
        const status = (await fetchFrom(app, (playlist ?? '').replace('/playlist?', `/segments/${index}?`))).statusCode
        expect([400, 404]).toContain(status)
      }
      await user.client.call(trashFile, { id })
      for (const url of addresses) expect((await fetchFrom(app, url)).statusCode).toBe(404)
      const [others] = (await user.client.call(getStreamUrl, { id: otherId })).body.playlists
      app.clock.advance(STREAM_URL_TTL)
      expect((await fetchFrom(app, others as string)).statusCode).toBe(403)
      expect((await fetchFrom(app, segmentUrl(others, 0))).statusCode).toBe(403)
    })

    it('removes the cached segments when the video is deleted', async () => {
      const { id, playlist } = await store('gone.avi', await record('avi'))
      await fetchFrom(app, segmentUrl(playlist, 0))
      const blobKey = await blobKeyOf(id)
      const there = () => readdir(join(app.dataDir, 'segments', blobKey)).catch(() => undefined)
      await sweepSegments(app.services)
      expect(await there()).toEqual(['encode-0.ts'])
      await user.client.call(trashFile, { id })
      await user.client.call(deleteFile, { id })
      await removeQueuedBlobs(app.services)
      await expect.poll(there).toBeUndefined()
    })

    it('serves a video that browsers can play as a file, with a playlist as a fallback', async () => {
      for (const [extension, codecs] of [
        ['mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']],
        ['mkv', ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']],
      ] as const) {
        const { kind, playlist } = await store(`film.${extension}`, await record(extension, [...codecs]))
        expect(kind).toBe('file')
        expect((await fetchFrom(app, segmentUrl(playlist, 1))).statusCode).toBe(200)
      }
    })

    it.each([
      ['contains something else', async () => Buffer.from('no film at all')],
      ['is empty', async () => Buffer.alloc(0)],
      ['refers to other files', async () => Buffer.from('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')],
      ['consists of a header only', async () => (await record('avi')).subarray(0, 200)],
    ])('makes no playlist or segment if the file %s', async (_what, content) => {
      const { kind, url, playlist } = await store('film.avi', await content())
      expect(kind).toBe('unplayable')
      expect(playlist).toBeUndefined()
      const requested = `${url.replace('?', '/playlist?')}&way=encode`
      expect((await fetchFrom(app, requested)).statusCode).toBe(415)
      expect((await fetchFrom(app, segmentUrl(requested, 0))).statusCode).toBe(415)
    })

    it('refuses a video that claims to last for weeks', async () => {
      const { id, playlist } = await store('film.avi', await record('avi'))
      const metadata = app.services.db.updateTable('media_facts').set({ duration: 30 * 86_400 })
      await metadata.where('blob_key', '=', await blobKeyOf(id)).execute()
      expect((await fetchFrom(app, playlist as string)).statusCode).toBe(415)
      expect((await fetchFrom(app, segmentUrl(playlist, 0))).statusCode).toBe(415)
      expect((await user.client.call(getStreamUrl, { id })).body).toMatchObject({ kind: 'unplayable' })
    })

    it('plays a truncated video up to its end and refuses the missing segments', async () => {
      const whole = await record('avi')
      const { playlist } = await store('film.avi', whole.subarray(0, whole.length / 2))
      expect((await fetchFrom(app, segmentUrl(playlist, 0))).statusCode).toBe(200)
      const beyond = await fetchFrom(app, segmentUrl(playlist, 2))
      expect([404, 415]).toContain(beyond.statusCode)
    })
  },
)

describe('ffmpeg failures', () => {
  let app: TestApp
  let folder: string
  async function openWith(ffmpeg: string | undefined): Promise<string> {
    folder = await mkdtemp(join(tmpdir(), 'alcove-programs-'))
    if (ffmpeg !== undefined) {
      await writeFile(join(folder, 'ffmpeg'), `#!/bin/sh\n${ffmpeg}\n`, { mode: 0o755 })
      await symlink(findProgram('ffprobe', withFfmpeg?.programPath ?? '') as string, join(folder, 'ffprobe'))
    }
    app = await createTestApp({ programPath: folder })
    const user = await app.createUser({ planName: '2 TB Annually' })
    const content = withFfmpeg ? await record('avi') : Buffer.from('RIFF')
    const { id } = await user.client.upload('film.avi', content)
    const { kind, playlists, url } = (await user.client.call(getStreamUrl, { id })).body
    if (ffmpeg === undefined) expect([kind, playlists]).toEqual(['unplayable', []])
    return (playlists[0] ?? `${url.replace('?', '/playlist?')}&way=encode`).replace('/playlist?', '/segments/0?')
  }
  const close = async () => {
    await app.close()
    await rm(folder, { recursive: true })
  }

  it('reports a video as unplayable if ffmpeg is missing', async () => {
    const segment = await openWith(undefined)
    expect((await fetchFrom(app, segment)).statusCode).toBe(415)
    await close()
  })

  it.skipIf(!withFfmpeg)(
    'returns not_playable if ffmpeg fails, and does not run it again for each request',
    async () => {
      const tries = join(await mkdtemp(join(tmpdir(), 'alcove-tries-')), 'tries')
      const segment = await openWith(`echo x >>${tries}; exit 1`)
      for (let times = 0; times < 3; times++) {
        const response = await fetchFrom(app, segment)
        expect([response.statusCode, response.json().code]).toEqual([415, 'not_playable'])
      }
      expect(await readFile(tries, 'utf8')).toBe('x\n')
      await close()
    },
  )

  it.skipIf(!withFfmpeg)('kills a hanging ffmpeg and its children when the server stops', async () => {
    const seen = join(await mkdtemp(join(tmpdir(), 'alcove-seen-')), 'seen')
    const segment = await openWith(`sleep 600 & echo $$ $! $(nice) >${seen}.new; mv ${seen}.new ${seen}; wait`)
    const response = fetchFrom(app, segment)
    const read = () => readFile(seen, 'utf8').catch(() => '')
    await expect.poll(read, { timeout: 20_000 }).not.toBe('')
    const [own, child, priority] = (await read()).trim().split(' ').map(Number)
    expect(priority).toBe(15)
    app.services.segments.close()
    expect((await response).statusCode).toBe(503)
    for (const pid of [own, child]) await expect.poll(() => isRunning(pid as number), { timeout: 10_000 }).toBe(false)
    await close()
  })
})

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !stat.includes(') Z ')
}
