import { readFileSync } from 'node:fs'
import { getThumbnail } from '@alcove/contract/bytes'
import { createFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { deleteFile } from '@alcove/contract/trash'
import { listVersions } from '@alcove/contract/versions'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ThumbnailMaker } from '../../../platform/images/thumbnail-maker.ts'
import { WorkTimedOutError } from '../../../platform/processes/work-process.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import {
  colorAt,
  drawBomb,
  drawEndlessPdf,
  drawNoise,
  drawPdfPages,
  drawTestPicture,
  smallHeic,
} from '../../../testing/factories/pictures.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { removeQueuedBlobs } from '../../storage/remove-blobs.ts'
import { sweepBlobs } from '../../storage/sweep-blobs.ts'

// Thumbnails are drawn at low priority, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

async function upload(name: string, picture: Sharp | Buffer | string, fields = {}): Promise<string> {
  const content = typeof picture === 'string' ? Buffer.from(picture) : picture
  const bytes = Buffer.isBuffer(content) ? content : await content.toBuffer()
  return (await user.client.upload(name, new Uint8Array(bytes), fields)).id
}

function get(id: string, size?: number, headers: Record<string, string> = {}) {
  return user.client.raw(getThumbnail, { id, size }, headers)
}

async function describePicture(bytes: Buffer) {
  const { format, width, height } = await sharp(bytes).metadata()
  return { format, width, height }
}

/** Counts the requests to draw a thumbnail. */
function countDrawings(): { times: number } {
  const counter = { times: 0 }
  const { thumbnails } = app.services
  const make = thumbnails.make.bind(thumbnails)
  thumbnails.make = (...args) => {
    counter.times += 1
    return make(...args)
  }
  return counter
}

const red = [255, 0, 0]
const blue = [0, 0, 255]
const green = [0, 255, 0]

function expectColor(actual: number[], expected: number[]): void {
  for (const [index, value] of expected.entries()) expect(Math.abs((actual[index] as number) - value)).toBeLessThan(40)
}

describe('creating a thumbnail', () => {
  it.each([
    ['jpg', () => drawTestPicture(1200, 900).jpeg()],
    ['png', () => drawTestPicture(1200, 900).png()],
    ['gif', () => drawTestPicture(1200, 900).gif()],
    ['webp', () => drawTestPicture(1200, 900).webp()],
    ['tiff', () => drawTestPicture(1200, 900).tiff()],
    ['avif', () => drawTestPicture(1200, 900).avif({ effort: 0 })],
  ])('creates a WebP thumbnail from a %s file', async (extension, draw) => {
    const response = await get(await upload(`a.${extension}`, draw()))
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('image/webp')
    expect(await describePicture(response.bytes)).toEqual({ format: 'webp', width: 256, height: 192 })
    expectColor(await colorAt(response.bytes, 0.5, 0.2), red)
    expectColor(await colorAt(response.bytes, 0.5, 0.8), blue)
  })

  it('creates a thumbnail from a HEIC file, even one with the extension of a JPEG', async () => {
    for (const name of ['a.heic', 'a.jpg']) {
      const { bytes } = await get(await upload(name, smallHeic))
      expect(await describePicture(bytes)).toEqual({ format: 'webp', width: 128, height: 96 })
      expectColor(await colorAt(bytes, 0.5, 0.2), red)
      expectColor(await colorAt(bytes, 0.5, 0.8), blue)
    }
  })

  it('draws the first page of a PDF', async () => {
    const { bytes } = await get(await upload('a.pdf', drawPdfPages(['1 0 0', '0 0 1'])))
    expect(await describePicture(bytes)).toEqual({ format: 'webp', width: 256, height: 362 })
    expectColor(await colorAt(bytes, 0.5, 0.5), red)
  })

  it('returns the requested size for large and small files and never enlarges a picture', async () => {
    const large = await upload('large.png', drawNoise(1400, 1050).png())
    expect(await describePicture((await get(large, 512)).bytes)).toMatchObject({ width: 512, height: 384 })
    expect(await describePicture((await get(large, 1280)).bytes)).toMatchObject({ width: 1280, height: 960 })
    const small = await upload('small.png', drawTestPicture(100, 50).png())
    expect(await describePicture((await get(small, 1280)).bytes)).toMatchObject({ width: 100, height: 50 })
    for (const size of [0, 255, 1e9, 'x']) expect((await get(small, size as number)).status).toBe(400)
  })

  it('rotates a photo upright, removes its metadata and converts its colours to sRGB', async () => {
    const photo = await drawTestPicture(800, 600)
      .withIccProfile('p3')
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '38/1 42/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(photo).metadata()).exif?.includes('Camera')).toBe(true)
    const { bytes } = await get(await upload('a.jpg', photo))
    const { width, height, exif, icc, orientation, xmp } = await sharp(bytes).metadata()
    expect({ width, height, exif, icc, orientation, xmp }).toEqual({ width: 256, height: 341 })
    // Rotated to the right: the top is now on the right, and the left side at the top.
    expectColor(await colorAt(bytes, 0.8, 0.5), red)
    expectColor(await colorAt(bytes, 0.2, 0.5), blue)
    expectColor(await colorAt(bytes, 0.5, 0.03), green)
  })

  it('returns 304 for a matching ETag and marks versioned URLs as immutable', async () => {
    const file = await user.client.upload('a.png', new Uint8Array(await drawTestPicture(50, 50).png().toBuffer()))
    const first = await get(file.id)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect(first.headers['x-content-type-options']).toBe('nosniff')
    expect(first.headers['content-security-policy']).toContain('sandbox')
    expect((await get(file.id, 256, { 'if-none-match': String(first.headers.etag) })).status).toBe(304)
    const named = await user.client.raw(getThumbnail, { id: file.id, v: file.updatedAt })
    expect(named.headers['cache-control']).toContain('immutable')
    app.clock.advance(1000)
    await user.client.upload('a.png', new Uint8Array(await drawTestPicture(40, 40).png().toBuffer()), {
      onConflict: 'replace',
    })
    const replaced = await user.client.raw(getThumbnail, { id: file.id, v: file.updatedAt })
    const [version] = (await user.client.call(listVersions, { id: file.id })).body.versions
    const before = await user.client.raw(getThumbnail, { id: file.id, versionId: version?.id })
    expect(before.bytes.equals(named.bytes)).toBe(true)
    expect(before.headers['cache-control']).toBe(named.headers['cache-control'])
    expect(replaced.headers['cache-control']).toBe('private, no-cache')
    expect(await describePicture(replaced.bytes)).toMatchObject({ width: 40 })
  })
})

describe('files without a thumbnail', () => {
  it.each([
    ['a text file', 'a.txt', () => 'text'],
    ['an empty picture', 'a.jpg', () => ''],
    ['a picture that has the name of metadata of macOS', '._a.jpg', () => drawNoise(60, 60).jpeg().toBuffer()],
    ['a picture file that contains text', 'a.jpg', () => 'no picture'],
    [
      'an SVG with the extension of a JPEG',
      'a.jpg',
      () => '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    ],
    ['a PDF whose page tree contains a cycle', 'a.pdf', () => drawPdfPages(['1 0 0'], '2 0 R')],
    ['a truncated picture', 'a.jpg', async () => (await drawNoise(600, 600).jpeg().toBuffer()).subarray(0, 90_000)],
    ['a picture of 900 million pixels', 'a.png', drawBomb],
  ])(
    'returns 415 for %s',
    async (_what, name, content) => {
      const response = await get(await upload(name, await content()))
      expect(response.status).toBe(415)
      expect(response.body).toMatchObject({ code: 'no_thumbnail', error: 'This file has no thumbnail.' })
    },
    60_000,
  )

  it("returns 404 for another user's file, a file in a trashed folder, a folder and an unknown id", async () => {
    const picture = drawTestPicture(50, 50).png()
    const id = await upload('a.png', picture)
    const stranger = await app.createUser()
    expect((await stranger.client.raw(getThumbnail, { id })).status).toBe(404)
    expect((await app.visitor.raw(getThumbnail, { id })).status).toBe(401)
    expect((await get(id)).status).toBe(200)
    await user.client.call(trashFile, { id })
    // The trash shows thumbnails.
    expect((await get(id)).status).toBe(200)
    expect((await stranger.client.raw(getThumbnail, { id })).status).toBe(404)
    const folder = (await user.client.call(createFolder, { folderName: 'f' })).body
    const inside = await upload('b.png', picture, { folderId: folder.id })
    await user.client.call(trashFolder, { id: folder.id })
    for (const hidden of [inside, folder.id, crypto.randomUUID()]) expect((await get(hidden)).status).toBe(404)
  })

  it('returns 404 for a vault file with the name of a picture', async () => {
    user = await app.createUser({ planName: '2 TB Annually' })
    const id = await upload('a.png', drawTestPicture(50, 50).png(), { isEncrypted: true })
    expect((await get(id)).status).toBe(404)
  })

  it('retries a failed thumbnail only after a week', async () => {
    const id = await upload('a.jpg', 'no picture')
    const drawings = countDrawings()
    for (const size of [256, 256, 512, 1280]) expect((await get(id, size)).status).toBe(415)
    expect(drawings.times).toBe(1)
    app.clock.advance(8 * 24 * 3_600_000)
    await renew(user)
    expect((await get(id)).status).toBe(415)
    expect(drawings.times).toBe(2)
  })
})

describe('creating thumbnails under load', () => {
  it('creates a thumbnail once for 50 concurrent requests', async () => {
    const id = await upload('a.png', drawTestPicture(900, 900).png())
    const drawings = countDrawings()
    const responses = await Promise.all(Array.from({ length: 50 }, () => get(id)))
    expect(new Set(responses.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(200)
    await get(id)
    expect(drawings.times).toBe(1)
  })

  it.skipIf(process.platform !== 'linux')(
    'retries in another process when one is killed, and responds that the server is busy when that is killed too',
    async () => {
      // So large that it is still being drawn when this process, on a busy machine, gets to kill the other one.
      const id = await upload('a.png', drawNoise(3200, 3200).png())
      const first = get(id)
      await killDrawing()
      expect((await first).status).toBe(200)
      let isDone = false
      const second = get(id, 512).finally(() => {
        isDone = true
      })
      while (!isDone) await killDrawing(() => isDone)
      const { status, headers } = await second
      expect([status, headers['retry-after']]).toEqual([503, '2'])
      expect((await get(id, 512)).status).toBe(200)
    },
  )

  it('gives up on endless documents and serves other users in the meantime', async () => {
    const { thumbnails } = app.services
    const impatient = new ThumbnailMaker(undefined, 3000)
    const drawings = vi.spyOn(thumbnails, 'make').mockImplementation(impatient.make.bind(impatient))
    const hostile = await Promise.all([1, 2].map((index) => upload(`${index}.pdf`, drawEndlessPdf())))
    const other = await app.createUser()
    const picture = await other.client.upload('a.png', new Uint8Array(await drawTestPicture(50, 50).png().toBuffer()))
    const finished: string[] = []
    const endless = hostile.map(async (id) => {
      const { status } = await get(id)
      finished.push(`document ${status}`)
    })
    await expect.poll(() => drawings.mock.calls.length).toBe(2)
    expect((await other.client.raw(getThumbnail, { id: picture.id })).status).toBe(200)
    finished.push('picture')
    await Promise.all(endless)
    expect(finished).toEqual(['picture', 'document 415', 'document 415'])
    drawings.mockRestore()
    await impatient.close()
  })

  it('retries a timed-out thumbnail after an hour', async () => {
    const id = await upload('a.png', drawTestPicture(50, 50).png())
    const { thumbnails } = app.services
    const drawings = vi.spyOn(thumbnails, 'make').mockRejectedValueOnce(new WorkTimedOutError('too slow'))
    expect([(await get(id)).status, (await get(id)).status]).toEqual([415, 415])
    expect(drawings).toHaveBeenCalledTimes(1)
    app.clock.advance(3_600_001)
    expect((await get(id)).status).toBe(200)
    drawings.mockRestore()
  })

  it('returns 503 with Retry-After when no process can be started, and works later', async () => {
    const id = await upload('a.png', drawTestPicture(50, 50).png())
    const { thumbnails } = app.services
    const make = thumbnails.make
    thumbnails.make = () => Promise.reject(new Error('no process'))
    const refused = await get(id)
    thumbnails.make = make
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect((await get(id)).status).toBe(200)
  })
})

describe('the stored bytes of thumbnails', () => {
  it('keeps thumbnails while their file exists and removes them with it', async () => {
    const id = await upload('a.png', drawNoise(700, 700).png())
    expect((await get(id, 256)).status).toBe(200)
    expect((await get(id, 1280)).status).toBe(200)
    const { db, blobs } = app.services
    const file = await db.selectFrom('items').select('blob_key').where('id', '=', id).executeTakeFirstOrThrow()
    const made = await db
      .selectFrom('thumbnails')
      .select('thumbnail_key')
      .where('blob_key', '=', file.blob_key as string)
      .execute()
    const keys = made.map(({ thumbnail_key }) => thumbnail_key as string)
    expect(keys.length).toBe(2)
    const exist = () =>
      Promise.all(
        keys.map((key) =>
          blobs
            .openStream(key)
            .toArray()
            .then(
              () => true,
              () => false,
            ),
        ),
      )
    app.clock.advance(50 * 3_600_000)
    await sweepBlobs(app.services, { pause: 0 })
    expect(await exist()).toEqual([true, true])
    await renew(user)
    await user.client.call(trashFile, { id })
    await user.client.call(deleteFile, { id })
    await removeQueuedBlobs(app.services)
    // The job may already be removing them.
    await expect.poll(exist).toEqual([false, false])
    const rows = await db.selectFrom('thumbnails').select('size').where('thumbnail_key', 'in', keys).execute()
    expect(rows).toEqual([])
  })
})

/** Waits for the drawing process and kills it, as the system does when memory runs out. */
async function killDrawing(isOver = () => false): Promise<void> {
  while (!isOver()) {
    const pid = findDrawing()
    try {
      if (pid) return void process.kill(pid, 'SIGKILL')
    } catch {
      // The process has already exited.
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Finds the process that is drawing. Reads synchronously, so that the process is still drawing when it is found. */
function findDrawing(): number | undefined {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  for (const pid of children.split(' ').filter(Boolean)) {
    const stat = readStat(pid)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A process lowers its priority when it starts to draw.
    if (fields[0] !== 'Z' && fields[16] === '15') return Number(pid)
  }
  return undefined
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** Renews a session that has expired because the clock was advanced. */
async function renew({ id }: TestUser): Promise<void> {
  const expires_at = app.clock.now() + 3_600_000
  await app.services.db.updateTable('sessions').set({ expires_at }).where('user_id', '=', id).execute()
}
