import { addUsers } from '@alcove/server/testing/factories/administrators'
import { expect, expectAccessible, signInAs, siteTest as test } from './fixtures.ts'

test('an administrator finds a user, changes the quota and suspends the account, which signs the user out', async ({
  page,
  site: product,
  browser,
}) => {
  const user = await product.createUser()
  const admin = await product.createUser({ isAdmin: true })
  await addUsers(product, 2000)
  await signInAs(page, admin)
  await page.goto('/admin/users')
  const list = page.getByRole('list', { name: 'Users' })
  await expect(page.getByText('2,002 users')).toBeVisible()
  await expectAccessible(page)

  // The arrow keys move between rows, also beyond those in view.
  await list.getByRole('button').first().focus()
  for (const key of ['ArrowDown', 'End', 'End']) await page.keyboard.press(key)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(10_000)
  await page.keyboard.press('Home')
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(400)

  const other = await browser.newPage({ baseURL: product.url })
  await signInAs(other, user)
  await other.goto('/profile')
  await page.getByRole('searchbox', { name: 'Search users' }).fill(user.email.slice(0, 12).toUpperCase())
  await expect(page.getByText('1 user found')).toBeVisible()
  await list.getByRole('button', { name: user.email }).press('Enter')
  const dialog = page.getByRole('dialog', { name: user.email })
  await dialog.getByLabel('Own quota in GB').fill('3')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('0 B of 3 GB (the plan has 10 GB)')).toBeVisible()
  await expectAccessible(page)

  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog', { name: 'Suspend this account?' }).getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByRole('button', { name: 'End the suspension' })).toBeVisible()
  await other.getByRole('link', { name: 'Trash' }).click()
  await expect(other.getByRole('heading', { name: /This account is suspended\. Write to .+@/ })).toBeVisible()
  await other.close()

  await page.keyboard.press('Escape')
  await expect(list.getByRole('button', { name: user.email })).toContainText('Suspended')
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByText(`${user.email} was suspended`)).toBeVisible()
})
