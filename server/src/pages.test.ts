import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCheckoutSession } from '@alcove/contract/billing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './testing/test-app.ts'

const sources = join(import.meta.dirname, '../../web')
let app: TestApp
let web: string
beforeAll(async () => {
  // The page and what lies beside it, as the build takes them over.
  web = await mkdtemp(join(tmpdir(), 'alcove-web-'))
  await cp(join(sources, 'public'), web, { recursive: true })
  await cp(join(sources, 'index.html'), join(web, 'index.html'))
  app = await createTestApp({ supportEmail: '"><script>alert(1)</script>@example.com' }, { webDirectory: web })
})
afterAll(async () => {
  await app.close()
  await rm(web, { recursive: true })
})

const open = (url: string) => app.app.inject({ url, headers: { accept: 'text/html', host: 'localhost' } })

/** Addresses of pages of every kind that the server has. */
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
  it('runs scripts of ours that lie in files, and no others', async () => {
    for (const address of await listPages()) {
      const { headers, body } = await open(address)
      expect(headers['content-type'], address).toMatch(/^text\/html/)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'self'; script-src 'self';")
      expect(policy).toMatch(/object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/)
      expect(policy).not.toMatch(/unsafe-eval|unsafe-hashes|https?:|script-src[^;]*unsafe-inline/)
      // What stands in `srcdoc` is text, in which no sign of HTML is left.
      for (const [, attributes = '', script] of body.matchAll(/<script([^>]*)>([^<]*)/g)) {
        expect(attributes, address).toMatch(/ src="\//)
        expect(script?.trim(), address).toBe('')
      }
      expect(body, address).not.toMatch(/<[^>]* on[a-z]+\s*=\s*["']?[^&]|javascript:/i)
    }
  })

  it('tells browsers to give camera, microphone and place to nobody, and addresses to no other site', async () => {
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

describe('the page that opens files of the vault without us', () => {
  it('is for saving, since its script lies in itself', async () => {
    const { headers } = await open('/open-vault-file.html')
    expect(headers['content-disposition']).toBe('attachment; filename="open-vault-file.html"')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  it('is held by browsers to that one script, and to sending nothing', async () => {
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
