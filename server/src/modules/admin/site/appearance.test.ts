import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgotPassword } from '@alcove/contract/accounts'
import { deleteLogo, getAppearance, replaceLogo, updateAppearance, updateLegalTexts } from '@alcove/contract/admin-site'
import { listAuditLog } from '@alcove/contract/audit'
import { getStorage } from '@alcove/contract/files'
import { MAX_LOGO_BYTES } from '@alcove/contract/limits'
import { getLegalText } from '@alcove/contract/site'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestClient } from '../../../testing/clients/client.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import {
  announcementSetting,
  appearanceSetting,
  changeSetting,
  legalSetting,
  maintenanceSetting,
} from '../../site/index.ts'

let app: TestApp
let web: string
let admin: TestClient
beforeAll(async () => {
  const sources = join(import.meta.dirname, '../../../../../web')
  web = await mkdtemp(join(tmpdir(), 'alcove-web-'))
  await cp(join(sources, 'index.html'), join(web, 'index.html'))
  await mkdir(join(web, 'pages'))
  await writeFile(
    join(web, 'pages', 'terms-of-service.html'),
    '<html><head></head><h1>Terms of %alcove-name%</h1></html>',
  )
  app = await createTestApp({}, { webDirectory: web })
  const user = await app.createUser({ isAdmin: true })
  admin = user.client
})
afterAll(async () => {
  await app.close()
  await rm(web, { recursive: true })
})
beforeEach(async () => {
  for (const setting of [appearanceSetting, announcementSetting, legalSetting]) {
    await changeSetting<unknown>(app.services, setting as never, () => setting.initial(app.services.config))
  }
})

const open = async (url: string) => (await app.app.inject({ url, headers: { accept: 'text/html' } })).body
const newestAudit = async () => (await admin.call(listAuditLog, { limit: 1 })).body.entries[0]

describe('name, color and support address', () => {
  it('shows a change in every page at once, escaped, without a restart', async () => {
    expect(await open('/profile')).toContain('<title>Alcove</title>')
    await admin.call(updateAppearance, { name: 'Müller & <b>Söhne</b>', supportEmail: 'help@mueller.example' })
    const page = await open('/profile')
    expect(page).toContain('<title>Müller &#38; &#60;b&#62;Söhne&#60;/b&#62;</title>')
    expect(page).toContain('<meta name="alcove-support-email" content="help@mueller.example"')
    expect(await open('/terms-of-service')).toContain('Terms of Müller &#38; &#60;b&#62;')
    expect(page).not.toContain('<style>:root')
  })

  it('keeps what a change does not name, and notes what it does', async () => {
    await admin.call(updateAppearance, { name: 'Ours', accent: '#5B2D90' })
    const { body } = await admin.call(updateAppearance, { supportEmail: 'a@b.example' })
    expect(body).toMatchObject({ name: 'Ours', accent: '#5b2d90', supportEmail: 'a@b.example', announcement: null })
    expect(await newestAudit()).toMatchObject({ action: 'site.appearance', details: { supportEmail: 'a@b.example' } })
    expect(await open('/')).toContain('--alcove-primary:#5b2d90')
  })

  it.each([
    [{ name: '' }, 'Enter a name.'],
    [{ name: 'x'.repeat(41) }, 'The name can have up to 40 characters.'],
    [{ name: 'Alcove\nBcc: x' }, 'The name must be on one line, without control characters.'],
    [{ name: 'evoclA\u202E' }, 'The name must be on one line, without control characters.'],
    [{ accent: 'red' }, 'The accent must be a color such as #1c5141.'],
    [{ accent: '#fff;}body{' }, 'The accent must be a color such as #1c5141.'],
    [{ announcement: { text: '', tone: 'info' } }, 'Enter the text of the announcement.'],
    [{ announcement: { text: 'x', until: 'soon' } }, 'until must be a time such as 2026-12-24T18:00:00Z.'],
  ])('refuses %j', async (input, error) => {
    const { status, body } = await admin.raw(updateAppearance, input)
    expect({ status, error: body.error }).toEqual({ status: 400, error })
  })

  it('sends mails in the name of the site, with its color and logo, and answers go to its support', async () => {
    await admin.call(updateAppearance, { name: 'Ours, "Ltd"', accent: '#5b2d90', supportEmail: 'help@ours.example' })
    await admin.call(replaceLogo, { image: (await picture('png')).toString('base64') })
    const user = await app.createUser()
    await app.visitor.call(forgotPassword, { email: user.email })
    const mail = (await app.readMails()).at(-1)
    expect(mail).toContain('From: "Ours, \\"Ltd\\"" <support@localhost>')
    expect(mail).toContain('Reply-To: help@ours.example')
    expect(mail).toContain('Subject: Reset your Ours, "Ltd" password')
    expect(mail).toContain('#5b2d90')
    expect(mail).toContain('src="http://localhost:5100/brand/logo.png"')
    expect(mail).not.toContain('Alcove')
  })
})

describe('the logo', () => {
  it.each(['png', 'webp', 'svg'] as const)('is drawn anew as PNG from a %s, and shown by every page', async (type) => {
    const { status, body } = await admin.call(replaceLogo, { image: (await picture(type)).toString('base64') })
    expect({ status, size: [body.logo?.width, body.logo?.height] }).toEqual({ status: 200, size: [384, 192] })
    const address = body.logo?.url ?? ''
    const { headers, rawPayload, statusCode } = await app.app.inject({ url: address })
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 384, height: 192 })
    const page = await open('/profile')
    expect(page).toContain(`url(${address})`)
    expect(page).toContain(`<link rel="icon" href="${address.replace('logo', 'icon')}" type="image/png" />`)
    await admin.call(deleteLogo, {})
    expect((await app.app.inject({ url: '/brand/logo.png' })).statusCode).toBe(404)
    expect(await open('/profile')).toContain('href="/favicon.svg"')
  })

  it('draws an SVG without running it, without fetching anything and without reading other files', async () => {
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`
    await writeFile(join(web, 'secret.png'), await picture('png'))
    const links = [elsewhere, `file://${join(web, 'secret.png')}`, join(web, 'secret.png')]
    const images = links.map((link) => `<image href="${link}" xlink:href="${link}" width="40" height="20"/>`)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20" onload="alert(1)">
      <style>@import url(${elsewhere});</style><script>alert(1)</script>${images.join('')}</svg>`
    const { body } = await admin.call(replaceLogo, { image: Buffer.from(svg).toString('base64') })
    const { rawPayload } = await app.app.inject({ url: body.logo?.url ?? '' })
    expect(await sharp(rawPayload).stats()).toMatchObject({
      isOpaque: false,
      channels: [{ max: 0 }, { max: 0 }, { max: 0 }, { max: 0 }],
    })
    expect(rawPayload.toString('latin1')).not.toMatch(/script|alert/)
    server.close()
    expect(requests).toEqual([])
  })

  it('reads no file that an SVG names as an entity', async () => {
    const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY file SYSTEM "file:///etc/passwd">]>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 40"><text y="20">&file;</text></svg>`
    const { status, body } = await admin.call(replaceLogo, { image: Buffer.from(svg).toString('base64') })
    if (status === 400) return
    const { rawPayload } = await app.app.inject({ url: body.logo?.url ?? '' })
    expect((await sharp(rawPayload).stats()).channels.at(-1)).toMatchObject({ max: 0 })
  })

  it.each([
    ['bytes of no picture', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(500)])],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
    ['an endless SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900000" height="900000"/>')],
    [
      'an SVG that multiplies itself',
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(1000)}">${[...'bcdefghij'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghij'[at]};`.repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&j;</text></svg>`,
      ),
    ],
  ])('refuses %s', async (_what, bytes) => {
    const { status } = await admin.raw(replaceLogo, { image: bytes.toString('base64') })
    expect(status).toBe(400)
    expect((await admin.call(getAppearance, {})).body.logo).toBeNull()
  })

  it('refuses other formats and large files', async () => {
    const gif = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64')
    expect((await admin.raw(replaceLogo, { image: gif.toString('base64') })).body.error).toBe(
      'The logo must be a PNG, SVG or WebP.',
    )
    const large = Buffer.concat([await picture('png'), Buffer.alloc(MAX_LOGO_BYTES)]).toString('base64')
    expect((await admin.raw(replaceLogo, { image: large })).body.error).toBe('A logo can have up to 512 KiB.')
  })
})

describe('the announcement', () => {
  it('comes with every page and with the storage of signed-in users until it ends', async () => {
    const until = new Date(app.clock.now() + 60_000).toISOString()
    await admin.call(updateAppearance, { announcement: { text: 'Back at 18:00 "sharp"', tone: 'warning', until } })
    const announced = { text: 'Back at 18:00 "sharp"', tone: 'warning', until }
    const { client } = await app.createUser()
    expect((await client.call(getStorage, {})).body.announcement).toEqual(announced)
    expect(await open('/login')).toContain('<meta name="alcove-announcement" content="{&#34;text&#34;:')
    app.clock.advance(60_000)
    expect((await client.call(getStorage, {})).body).not.toHaveProperty('announcement')
    expect(await open('/login')).not.toContain('alcove-announcement')
  })

  it('is removed by null', async () => {
    await admin.call(updateAppearance, { announcement: { text: 'Hello' } })
    expect((await admin.call(getAppearance, {})).body.announcement).toEqual({
      text: 'Hello',
      tone: 'info',
      until: null,
    })
    expect(await newestAudit()).toMatchObject({ action: 'site.announcement', details: { text: 'Hello' } })
    await admin.call(updateAppearance, { announcement: null })
    expect((await admin.call(getAppearance, {})).body.announcement).toBeNull()
  })
})

describe('pages during maintenance', () => {
  it('contain nothing but the message, and those of public links are 503 for link previews', async () => {
    await changeSetting(app.services, maintenanceSetting, () => ({ on: true, message: 'Back <soon>.' }))
    const page = await open('/terms-of-service')
    expect(page).toContain('<meta name="alcove-maintenance" content="Back &#60;soon&#62;.">')
    expect(page).not.toContain('Terms of')
    const shared = await app.app.inject({ url: '/s/AAAAAAAAAAAAAAAAAAAAAA', headers: { accept: 'text/html' } })
    expect(shared.statusCode).toBe(503)
    expect(shared.headers).toMatchObject({ 'retry-after': '60', 'content-type': 'text/html; charset=utf-8' })
    await changeSetting(app.services, maintenanceSetting, () => ({ on: false, message: '' }))
    expect(await open('/terms-of-service')).toContain('Terms of Alcove')
  })
})

describe('the legal texts', () => {
  it('take the place of those of the product, without the page ever containing these', async () => {
    const terms = '# House rules\n\n<script>alert(1)</script>'
    await admin.call(updateLegalTexts, { terms })
    const page = await open('/terms-of-service')
    expect(page).not.toContain('Terms of')
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('<meta name="alcove-text-terms" content="# House rules')
    expect((await app.visitor.call(getLegalText, { document: 'terms' })).body.text).toBe(terms)
    expect((await app.visitor.call(getLegalText, { document: 'privacy' })).body.text).toBe('')
    expect(await newestAudit()).toMatchObject({ action: 'site.legal', target: 'terms' })
    await admin.call(updateLegalTexts, { terms: '  ' })
    expect(await open('/terms-of-service')).toContain('Terms of Alcove')
  })
})

async function picture(type: 'png' | 'webp' | 'svg'): Promise<Buffer> {
  if (type === 'svg') {
    return Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10"/></svg>',
    )
  }
  return sharp({ create: { width: 800, height: 400, channels: 4, background: '#5b2d90' } })
    .toFormat(type)
    .toBuffer()
}
