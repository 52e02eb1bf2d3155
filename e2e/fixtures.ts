import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@alcove/server/testing/engines/ports'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page, type Request } from '@playwright/test'

/** The directory of the web build under test. */
export const webDirectory = process.env.ALCOVE_TEST_WEB ?? join(import.meta.dirname, '../web/dist')

/** The built product on its own port, with a real database, disk and outbox. */
export interface Product extends TestApp {
  url: string
}

interface TestFixtures {
  /** A new user, already signed in on the page. */
  user: TestUser
  /** A new user on a paid plan, already signed in on the page. */
  paidUser: TestUser
}

interface WorkerFixtures {
  product: Product
}

async function startProduct(): Promise<Product> {
  if (!existsSync(join(webDirectory, 'index.html'))) throw new Error('The web is not built: npm run build')
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const product = await createTestApp({ publicUrl: url, programPath: process.env.PATH ?? '' }, { webDirectory })
  await product.app.listen({ port, host: '127.0.0.1' })
  return { ...product, url }
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture from this pattern
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  page: async ({ page }, use) => {
    recordRequests(page)
    await use(page)
  },
  user: async ({ product, page }, use) => {
    const user = await product.createUser()
    await signInAs(page, user)
    callAfter(page, user)
    await use(user)
  },
  paidUser: async ({ product, page }, use) => {
    const planName = '2 TB Annually'
    const user = await product.createUser({ planName })
    await signInAs(page, user, planName)
    callAfter(page, user)
    await use(user)
  },
})

/** For tests that change what all users of a server see: each gets a server of its own, `site`, in place of `product`. */
export const siteTest = test.extend<{ site: Product }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture from this pattern
  site: async ({}, use) => {
    const site = await startProduct()
    await use(site)
    await site.close()
  },
  baseURL: async ({ site }, use) => use(site.url),
})

export { expect }

/** The requests of each page that are in progress, and when the last one began or ended. */
const requests = new WeakMap<Page, { readonly running: Set<Request>; lastChange: number }>()

function recordRequests(page: Page): void {
  const recorded = { running: new Set<Request>(), lastChange: 0 }
  requests.set(page, recorded)
  const note = (change: (request: Request) => void) => (request: Request) => {
    // The stream of events ends with the page.
    if (request.url().endsWith('/api/events')) return
    change(request)
    recorded.lastChange = performance.now()
  }
  const end = note((request) => recorded.running.delete(request))
  page.on(
    'request',
    note((request) => recorded.running.add(request)),
  )
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

/** Waits until the page has made no requests for half a second, except for events, which Playwright's `networkidle` counts. */
export async function waitUntilQuiet(page: Page): Promise<void> {
  const recorded = requests.get(page)
  if (!recorded) throw new Error('Only the requests of the fixture `page` are recorded.')
  const start = performance.now()
  await expect(() => {
    expect(recorded.running.size).toBe(0)
    expect(performance.now() - Math.max(start, recorded.lastChange)).toBeGreaterThan(500)
  }).toPass({ intervals: [100], timeout: 30_000 })
}

/** How long a call waits for the page at most, in milliseconds: a test may hold back a request while it calls. */
const LONGEST_SAVING = 2000

/** Lets the calls of a test come after the changes of the page, which shows them before they are saved. */
function callAfter(page: Page, { client }: TestUser): void {
  const isChange = (request: Request) => request.method() !== 'GET' && !request.url().includes('/api/upload')
  const isSaving = () => [...(requests.get(page)?.running ?? [])].some(isChange)
  const call = client.call.bind(client)
  client.call = async (what, input) => {
    const deadline = performance.now() + LONGEST_SAVING
    // Twice, because the browser may tell of a request a little later than of what it shows.
    for (let quiet = 0; quiet < 2 && performance.now() < deadline; quiet = isSaving() ? 0 : quiet + 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
    return call(what, input)
  }
}

/** Signs a page in as a user by storing what a login would store. */
export async function signInAs(page: Page, user: TestUser, planName = 'free'): Promise<void> {
  await page.addInitScript(
    ([token, email, plan]) => {
      // Only once: a test that signs out must stay signed out.
      if (sessionStorage.getItem('signed-in-by-test')) return
      sessionStorage.setItem('signed-in-by-test', 'yes')
      localStorage.setItem('token', token as string)
      localStorage.setItem('email', email as string)
      localStorage.setItem('planName', plan as string)
      localStorage.setItem('planId', '0')
    },
    [user.token, user.email, planName],
  )
}

/** How often a page is checked whose colors change meanwhile. */
const ACCESSIBILITY_CHECKS = 4

/** Checks the page with axe and fails if it finds an accessibility violation. */
export async function expectAccessible(page: Page): Promise<void> {
  // Hydrating a prerendered page changes the ids of its fields, so wait until it is done.
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  for (let checksLeft = ACCESSIBILITY_CHECKS; ; checksLeft -= 1) {
    const violations = await findViolations(page)
    // A toast that began to fade during the check was measured half transparent.
    if (violations.length > 0 && checksLeft > 1 && (await page.evaluate(() => 'hasFaded' in window))) continue
    expect(violations).toEqual([])
    return
  }
}

async function findViolations(page: Page): Promise<{ id: string; where: string[] }[]> {
  // Colors are measured after all transitions have ended. Endless animations, such as the bars of the current track,
  // change no colors.
  await page.evaluate(async () => {
    const nextFrame = () => new Promise(requestAnimationFrame)
    // Chromium takes a transition no further while its element is hidden, as below a preview, so `finished` may never come.
    const isRunning = ({ effect, playState }: Animation) =>
      playState === 'running' &&
      effect instanceof KeyframeEffect &&
      effect.getComputedTiming().iterations !== Number.POSITIVE_INFINITY &&
      effect.target?.checkVisibility()
    // A new color scheme applies in the next frame, and its transitions start in the one after.
    for (let frame = 0; frame < 2; frame += 1) await nextFrame()
    while (document.getAnimations().some(isRunning)) await nextFrame()
    Reflect.deleteProperty(window, 'hasFaded')
    window.addEventListener('transitionrun', () => Object.assign(window, { hasFaded: true }), { once: true })
  })
  // Without iframes, axe needs no second page to combine its results, which would take as long again.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] })
    // A tooltip floats over the page and belongs to none of its regions.
    .exclude('[role="tooltip"]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'])
    .analyze()
  return violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) }))
}

/** Waits for a mail to an address and returns the link to `path` in the newest one. */
export async function readLink(product: Product, email: string, path: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const mails = (await product.readMails()).filter((mail) => mail.includes(`To: ${email}`))
    link = new RegExp(`${product.url}${path}\\?token=[\\w-]+`).exec(mails.at(-1) ?? '')?.[0]
    expect(link).toBeTruthy()
  }).toPass()
  return link as string
}
