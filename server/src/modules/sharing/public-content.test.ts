import { randomBytes } from 'node:crypto'
import { createFolder, trashFile } from '@alcove/contract/files'
import { getPublicLink, updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readZip } from '../../testing/clients/zip.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let app: TestApp
let user: TestUser
const content = randomBytes(300_000)

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '100 GB Monthly' })
})

async function share(id: string) {
  const { body } = await user.client.call(updatePublicLink, { id, enabled: true })
  return `/api/public/${body.link.split('/s/')[1]}/content`
}
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.visitor.request({ method, url, headers })
const downloads = async (id: string) => (await user.client.call(getPublicLink, { id })).body.downloadCount

describe('the content of a public link', () => {
  it('returns the bytes of a file in full, in part or as 304', async () => {
    const url = await share((await user.client.upload('a b.jpg', content)).id)
    const whole = await get(url)
    expect(whole.bytes.equals(content)).toBe(true)
    expect(whole.headers).toMatchObject({ 'content-type': 'image/jpeg', 'accept-ranges': 'bytes' })
    expect(whole.headers['content-disposition']).toMatch(/^inline; filename="a b.jpg"/)
    const part = await get(url, { range: 'bytes=1000-1999' })
    expect(part.status).toBe(206)
    expect(part.bytes.equals(content.subarray(1000, 2000))).toBe(true)
    expect((await get(url, { range: 'bytes=300000-' })).status).toBe(416)
    expect((await get(url, { 'if-none-match': String(whole.headers.etag) })).status).toBe(304)
    expect((await get(`${url}?download=1`)).headers['content-disposition']).toMatch(/^attachment;/)
  })

  it('returns the current bytes whatever version the address names', async () => {
    const file = await user.client.upload('a.txt', 'first')
    const url = `${await share(file.id)}?v=${file.updatedAt}`
    await user.client.upload('a.txt', 'second', { onConflict: 'replace' })
    expect((await get(url)).bytes.toString()).toBe('second')
  })

  it('returns a ZIP of the visible items of a folder, or one item inside it by id', async () => {
    const photos = (await user.client.call(createFolder, { folderName: 'Photos' })).body.id
    const deep = await user.client.upload('b.txt', 'bee', { folderId: photos, relativePath: 'day 1/b.txt' })
    const gone = await user.client.upload('gone', 'x', { folderId: photos })
    await user.client.call(trashFile, { id: gone.id })
    const url = await share(photos)
    const zip = await get(url)
    expect(zip.headers['content-disposition']).toMatch(/^attachment; filename="Photos.zip"/)
    expect([...(await readZip(zip.bytes)).keys()].sort()).toEqual(['Photos/', 'Photos/day 1/', 'Photos/day 1/b.txt'])
    expect((await get(`${url}?id=${deep.id}`)).bytes.toString()).toBe('bee')
    const inner = await get(`${url}?id=${deep.folder_id}`)
    expect([...(await readZip(inner.bytes)).keys()].sort()).toEqual(['day 1/', 'day 1/b.txt'])
  })

  it('returns the ciphertext of a vault file unchanged, as an attachment', async () => {
    const file = await user.client.upload('s.html', content, { isEncrypted: true })
    const response = await get(await share(file.id))
    expect(response.headers['content-type']).toBe('application/octet-stream')
    expect(response.headers['content-disposition']).toMatch(/^attachment;/)
    expect(response.bytes.equals(content)).toBe(true)
  })

  it.each(['page.html', 'picture.svg', 'feed.xml', 'code.js', 'paper.pdf', 'text.txt'])(
    'returns %s with a sandbox policy and other security headers',
    async (name) => {
      const file = await user.client.upload(name, '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
      const { headers } = await get(await share(file.id))
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'x-robots-tag': 'noindex, nofollow',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/(^|;)\s*sandbox(;|$)/)
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/allow-|script-src/)
    },
  )

  it.each([
    ['page.html', 'attachment'],
    ['feed.xml', 'attachment'],
    ['code.js', 'attachment'],
    ['paper.pdf', 'inline'],
    ['text.txt', 'inline'],
    ['song.mp3', 'inline'],
  ])('returns %s with the disposition %s', async (name, disposition) => {
    const response = await get(await share((await user.client.upload(name, 'x')).id))
    expect(String(response.headers['content-disposition']).split(';')[0]).toBe(disposition)
  })
})

describe('the thumbnail of a public link', () => {
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it('returns thumbnails of a shared file or of files inside a shared folder only', async () => {
    const photos = (await user.client.call(createFolder, { folderName: 'Photos' })).body.id
    const inside = await user.client.upload('dot.png', dot, { folderId: photos })
    const beside = await user.client.upload('beside.png', dot)
    const thumbnailUrl = (content: string) => content.replace(/content$/, 'thumbnail')
    const ofFolder = thumbnailUrl(await share(photos))
    const ofFile = thumbnailUrl(await share(inside.id))
    for (const url of [ofFile, `${ofFile}?size=512`, `${ofFolder}?id=${inside.id}`]) {
      const response = await get(url)
      expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })
      expect(String(response.headers['cache-control'])).not.toContain('immutable')
    }
    expect((await get(ofFolder)).status).toBe(404)
    expect((await get(`${ofFolder}?id=${beside.id}`)).status).toBe(404)
    expect((await get(`${ofFile}?size=9`)).status).toBe(400)
    await user.client.call(updatePublicLink, { id: photos, enabled: true, password: 'one' })
    expect((await get(`${ofFolder}?id=${inside.id}`)).status).toBe(403)
    await user.client.call(updatePublicLink, { id: photos, enabled: false })
    expect((await get(`${ofFolder}?id=${inside.id}`)).status).toBe(404)
    expect(await downloads(inside.id)).toBe(0)
  })

  it('returns 404 for the thumbnail of a vault file', async () => {
    const file = await user.client.upload('s.png', dot, { isEncrypted: true })
    expect((await get((await share(file.id)).replace(/content$/, 'thumbnail'))).status).toBe(404)
  })
})

describe('the download count of a public link', () => {
  it('counts downloads from the first byte, but no previews, later parts, HEAD or 304', async () => {
    const file = await user.client.upload('a.jpg', content)
    const url = await share(file.id)
    await get(url)
    await get(`${url}?download=0`)
    await get(`${url}?download=1`, { range: 'bytes=100-' })
    await get(`${url}?download=1`, { range: 'bytes=900000-' })
    const { headers } = await get(`${url}?download=1`, {}, 'HEAD')
    await get(`${url}?download=1`, { 'if-none-match': String(headers.etag) })
    expect(await downloads(file.id)).toBe(0)
    await get(`${url}?download=1`)
    await get(`${url}?download=1`, { range: 'bytes=0-99' })
    expect(await downloads(file.id)).toBe(2)
  })

  it('counts concurrent downloads of a folder and of an item inside it', async () => {
    const photos = (await user.client.call(createFolder, { folderName: 'Photos' })).body.id
    const inside = await user.client.upload('a.txt', 'x', { folderId: photos })
    const url = await share(photos)
    await get(url, {}, 'HEAD')
    await get(`${url}?download=1`, {}, 'HEAD')
    await Promise.all(Array.from({ length: 6 }, () => get(`${url}?download=1`)))
    await Promise.all(Array.from({ length: 4 }, () => get(`${url}?download=1&id=${inside.id}`)))
    expect(await downloads(photos)).toBe(10)
  })
})
