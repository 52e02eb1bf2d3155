/// <reference lib="dom" />
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FILE_CHUNK_SIZE } from '@alcove/contract/limits'
import { getStreamUrl } from '@alcove/contract/media'
import { planNameOf, plans } from '@alcove/contract/plans'
import { uploadChunk } from '@alcove/contract/uploads'
import { type Account, type Alcove, openAccount } from '../alcove.ts'
import { runToEnd } from '../processes.ts'

/** In Mbit/s, as a good film in 1080p has. */
export const BIT_RATE = 8
const LOOP = 20

const quietly = ['-nostdin', '-v', 'error', '-y']

/** Makes a film of about `size` bytes in H.264 and AAC, with its index at the end, as cameras write it. It repeats a clip. */
export async function makeLargeFilm(dir: string, size: number): Promise<string> {
  const [some, whole] = [join(dir, 'some.mp4'), join(dir, 'large.mp4')]
  const rate = ['-b:v', `${BIT_RATE}M`, '-minrate', `${BIT_RATE}M`, '-maxrate', `${BIT_RATE}M`, '-bufsize', '2M']
  await runToEnd('ffmpeg', [
    ...[...quietly, '-f', 'lavfi', '-i', `testsrc2=s=1280x720:r=25:d=${LOOP}`],
    ...['-f', 'lavfi', '-i', `sine=440:d=${LOOP}`, '-c:v', 'libx264', '-preset', 'ultrafast', ...rate, '-g', '50'],
    ...['-x264-params', 'nal-hrd=cbr', '-pix_fmt', 'yuv420p', '-c:a', 'aac', some],
  ])
  const times = Math.ceil((size * 8) / (BIT_RATE * 1e6 * LOOP))
  await runToEnd('ffmpeg', [...quietly, '-stream_loop', String(times - 1), '-i', some, '-c', 'copy', whole])
  return whole
}

/** Makes a film of five minutes that no browser plays, so every segment of it has to be transcoded. */
export async function makeForeignFilm(dir: string): Promise<string> {
  const path = join(dir, 'foreign.avi')
  await runToEnd('ffmpeg', [
    ...[...quietly, '-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=300', '-f', 'lavfi', '-i', 'sine=440:d=300'],
    ...['-c:v', 'mpeg4', '-q:v', '5', '-c:a', 'mp3', path],
  ])
  return path
}

/** Opens an account with a plan that includes music and video. */
export async function openPaidAccount(alcove: Alcove): Promise<Account> {
  const account = await openAccount(alcove)
  const [plan] = plans
  if (!plan) throw new Error('There is no plan.')
  const database = new DatabaseSync(join(alcove.dataDir, 'alcove.sqlite'), { timeout: 5000 })
  database.prepare('update users set plan_id = ?, plan_name = ?').run(plan.planId, planNameOf(plan))
  database.close()
  return account
}

/** Uploads a file in chunks, and returns its id. */
export async function store({ api, authorization }: Account, path: string): Promise<string> {
  const file = await open(path)
  const { size } = await file.stat()
  const totalChunks = Math.max(1, Math.ceil(size / FILE_CHUNK_SIZE))
  const uploadId = randomUUID()
  let id: string | undefined
  try {
    for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex += 1) {
      const piece = Buffer.alloc(Math.min(FILE_CHUNK_SIZE, size - chunkIndex * FILE_CHUNK_SIZE))
      await file.read(piece, 0, piece.length, chunkIndex * FILE_CHUNK_SIZE)
      const form = new FormData()
      const fields = { uploadId, filename: basename(path), chunkIndex, totalChunks, complete: true }
      for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
      form.append('chunk', new Blob([piece]))
      const response = await fetch(`${api}${uploadChunk.path}`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      })
      if (!response.ok) throw new Error(`an upload failed with ${response.status}`)
      id = ((await response.json()) as { id?: string }).id
    }
  } finally {
    await file.close()
  }
  if (id === undefined) throw new Error('the upload did not complete')
  return id
}

/** Returns the stream addresses of a file, changed to the address that the server listens at. */
export async function findStream({ api, authorization }: Account, id: string) {
  const response = await fetch(`${api}${getStreamUrl.path.replace('{id}', id)}`, { headers: { authorization } })
  if (!response.ok) throw new Error(`the stream URL failed with ${response.status}`)
  const { url, playlists } = (await response.json()) as { url: string; playlists: string[] }
  const onApi = (address: string) =>
    `${api}${new URL(address).pathname.replace(/^\/api/, '')}${new URL(address).search}`
  return { url: onApi(url), playlists: playlists.map(onApi) }
}

interface Playing {
  api: string
  authorization: string
  id: string
}

/**
 * Returns the milliseconds from a click to the first frame of a film. Runs in a page of the product's origin, so it uses
 * nothing but its argument. The film is muted, because a page without user interaction must not play sound.
 */
export async function startFilm({ api, authorization, id }: Playing): Promise<number> {
  document.querySelector('video')?.remove()
  const clickedAt = performance.now()
  const response = await fetch(`${api}/stream-url/${id}`, { headers: { authorization } })
  const { pathname, search } = new URL(((await response.json()) as { url: string }).url)
  const video = document.createElement('video')
  video.muted = true
  video.src = pathname + search
  document.body.append(video)
  const shown = new Promise<number>((resolve, reject) => {
    video.requestVideoFrameCallback((now) => resolve(now))
    video.onerror = () => reject(new Error(`the film does not play: ${video.error?.message}`))
  })
  await video.play()
  return (await shown) - clickedAt
}

/** Returns the milliseconds from a seek to the first frame there. `share` is the place, from 0 to 1. Runs in the page. */
export async function seekFilm(share: number): Promise<number> {
  const video = document.querySelector('video') as HTMLVideoElement
  const soughtAt = performance.now()
  const target = share * video.duration
  video.currentTime = target
  return new Promise((resolve) => {
    const look = (now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      if (Math.abs(mediaTime - target) < 1) resolve(now - soughtAt)
      else video.requestVideoFrameCallback(look)
    }
    video.requestVideoFrameCallback(look)
  })
}
