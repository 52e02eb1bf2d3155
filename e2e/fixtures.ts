import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@alcove/server/testing/engines/ports'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'

/** Where the built web lies that the tests run on. */
export const webDirectory = process.env.ALCOVE_TEST_WEB ?? join(import.meta.dirname, '../web/dist')

/** The built product on an address of its own, with its real database, disk and outbox. */
export interface Product extends TestApp {
  url: string
}

interface TestFixtures {
  /** A new user whose session the page already has. */
  user: TestUser
  /** The same with a paid plan. */
  paidUser: TestUser
}

interface WorkerFixtures {
  product: Product
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      if (!existsSync(join(webDirectory, 'index.html'))) throw new Error('The web is not built: npm run build')
      const port = await findFreePort()
      const url = `http://localhost:${port}`
      const product = await createTestApp({ publicUrl: url, programPath: process.env.PATH ?? '' }, { webDirectory })
      await product.app.listen({ port, host: '127.0.0.1' })
      await use({ ...product, url })
      await product.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  user: async ({ product, page }, use) => {
    const user = await product.createUser()
    await signInAs(page, user)
    await use(user)
  },
  paidUser: async ({ product, page }, use) => {
    const planName = '2 TB Annually'
    const user = await product.createUser({ planName })
    await signInAs(page, user, planName)
    await use(user)
  },
})

export { expect }

/** Signs a page in as a user, as a login would have left it, without typing a password. */
async function signInAs(page: Page, user: TestUser, planName = 'free'): Promise<void> {
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

/** Finds what a screen reader or a keyboard user would stumble over. */
export async function expectAccessible(page: Page): Promise<void> {
  // While a prerendered page is hydrated, its fields get other ids.
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  // Colours are measured when nothing fades any more. What never ends, such as the bars of the track that is heard, fades nothing.
  await page.evaluate(async () => {
    // A change of the scheme reaches the page with the next frame, and what fades because of it with the one after.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.all(ending.map((animation) => animation.finished.catch(() => {})))
  })
  // Without frames of others all is in one page, and nothing need be put together in a second one, which takes as long again.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(page.frames().length === 1)
    .options({ resultTypes: ['violations'] })
    // A tooltip floats over the page, in none of its regions.
    .exclude('[role="tooltip"]')
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'])
    .analyze()
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) }))).toEqual([])
}

/** The link of the newest mail to someone. */
export async function readLink(product: Product, email: string, path: string): Promise<string> {
  let link: string | undefined
  await expect(async () => {
    const mails = (await product.readMails()).filter((mail) => mail.includes(`To: ${email}`))
    link = new RegExp(`${product.url}${path}\\?token=[\\w-]+`).exec(mails.at(-1) ?? '')?.[0]
    expect(link).toBeTruthy()
  }).toPass()
  return link as string
}
