import { createFolder, renameFolder } from '@alcove/contract/files'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'

test('shows a change from one tab in another tab', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Here before' })
  await page.goto('/profile')
  const other = await page.context().newPage()
  await other.addInitScript(
    await page.evaluate(() => `Object.assign(localStorage, ${JSON.stringify({ ...localStorage })})`),
  )
  await other.goto('/profile')
  await expect(tileOf(other, 'Here before')).toBeVisible()
  await expect(tileOf(page, 'Here before')).toBeVisible()
  await other.getByRole('button', { name: 'Create Folder' }).first().click()
  await other.getByLabel('Folder Name').fill('Made there')
  await other.keyboard.press('Enter')
  await expect(tileOf(page, 'Made there')).toBeVisible()
})

test('shows a change from another device when the window gets the focus', async ({ page, user }) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  await user.client.call(createFolder, { folderName: 'From the phone' })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(tileOf(page, 'From the phone')).toBeVisible()
})

test('shows a change from another device within 30 seconds', async ({ page, user }) => {
  const folder = (await user.client.call(createFolder, { folderName: 'Before' })).body
  await page.clock.install()
  await page.goto('/favorites')
  await page.getByRole('link', { name: 'Profile' }).first().click()
  await expect(tileOf(page, 'Before')).toBeVisible()
  await user.client.call(renameFolder, { id: folder.id, newName: 'After' })
  await page.clock.runFor(30_000)
  await expect(tileOf(page, 'After')).toBeVisible()
})
