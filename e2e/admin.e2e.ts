import { suspendUser } from '@alcove/contract/admin-users'
import { readSetupUrl } from '@alcove/server/testing/factories/administrators'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { expect, expectAccessible, signInAs, siteTest as test } from './fixtures.ts'

test('the first administrator signs up at the one-time address, and is the only one who sees the admin area', async ({
  page,
  site: product,
  browser,
}) => {
  const url = await readSetupUrl(product)
  await page.goto(url)
  await page.getByLabel('Email').fill('operator@example.com')
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create the administrator' }).click()
  await page.waitForURL(/\/admin\/.+/)
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByText('operator@example.com became the first administrator')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  const other = await browser.newPage({ baseURL: product.url })
  await other.goto(url)
  await expect(other.getByRole('heading', { name: 'This address no longer works' })).toBeVisible()
  await signInAs(other, await product.createUser())
  await other.goto('/admin/audit-log')
  await expect(other).toHaveURL(`${product.url}/`)
  await other.goto('/profile')
  await expect(other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' })).toBeVisible()
  await expect(other.getByRole('link', { name: 'Admin' })).toHaveCount(0)
  await other.close()
})

test('loads the audit log again with Retry after it could not be refreshed', async ({ page, site: product }) => {
  const admin = await product.createUser({ isAdmin: true })
  const [first, second] = [await product.createUser(), await product.createUser()]
  await admin.client.call(suspendUser, { id: first.id })
  await signInAs(page, admin)
  await page.goto('/admin/audit-log')
  await expect(page.getByText(`${first.email} was suspended`)).toBeVisible()
  await page.route('**/api/admin/audit-log', (route) => route.fulfill({ status: 400, json: { message: 'no' } }))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('alert')).toContainText('Unable to load the audit log.')
  await page.unroute('**/api/admin/audit-log')
  await admin.client.call(suspendUser, { id: second.id })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(`${second.email} was suspended`)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})
