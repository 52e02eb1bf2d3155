import { createFolder } from '@alcove/contract/files'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

test('a server that cannot be reached is said on the page, and its return shows by itself or on Retry', async ({
  page,
  user,
}) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  let isBack = false
  await page.route('**/api/**', (route) => (isBack ? route.continue() : route.abort()))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const line = page.getByText('Alcove can’t be reached.')
  await expect(line).toBeVisible()
  await expectAccessible(page)
  await user.client.call(createFolder, { folderName: 'Meanwhile' })
  // The server comes back under the mouse: any sooner, and the page may notice by itself and take the button away.
  await page.getByRole('button', { name: 'Retry now' }).hover()
  await page.mouse.down()
  isBack = true
  await page.mouse.up()
  await expect(line).toHaveCount(0)
  await page.unroute('**/api/**')
  await expect(tileOf(page, 'Meanwhile')).toBeVisible()

  await page.route('**/api/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(line).toBeVisible()
  await page.unroute('**/api/**')
  await expect(line).toHaveCount(0)
})
