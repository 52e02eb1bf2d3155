import { updateProfile } from '@alcove/contract/profile'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { app, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { drawAvatar } from './draw-avatar.ts'

setUpDrive()

/** Decodes a PNG with a library that checks its checksums. */
async function decode(png: Buffer) {
  const { data, info } = await sharp(png, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true })
  return { ...info, hasWhite: data.includes(255), colors: new Set(data.toString('latin1').match(/.{3}/gs)).size }
}

describe('drawAvatar', () => {
  it.each([
    ['Ann Bee', 128],
    ['ann@example.com', 16],
    ['Émile', 256],
    ['王伟', 64],
    ['', 33],
  ])('draws %j as a square PNG of %i pixels', async (name, size) => {
    const { width, height, channels, hasWhite, colors } = await decode(drawAvatar(name, 'key', size))
    expect({ width, height, channels, hasWhite }).toEqual({ width: size, height: size, channels: 3, hasWhite: true })
    // Edges are smooth.
    expect(colors).toBeGreaterThan(10)
  })

  it('draws the first letters of the first and the last word, without accents, and of an address only one', () => {
    const draw = (name: string) => drawAvatar(name, 'key', 32).toString('base64')
    expect(draw('Ann Maria Bee')).toBe(draw('ann bee'))
    expect(draw('Émile')).toBe(draw('E'))
    expect(draw('bob@example.com')).toBe(draw('B'))
    expect(new Set([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '王'].map(draw)).size).toBe(27)
    expect(draw('constructor')).toBe(draw('C'))
  })
})

describe.each(['/index.php/avatar/%/128', '/remote.php/dav/avatars/%/128.png'])('%s', (path) => {
  async function get(name: string, secret: string, headers: Record<string, string> = {}) {
    const authorization = `Basic ${Buffer.from(`${user.email}:${secret}`).toString('base64')}`
    const url = path.replace('%', encodeURIComponent(name))
    return app.visitor.request({ method: 'GET', url, headers: { authorization, ...headers } })
  }

  it('returns the user’s own picture, which clients can keep until it changes', async () => {
    const { secret } = await addAppPassword(app, user, { scope: 'read' })
    const { status, headers, bytes } = await get(user.email, secret)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'private, max-age=3600' })
    expect((await decode(bytes)).width).toBe(128)
    const etag = String(headers.etag)
    expect((await get(user.email, secret, { 'if-none-match': etag })).status).toBe(304)
    await user.client.call(updateProfile, { displayName: 'Another Name' })
    expect((await get(user.email, secret, { 'if-none-match': etag })).status).toBe(200)
  })

  it('tells nothing about other accounts', async () => {
    const { secret } = await addAppPassword(app, user)
    const other = await app.createUser()
    expect((await get(other.email, secret)).status).toBe(404)
    expect((await get('nobody@example.com', secret)).status).toBe(404)
    expect((await get(user.email, 'wrong')).status).toBe(401)
    const uploading = await addAppPassword(app, user, { scope: 'upload' })
    expect((await get(user.email, uploading.secret)).status).toBe(403)
  })
})
