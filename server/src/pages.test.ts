import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createCheckoutSession } from '@alcove/contract/billing'
import { trashFile } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'

const sources = join(import.meta.dirname, '../../web')
let app: TestApp
let web: string
beforeAll(async () => {
  // The page and its public files, as in the build.
  web = await mkdtemp(join(tmpdir(), 'alcove-web-'))
  await cp(join(sources, 'public'), web, { recursive: true })
  await cp(join(sources, 'index.html'), join(web, 'index.html'))
  await mkdir(join(web, 'pages'))
  await writeFile(join(web, 'pages', 'index.html'), '<h1>Landing</h1><a href="mailto:%alcove-support-email%"></a>')
  await writeFile(join(web, 'pages', 'login.html'), '<h1>Login</h1>')
  app = await createTestApp({ supportEmail: '"><script>alert(1)</script>@example.com' }, { webDirectory: web })
})
afterAll(async () => {
  await app.close()
  await rm(web, { recursive: true })
})

const open = (url: string) => app.app.inject({ url, headers: { accept: 'text/html', host: 'localhost' } })

/** Returns the path of one page of every kind. */
async function listPages(): Promise<string[]> {
  const { client } = await app.createUser()
  const { url } = (await client.call(createCheckoutSession, { planId: 1 })).body
  await app.services.mailer.send({
    ...{ kind: 'activation', to: 'a@example.com', subject: '<script>x</script>', link: 'http://localhost/x' },
    ...{ text: '<script>x</script>', html: '<p onclick="x()">x</p><script>x</script>' },
  })
  const [mail] = await readdir(join(app.dataDir, 'outbox'))
  const checkout = new URL(url).pathname
  return [
    '/',
    '/profile',
    '/s/AAAAAAAAAAAAAAAAAAAAAA',
    '/api/docs/',
    '/outbox',
    `/outbox/${mail}`,
    checkout,
    '/stripe-sandbox/x',
  ]
}

describe('every page', () => {
  it('runs only scripts from files of this origin, never inline scripts', async () => {
    for (const address of await listPages()) {
      const { headers, body } = await open(address)
      expect(headers['content-type'], address).toMatch(/^text\/html/)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'self'; script-src 'self';")
      expect(policy).toMatch(/object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/)
      expect(policy).not.toMatch(/unsafe-eval|unsafe-hashes|https?:|script-src[^;]*unsafe-inline/)
      // The content of `srcdoc` is escaped, so it doesn't match.
      for (const [, attributes = '', script] of body.matchAll(/<script([^>]*)>([^<]*)/g)) {
        expect(attributes, address).toMatch(/ src="\//)
        expect(script?.trim(), address).toBe('')
      }
      expect(body, address).not.toMatch(/<[^>]* on[a-z]+\s*=\s*["']?[^&]|javascript:/i)
    }
  })

  it('denies access to camera, microphone and location, and sends no referrer', async () => {
    for (const address of await listPages()) {
      expect((await open(address)).headers).toMatchObject({
        'permissions-policy': expect.stringContaining('camera=(), geolocation=(), microphone=()'),
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
    }
  })
})

describe('prerendered pages', () => {
  it('serves each page at its own path only, with any query', async () => {
    expect((await open('/')).body).toContain('<h1>Landing</h1>')
    expect((await open('/login?redirect=payment')).body).toBe('<h1>Login</h1>')
    expect((await open('/profile')).body).toContain('<div id="root"></div>')
    expect((await open('/unknown/login')).body).toContain('<div id="root"></div>')
  })

  it('inserts the support address and escapes it', async () => {
    const { body } = await open('/')
    expect(body).not.toContain('<script>')
    expect(body).toContain('href="mailto:&#34;&#62;&#60;script&#62;')
  })

  it('says how long versions are kept, in milliseconds', async () => {
    const { body } = await open('/profile')
    expect(body).toContain(`<meta name="alcove-version-retention" content="${365 * 86_400_000}"`)
  })

  it('serves no page at its path in the build folder', async () => {
    expect((await open('/pages/login.html')).body).toContain('<div id="root"></div>')
  })

  it('compresses pages with an encoding that the client accepts', async () => {
    const send = (encoding: string) =>
      app.app.inject({ url: '/login', headers: { accept: 'text/html', 'accept-encoding': encoding } })
    const brotli = await send('gzip, deflate, br')
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept, Accept-Encoding' })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe('<h1>Login</h1>')
    const gzip = await send('gzip;q=0.5, br;q=0')
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).toString()).toBe('<h1>Login</h1>')
    const plain = await send('identity')
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.body).toBe('<h1>Login</h1>')
  })
})

describe('the offline page that opens vault files', () => {
  it('serves the page as a download, because the policy of this origin forbids its inline script', async () => {
    const { headers } = await open('/open-vault-file.html')
    expect(headers['content-disposition']).toBe('attachment; filename="open-vault-file.html"')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  it('allows only its own script by hash, and no network requests', async () => {
    const page = await readFile(join(web, 'open-vault-file.html'), 'utf8')
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? []
    const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '')
    expect(scripts).toHaveLength(1)
    const hash = createHash('sha256').update(scripts.join('')).digest('base64')
    expect(policy).toBe(
      `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'`,
    )
  })
})

describe('content negotiation', () => {
  const get = (url: string, accept?: string, method: 'GET' | 'HEAD' = 'GET') =>
    app.app.inject({ url, method, headers: { host: 'localhost', ...(accept !== undefined && { accept }) } })

  it('serves the page unless the client excludes HTML', async () => {
    for (const url of ['/', '/profile', '/login?redirect=payment', '/anything']) {
      for (const accept of [undefined, '*/*', 'text/*', 'image/png, */*;q=0.1', 'text/html,application/xhtml+xml']) {
        const response = await get(url, accept)
        expect([url, accept, response.statusCode, response.headers['content-type']]).toEqual([
          ...[url, accept, 200, 'text/html; charset=utf-8'],
        ])
        expect(response.headers.vary).toBe('Accept, Accept-Encoding')
      }
      for (const accept of ['application/json', 'image/png', '*/*;q=0']) {
        expect([url, accept, (await get(url, accept)).statusCode]).toEqual([url, accept, 404])
      }
      const head = await get(url, '*/*', 'HEAD')
      expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, 'text/html; charset=utf-8', ''])
    }
  })

  it('serves the call at a path of both a page and a call unless the client names HTML', async () => {
    for (const url of ['/trash', '/favorites']) {
      const call = await get(url, '*/*')
      expect([call.statusCode, call.headers.vary]).toEqual([401, expect.stringMatching(/^Accept(,|$)/)])
      expect((await get(url, 'text/html')).headers['content-type']).toMatch(/^text\/html/)
    }
  })

  it('never serves a page at well-known and other file paths', async () => {
    expect((await get('/robots.txt', '*/*')).body).toMatch(/^User-agent: \*\n/)
    expect((await get('/favicon.ico', '*/*')).headers['content-type']).toMatch(/^image\//)
    for (const url of ['/.well-known/security.txt', '/assets/gone.js', '/wp-login.php', '/api/nothing', '/metrics']) {
      expect([url, (await get(url, '*/*')).statusCode]).toEqual([url, 404])
    }
    const password = await get('/.well-known/change-password', '*/*')
    expect([password.statusCode, password.headers.location]).toEqual([302, '/account'])
  })
})

describe('the page of a public link', () => {
  const openPage = (link: string, accept = '*/*') =>
    app.app.inject({ url: new URL(link).pathname, headers: { host: 'localhost', accept } })
  const tagsOf = (body: string) =>
    Object.fromEntries(
      [...body.matchAll(/<meta property="([^"]+)" content="([^"]*)"/g)].map(([, name, text]) => [name, text]),
    )

  it('describes an unlocked link in its meta tags, with escaped names', async () => {
    const user = await app.createUser()
    const { id } = await user.client.upload('"><script>a.png', 'x')
    const { body: link } = await user.client.call(updatePublicLink, { id, enabled: true })
    const page = await openPage(link.link)
    expect([page.statusCode, page.headers['x-robots-tag']]).toEqual([200, 'noindex, nofollow'])
    const tags = tagsOf(page.body)
    expect(tags).toMatchObject({ 'og:title': '&#34;&#62;&#60;script&#62;a.png', 'og:url': link.link })
    expect(tags['og:image']).toBe(`${link.link.replace('/s/', '/api/public/')}/thumbnail?size=1280`)
  })

  it('describes nothing of a locked link, and responds with 404 if the link is not valid', async () => {
    const user = await app.createUser()
    const { id } = await user.client.upload('secret plan.txt', 'x')
    const { body: link } = await user.client.call(updatePublicLink, { id, enabled: true, password: 'open sesame' })
    const locked = await openPage(link.link)
    expect(locked.statusCode).toBe(200)
    expect(locked.body).not.toMatch(/secret plan|og:/)
    const gone = [`${link.link.slice(0, -4)}AAAA`]
    for (const input of [
      { enabled: true, expiresAt: new Date(app.clock.now() + 1000).toISOString() },
      { enabled: false },
    ]) {
      await user.client.call(updatePublicLink, { id, ...input })
      app.clock.advance(2000)
      gone.push(link.link)
      for (const each of gone) {
        const page = await openPage(each, 'text/html')
        expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
        expect(page.body).toContain('<div id="root">')
      }
    }
    await user.client.call(updatePublicLink, { id, enabled: true, expiresAt: null })
    expect((await openPage(link.link)).statusCode).toBe(200)
    await user.client.call(trashFile, { id })
    expect((await openPage(link.link)).statusCode).toBe(404)
  })
})
