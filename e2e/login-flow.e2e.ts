import { listAppPasswords } from '@alcove/contract/app-passwords'
import { listItems } from '@alcove/contract/item-calls'
import { LOGIN_FLOW_TTL, RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import { TestClient } from '@alcove/server/testing/clients/client'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test } from './fixtures.ts'
import { logIn } from './users.ts'

const DESKTOP = 'work-laptop (Desktop Client - Linux)'

/** Starts a login flow as a client does. */
async function start({ url }: Product, userAgent = DESKTOP) {
  const response = await fetch(`${url}/index.php/login/v2`, { method: 'POST', headers: { 'user-agent': userAgent } })
  return (await response.json()) as { poll: { token: string; endpoint: string }; login: string }
}

async function poll({ poll: { token, endpoint } }: Awaited<ReturnType<typeof start>>) {
  const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams({ token }) })
  const body = (await response.json()) as { loginName?: string; appPassword?: string }
  return { status: response.status, ...body }
}

const allowButton = (page: Page) => page.getByRole('button', { name: 'Allow' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('a user signs in, allows a Nextcloud client, and the client can read the files', async ({ page, product }) => {
  const user = await product.createUser()
  const flow = await start(product)
  // The desktop client adds the name of the computer's user.
  await page.goto(`${flow.login}?user=ann`)
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, user.email, TEST_PASSWORD)

  await expect(heading(page, `Allow “${DESKTOP}” to access your files?`)).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`Account${user.email}`)
  await expect(page.getByRole('main')).toContainText('Share them by public links')
  await expect(page.getByRole('main')).toContainText('If someone sent you a link to this page, choose Cancel.')
  await expectAccessible(page)
  expect((await poll(flow)).status).toBe(404)
  await allowButton(page).dblclick()
  await expect(heading(page, 'You’re all set')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'You can go back to the app.' })).toBeFocused()
  await expectAccessible(page)

  const { status, loginName, appPassword } = await poll(flow)
  expect({ status, loginName }).toEqual({ status: 200, loginName: user.email })
  expect((await new TestClient(product.app, appPassword).call(listItems, {})).status).toBe(200)
  const { appPasswords } = (await user.client.call(listAppPasswords, {})).body
  expect(appPasswords.map(({ name }) => name)).toEqual([DESKTOP])

  await page.reload()
  await expect(heading(page, 'This request has ended')).toBeVisible()
})

test('a user denies a client, which then gets nothing', async ({ page, user: _user, product }) => {
  const flow = await start(product)
  await page.goto(flow.login)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(heading(page, 'Access denied')).toBeVisible()
  expect((await poll(flow)).status).toBe(404)
  await page.getByRole('link', { name: 'Go to your files' }).click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('a user who is signed in with the wrong account switches and comes back to the same client', async ({
  page,
  user,
  product,
}) => {
  const other = await product.createUser()
  const flow = await start(product)
  await page.goto(`${flow.login}?user=ann`)
  await expect(page.getByRole('main')).toContainText(`Account${user.email}`)
  // A plan that was chosen in an earlier visit.
  await page.evaluate(() => localStorage.setItem('pendingPlan', '6'))
  await page.getByRole('button', { name: 'Use another account' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(async () => (await user.client.call(listItems, {})).status).toBe(401)
  await logIn(page, other.email, TEST_PASSWORD)

  await expect(heading(page, `Allow “${DESKTOP}” to access your files?`)).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`Account${other.email}`)
  await allowButton(page).click()
  await expect(heading(page, 'You’re all set')).toBeVisible()
  expect(await poll(flow)).toMatchObject({ status: 200, loginName: other.email })
})

test('a plan that a visitor chose before does not lead to the payment instead of the client', async ({
  page,
  product,
}) => {
  const user = await product.createUser()
  await page.goto('/')
  await page.getByRole('button', { name: 'Choose Plan' }).first().click()
  await expect(page).toHaveURL('/login?redirect=payment')
  await page.goto((await start(product)).login)
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, user.email, TEST_PASSWORD)
  await expect(heading(page, `Allow “${DESKTOP}” to access your files?`)).toBeVisible()
})

test('an old sign-in is confirmed before a client is allowed', async ({ page, user: _user, product }) => {
  const flow = await start(product)
  await page.goto(flow.login)
  await expect(allowButton(page)).toBeVisible()
  product.clock.advance(RECENT_SIGN_IN_WINDOW)
  await allowButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(allowButton(page)).toBeEnabled()
  expect((await poll(flow)).status).toBe(404)
  await allowButton(page).click()
  await dialog.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(heading(page, 'You’re all set')).toBeVisible()
  expect((await poll(flow)).status).toBe(200)
})

test('a request that has expired or was made up says to start again in the app', async ({
  page,
  user: _user,
  product,
}) => {
  await page.goto('/login/flow/unknown')
  await expect(heading(page, 'This request has ended')).toBeVisible()
  await expectAccessible(page)
  const flow = await start(product)
  await page.goto(flow.login)
  await expect(allowButton(page)).toBeVisible()
  product.clock.advance(LOGIN_FLOW_TTL)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(heading(page, 'This request has ended')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'start again in the app' })).toBeVisible()
})

test('without a connection the answer can be given again', async ({ page, user: _user, product, context }) => {
  const flow = await start(product)
  await page.goto(flow.login)
  await expect(allowButton(page)).toBeVisible()
  await context.setOffline(true)
  await allowButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t reach the server.' })).toBeVisible()
  await context.setOffline(false)
  await allowButton(page).click()
  await expect(heading(page, 'You’re all set')).toBeVisible()
  expect((await poll(flow)).status).toBe(200)
})

test('a hostile name is shown as text, on a small screen and in the dark', async ({ page, user: _user, product }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const name = `<img src=x onerror=alert(1)>${'W'.repeat(200)}`
  await page.goto((await start(product, name)).login)
  await expect(heading(page, /^Allow “<img src=x onerror=alert\(1\)>W+” to access/)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
  await expectAccessible(page)
})

test('an app that shows the page itself is opened with its app password', async ({ page, user, product }) => {
  const violations: string[] = []
  await page.exposeFunction('report', (directive: string) => violations.push(directive))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      (window as unknown as { report(directive: string): void }).report(violatedDirective),
    ),
  )
  await page.setExtraHTTPHeaders({ 'ocs-apirequest': 'true' })
  await page.goto('/index.php/login/flow')
  await allowButton(page).click()
  const address = await page.getByRole('link', { name: 'Open the app' }).getAttribute('href')
  const [, server, name, password] = /^nc:\/\/login\/server:(.*)&user:(.*)&password:(.*)$/.exec(address ?? '') ?? []
  expect([server, decodeURIComponent(name ?? '')]).toEqual([product.url, user.email])
  expect((await new TestClient(product.app, password).call(listItems, {})).status).toBe(200)
  expect(violations).toEqual([])
})
