import { createFolder } from '@alcove/contract/files'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

test('shows a banner while the server is unreachable, and recovers on Retry or automatically', async ({
  page,
  user,
}) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  let isReachable = false
  await page.route('**/api/**', (route) => (isReachable ? route.continue() : route.abort()))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const banner = page.getByText('Alcove can’t be reached.')
  await expect(banner).toBeVisible()
  await expectAccessible(page)
  await user.client.call(createFolder, { folderName: 'Meanwhile' })
  // The server comes back while the mouse is down. Earlier, the page might notice by itself and remove the button.
  await page.getByRole('button', { name: 'Retry now' }).hover()
  await page.mouse.down()
  isReachable = true
  await page.mouse.up()
  await expect(banner).toHaveCount(0)
  await page.unroute('**/api/**')
  await expect(tileOf(page, 'Meanwhile')).toBeVisible()

  await page.route('**/api/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(banner).toBeVisible()
  await page.unroute('**/api/**')
  await expect(banner).toHaveCount(0)
})
