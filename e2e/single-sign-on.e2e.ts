import { getSignInSettings, saveProvider } from '@alcove/contract/admin-sign-in'
import { createFolder } from '@alcove/contract/files'
import { RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import { finishSignIn, startSignIn } from '@alcove/contract/single-sign-on'
import { TestClient } from '@alcove/server/testing/clients/client'
import { OIDC_CLIENT, type OidcEngine, startOidcProvider } from '@alcove/server/testing/engines/oidc-engine'
import { findFreePort } from '@alcove/server/testing/engines/ports'
import { createTestApp, type TestApp } from '@alcove/server/testing/engines/test-app'
import { providerAt } from '@alcove/server/testing/factories/providers'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, signInAs, test, waitUntilQuiet, webDirectory } from './fixtures.ts'
import { tileOf } from './users.ts'

let product: TestApp
let provider: OidcEngine
let url: string

test.beforeAll(async () => {
  const port = await findFreePort()
  url = `http://localhost:${port}`
  provider = await startOidcProvider(url)
  product = await createTestApp(
    { publicUrl: url, oidcProviders: [providerAt(provider.issuer, { groups: ['*'] })] },
    { webDirectory },
  )
  await product.app.listen({ port, host: '127.0.0.1' })
})
test.afterAll(async () => {
  await product.close()
  await provider.stop()
})

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'Continue with Keycloak' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a visitor signs in through a provider, confirms changes there, and signs out of both', async ({ page }) => {
  provider.setPerson('ada', { email: 'ada@example.com', email_verified: true })
  await page.goto(`${url}/login`)
  await expect(page.getByRole('button', { name: 'Continue with Keycloak' })).toBeVisible()
  await expectAccessible(page)
  await signIn(page, 'ada')
  await page.waitForURL(`${url}/profile`)

  await page.goto(`${url}/account`)
  await expect(page.getByRole('list', { name: 'Your sign-in providers' })).toContainText('ada@example.com')
  await expect(page.getByRole('heading', { name: 'Set a Password' })).toBeVisible()
  await expectAccessible(page)
  product.clock.advance(RECENT_SIGN_IN_WINDOW)
  await page.getByLabel('New Password').fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Set Password' }).click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Confirm with Keycloak' }).click()
  const popup = await opened
  await popup.getByLabel('Name').fill('ada')
  await popup.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Password updated successfully.')).toBeVisible()

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.waitForURL(`${url}/`)
  await signIn(page, 'ada')
  await page.waitForURL(`${url}/profile`)
})

test('an existing account is linked with its password', async ({ page }) => {
  const { email } = await product.createUser({ email: 'grace@example.com' })
  provider.setPerson('grace', { email, email_verified: true })
  await signIn(page, 'grace')
  await expect(page.getByRole('heading', { name: 'You have an account here' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Sign in and link' }).click()
  await page.waitForURL(`${url}/profile`)
})

test('a refused sign-in says why and leads back', async ({ page }) => {
  await signIn(page, 'nobody')
  await expect(page.getByText('because it was cancelled or not allowed there')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to the sign-in page' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test('people share folders with a group of the provider', async ({ page }) => {
  const claims = (email: string) => ({ email, email_verified: true, groups: ['staff'] })
  provider.setPerson('eve', claims('eve@example.com'))
  provider.setPerson('bob', claims('bob@example.com'))
  const { body } = await product.visitor.call(startSignIn, { provider: 'keycloak' })
  const { search } = await provider.visit(body.url, 'bob')
  await product.visitor.call(finishSignIn, { provider: 'keycloak', query: search.slice(1), secret: body.secret })
  await signIn(page, 'eve')
  await page.waitForURL(`${url}/profile`)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await new TestClient(product.app, token).call(createFolder, { folderName: 'Trip' })
  await page.reload()
  await tileOf(page, 'Trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share With People' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share with people' })
  await expect(dialog.getByLabel('Group')).toContainText('staff (Keycloak, 2 people)')
  await dialog.getByRole('button', { name: 'Invite Group' }).click()
  await expect(dialog.getByText('bob@example.com')).toBeVisible()
  await expect(dialog.getByText('Keycloak, 1 person')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Groups…' }).click()
  const groups = page.getByRole('dialog', { name: 'Groups' })
  await expect(groups.getByText('Who is in the groups from Keycloak is decided there.')).toBeVisible()
  await expect(groups.getByText('Keycloak, 2 people · 1 folder')).toBeVisible()
  await expect(groups.getByRole('button', { name: 'Edit staff' })).toHaveCount(0)
  await expectAccessible(page)
})

test('an administrator adds a provider, tests it, and switches passwords off', async ({ page }) => {
  await signInAs(page, await product.createUser({ isAdmin: true }))
  await page.goto(`${url}/admin/sign-in`)
  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByLabel('Label').fill('Our family')
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByLabel('Client ID').fill(OIDC_CLIENT.id)
  await page.getByRole('textbox', { name: 'Client secret' }).fill(OIDC_CLIENT.secret)
  await expect(page.getByText(`${url}/sign-in/callback/ourfamily`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Our family' })
  await row.getByRole('button', { name: 'Test' }).click()
  await expect(row.getByText('can be reached and accepts this server')).toBeVisible()
  await page.getByLabel('Users may sign in with passwords and passkeys').uncheck()
  await expect(page.getByText('Passwords are off, except for administrators.')).toBeVisible()
  await expectAccessible(page)

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${url}/login`)
  await expect(page.getByRole('button', { name: 'Continue with Our family' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign in with a password' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
})

test('an administrator orders providers faster than the order is saved', async ({ page }) => {
  const administrator = await product.createUser({ isAdmin: true })
  await administrator.client.call(saveProvider, { ...providerAt(provider.issuer), name: 'club', label: 'Club' })
  await administrator.client.call(saveProvider, { ...providerAt(provider.issuer), name: 'school', label: 'School' })
  await signInAs(page, administrator)
  const held: (() => Promise<void>)[] = []
  await page.route('**/api/admin/sign-in', (route) => {
    if (route.request().method() === 'PUT') held.push(() => route.continue())
    else void route.continue()
  })
  await page.goto(`${url}/admin/sign-in`)
  const list = page.getByRole('list', { name: 'Providers' })
  const up = list.getByRole('button', { name: 'Move School up' })
  await expect(up).toBeVisible()
  const moves = (await list.getByRole('listitem').count()) - 1
  for (let times = 0; times <= moves; times++) await up.press('Enter')
  await expect(list.getByRole('listitem').first()).toContainText('School')
  await expect(up).toBeFocused()
  await expect(up).toBeDisabled()
  for (let saved = 0; saved < moves; saved++) {
    await expect.poll(() => held.length).toBe(saved + 1)
    await held[saved]?.()
  }
  await waitUntilQuiet(page)
  await expect(list.getByRole('listitem').first()).toContainText('School')
  expect((await administrator.client.call(getSignInSettings, {})).body.providers[0]?.name).toBe('school')
  await expectAccessible(page)
})
