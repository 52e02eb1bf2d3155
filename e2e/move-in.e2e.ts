import { expect, expectAccessible, test } from './fixtures.ts'

test('shows how to move from another service, with a new app password filled in', async ({ page, user, product }) => {
  await page.goto('/account')
  await page.getByRole('link', { name: 'Move files here' }).click()
  await expect(page).toHaveTitle('Move in · Alcove')
  const steps = page.getByRole('article')
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText('Nextcloud')
  await page.getByRole('button', { name: 'Dropbox' }).click()
  await expect(steps.getByRole('heading', { level: 3 })).toBeFocused()
  await expect(page).toHaveURL(`${product.url}/move-in?from=dropbox`)
  await steps.getByRole('button', { name: 'Create a password for Dropbox' }).click()
  const form = page.getByRole('dialog', { name: 'Create app password' })
  await expect(form.getByLabel('Name')).toHaveValue('Dropbox')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  const created = page.getByRole('dialog', { name: 'Your new app password' })
  const secret = (await created.locator('code').first().textContent()) as string
  await created.getByRole('button', { name: 'Done' }).click()
  await expect(steps).toContainText(
    `rclone config create alcove webdav url=${product.url}/dav/ vendor=owncloud user=${user.email} pass=${secret} --obscure`,
  )
  await expect(steps).toContainText('rclone copy dropbox: "alcove:Dropbox"')
  // The other page of instructions may show it too; leaving both forgets it.
  await page.getByRole('main').getByRole('link', { name: 'connect an app' }).click()
  await expect(steps).toContainText(secret)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' }).click()
  await page.getByRole('link', { name: 'Move files here' }).click()
  await expect(steps).toContainText('pass=YOUR-APP-PASSWORD')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`is accessible and fits a phone in the ${colorScheme} scheme`, async ({ page, user: _user }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 360, height: 740 })
    for (const from of ['nextcloud', 'google-drive', 'other']) {
      await page.goto(`/move-in?from=${from}`)
      await expect(page.getByRole('article')).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    }
  })
}
