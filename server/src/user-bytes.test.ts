import { getDataUrl } from '@alcove/contract/accounts'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { allCalls, callsByArea } from '@alcove/contract/calls'
import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import { getStreamUrl } from '@alcove/contract/media'
import { updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TestRequest, TestResponse } from './testing/clients/client.ts'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'
import { makeMp3 } from './testing/factories/music.ts'
import { drawTestPicture } from './testing/factories/pictures.ts'
import type { TestUser } from './testing/factories/users.ts'
import { recordVideo, withFfmpeg } from './testing/factories/videos.ts'

// The processes that draw and encode have the lowest priority, so they are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(document.domain)</script></html>'
/** Names of every type that a browser would open as a page, run, or sniff. */
const NAMES = ['a.html', 'a.htm', 'a.xhtml', 'a.svg', 'a.xml', 'a.js', 'a.css', 'a.vtt', 'a', 'a.txt', 'a.pdf']
const INLINE_TYPES = /^(image\/(?!svg)[a-z]+|audio\/[\w-]+|video\/[\w-]+|application\/pdf|text\/plain)$/

interface Stored {
  id: string
  filename: string
}

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp({ ...withFfmpeg })
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})

function open(url: string, request: Partial<TestRequest> = {}): Promise<TestResponse<unknown>> {
  const { pathname, search } = new URL(url, 'http://localhost')
  return app.visitor.request({ method: 'GET', url: pathname + search, ...request })
}

async function share({ id }: Stored): Promise<string> {
  const { link } = (await user.client.call(updatePublicLink, { id, enabled: true })).body
  return `/api/public/${link.slice(link.lastIndexOf('/') + 1)}`
}

const { accounts, files, media, sharing, vault } = callsByArea
const streamOf = async ({ id }: Stored) => (await user.client.call(getStreamUrl, { id })).body

/** Every call that returns the bytes of any file. */
const fileCalls: Record<string, (file: Stored) => Promise<TestResponse<unknown>>> = {
  [files.fetchFile.path]: ({ filename }) => user.client.raw(files.fetchFile, { filename }),
  [files.getUserFile.path]: ({ filename }) => user.client.raw(files.getUserFile, { filename }),
  [files.downloadItem.path]: async ({ id }) => open((await user.client.call(getDownloadUrl, { id })).body.url),
  'many items as a ZIP': async ({ id }) =>
    open((await user.client.call(getItemsDownloadUrl, { itemIds: [id] })).body.url),
  [sharing.getPublicContent.path]: async (file) => open(`${await share(file)}/content`),
  [vault.downloadVaultFile.path]: async ({ filename }) => {
    await user.client.upload(filename, PAGE, { isEncrypted: true })
    return user.client.raw(vault.downloadVaultFile, { filename })
  },
  [accounts.downloadData.path]: async () => open((await user.client.call(getDataUrl, {})).body.url),
}

/** Every call that returns what is derived from a picture or music file, or streams it. */
const mediaCalls: Record<string, () => Promise<TestResponse<unknown>>> = {
  [files.getThumbnail.path]: async () => user.client.raw(files.getThumbnail, { id: (await uploadPicture()).id }),
  [sharing.getPublicThumbnail.path]: async () => open(`${await share(await uploadPicture())}/thumbnail`),
  [media.streamFile.path]: async () => open((await streamOf(await upload('a.mp3', makeMp3()))).url),
}
const ffmpegCalls: typeof mediaCalls = {
  [media.getStreamPlaylist.path]: async () => open((await streamOf(await uploadFilm())).playlists[0] ?? ''),
  [media.getStreamSegment.path]: async () => {
    const [playlist = ''] = (await streamOf(await uploadFilm())).playlists
    return open(playlist.replace('/playlist?', '/segments/0?'))
  },
  [media.getStoryboard.path]: async () => open((await streamOf(await uploadFilm())).storyboard ?? ''),
  [media.getStoryboardSheet.path]: async () => {
    const { storyboard = '' } = await streamOf(await uploadFilm())
    return open(storyboard.replace('/storyboard?', '/sheets/0?'))
  },
  [sharing.getPublicPlaylist.path]: async () => open(`${await share(await uploadFilm())}/playlist?way=encode`),
  [sharing.getPublicSegment.path]: async () => open(`${await share(await uploadFilm())}/segments/0?way=encode`),
}

const upload = (name: string, content: Uint8Array<ArrayBuffer> | string): Promise<Stored> =>
  user.client.upload(name, content)
const uploadPicture = async () => upload('a.png', new Uint8Array(await drawTestPicture(64, 48).png().toBuffer()))

const uploadFilm = async () => upload('a.avi', new Uint8Array(await recordVideo('avi')))

/** Expects headers that keep a browser from running the bytes as a page or script of this origin. */
function expectIsolated({ headers }: TestResponse<unknown>): void {
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(/^sandbox; default-src 'none';/)
  expect(policy).not.toMatch(/allow-|script-src|unsafe-eval/)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cache-control': expect.stringMatching(/^private, /),
  })
  // Our pages may load scripts and styles from this origin. With 'nosniff', other types are not used as such.
  expect(headers['content-type']).not.toMatch(/script|css|wasm/)
  const disposition = String(headers['content-disposition'])
  if (!INLINE_TYPES.test(String(headers['content-type']))) expect(disposition).toMatch(/^attachment; /)
}

describe('isolation of user bytes from this origin', () => {
  it.each(Object.entries(fileCalls))('isolates files of every extension: %s', async (_name, get) => {
    for (const name of NAMES) {
      const response = await get(await upload(name, PAGE))
      expect(response.status, name).toBe(200)
      expectIsolated(response)
    }
  })

  it.each(Object.entries(mediaCalls))('isolates thumbnails and streams: %s', async (_name, get) => {
    const response = await get()
    expect(response.status).toBe(200)
    expectIsolated(response)
  })

  const film = withFfmpeg ? it : it.skip
  film.each(Object.entries(ffmpegCalls))('isolates what ffmpeg makes of a video: %s', async (_name, get) => {
    const response = await get()
    expect(response.status).toBe(200)
    expectIsolated(response)
  })

  it('isolates partial and unmodified responses and responses to HEAD', async () => {
    const url = `${await share(await upload('a.svg', PAGE))}/content`
    const { etag = '' } = (await open(url)).headers
    const requests: [number, Partial<TestRequest>][] = [
      [206, { headers: { range: 'bytes=0-9' } }],
      [304, { headers: { 'if-none-match': String(etag) } }],
      [200, { method: 'HEAD' }],
    ]
    for (const [status, request] of requests) {
      const response = await open(url, request)
      expect(response.status).toBe(status)
      expectIsolated(response)
    }
  })

  it('covers every call that returns bytes', () => {
    const known = Object.keys({ ...fileCalls, ...mediaCalls, ...ffmpegCalls })
    for (const { path } of allCalls.filter(({ responseType }) => responseType === 'bytes'))
      expect(known).toContain(path)
  })
})

describe('user bytes sent by nginx', () => {
  // nginx keeps the type and disposition of a response with X-Accel-Redirect, but drops its policy unless configured otherwise.
  it('sends files as attachments if a browser could open them as a page', async () => {
    const behind = await createTestApp({ sendFiles: 'nginx' })
    try {
      const { client } = await behind.createUser()
      for (const name of NAMES) {
        await client.upload(name, PAGE.padEnd(200_000))
        const viaProxy = { 'x-forwarded-for': '192.0.2.1' }
        const { headers } = await client.raw(files.fetchFile, { filename: name }, viaProxy)
        // The path doesn't contain the name.
        expect(headers['x-accel-redirect']).toMatch(/^\/_files\/[\w/-]+$/)
        if (INLINE_TYPES.test(String(headers['content-type']))) continue
        expect(headers['content-disposition'], name).toMatch(/^attachment; /)
      }
    } finally {
      await behind.close()
    }
  })
})
