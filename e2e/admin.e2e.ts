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
