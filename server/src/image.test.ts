import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServerProcess } from './testing/engines/server-process.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = join(ROOT, 'node_modules')

/** The files and folders that the image takes from the repository. */
const copied = [
  ...readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').matchAll(/^COPY --from=packages (.*) \S+$/gm),
].flatMap(([, paths = '']) => paths.split(' ').map((path) => path.replace('/app/', '')))

describe('the production image', () => {
  let directory: string
  let server: ServerProcess | undefined
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'alcove-image-'))
    layOutImage(directory)
  })
  afterAll(async () => {
    await server?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function start(environment: Record<string, string> = {}): Promise<string> {
    await server?.stop()
    server = await startServerProcess(environment, { main: join(directory, 'server/src/main.ts') })
    return server.url
  }

  async function paymentSettings(url: string): Promise<unknown> {
    return (await fetch(`${url}/api/payment-settings`)).json()
  }

  it('contains server and contract, but no payment sandbox', () => {
    expect(copied).toEqual(expect.arrayContaining(['node_modules', 'contract', 'server']))
    expect(copied).not.toContain('stripe-sandbox')
    const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    expect(dockerfile).not.toContain('workspace stripe-sandbox')
  })

  it('starts on localhost without payments', async () => {
    const url = await start()
    expect(await paymentSettings(url)).toEqual({ mode: 'off' })
    expect((await fetch(`${url}/stripe-sandbox/checkout/cs_test_1`)).status).toBe(404)
    const response = await fetch(`${url}/api/stripe/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=1' },
      body: '{}',
    })
    expect([response.status, await response.json()]).toMatchObject([503, { error: 'Payments are not configured.' }])
  })

  it('starts at a public address without payments', async () => {
    const url = await start({ ALCOVE_PUBLIC_URL: 'https://alcove.example' })
    expect(await paymentSettings(url)).toEqual({ mode: 'off' })
  })

  it('starts with Stripe keys', async () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }
    expect(await paymentSettings(await start(keys))).toEqual({ mode: 'live', publishableKey: 'pk_test_1' })
  })
})

/** Lays out the image's files, with links to the installed packages. Workspaces are only those that the image contains. */
function layOutImage(directory: string): void {
  for (const path of copied.filter((name) => name !== 'node_modules')) {
    cpSync(join(ROOT, path), join(directory, path), {
      recursive: true,
      filter: (source) => !/\/(node_modules|testing)$|\.test\.ts$/.test(source),
    })
  }
  mkdirSync(join(directory, 'node_modules/@alcove'), { recursive: true })
  for (const name of readdirSync(PACKAGES)) {
    if (name !== '@alcove') symlinkSync(join(PACKAGES, name), join(directory, 'node_modules', name))
  }
  for (const name of readdirSync(join(PACKAGES, '@alcove'))) {
    const workspace = realpathSync(join(PACKAGES, '@alcove', name)).slice(ROOT.length + 1)
    if (copied.includes(workspace))
      symlinkSync(join(directory, workspace), join(directory, 'node_modules/@alcove', name))
  }
}
