import { listItems } from '@alcove/contract/item-calls'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

const toasts = (page: Page) => page.locator('.mantine-Notifications-notification')

async function openMenu(page: Page, name: string, item: string): Promise<void> {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: item }).click()
}

test('shows successes and errors inside the open dialog', async ({ page, user }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await user.client.upload('a.txt', 'a')
  await page.goto('/profile')
  await openMenu(page, 'a.txt', 'Public Link')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Enabled' }).check()
  await dialog.getByRole('button', { name: 'Copy Link' }).click()
  const toast = dialog.getByRole('status').filter({ hasText: 'Link copied!' })
  await expect(toast).toBeVisible()
  await expect(toasts(page)).toHaveCount(0)
  await expectAccessible(page)

  await dialog.getByRole('button', { name: 'Copy Link' }).click()
  await expect(toast).toHaveCount(1)

  await page.route('**/api/public-link/**', (route) => route.abort())
  await dialog.getByRole('checkbox', { name: 'Enabled' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Failed to update public link settings.')
  await expect(toast).toHaveCount(0)
  await expect(toasts(page)).toHaveCount(0)
})

test('shows a success on the page once its dialog has closed, and never the same text twice', async ({
  page,
  user: _user,
}) => {
  await page.goto('/profile')
  for (const name of ['Three', 'Four']) {
    await page.getByRole('button', { name: 'Create Folder' }).first().click()
    await page.getByLabel('Folder Name').fill(name)
    await page.keyboard.press('Enter')
    await expect(tileOf(page, name)).toBeVisible()
    await expect(toasts(page).filter({ hasText: 'Folder created successfully.' })).toBeVisible()
  }
  await expect(toasts(page)).toHaveCount(1)
})

test('moves a success to the page for its remaining time when its dialog closes late', async ({ page, user }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await user.client.upload('a.txt', 'a')
  await page.clock.install()
  await page.goto('/profile')
  await openMenu(page, 'a.txt', 'Public Link')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Enabled' }).check()
  const copy = dialog.getByRole('button', { name: 'Copy Link' })
  await expect(copy).toBeEnabled()

  // From here on, the page's clock is paused, so the toast's age doesn't depend on the speed of the machine.
  await page.clock.pauseAt(Date.now() + 5000)
  await copy.click()
  const inline = dialog.getByRole('status').filter({ hasText: 'Link copied!' })
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(inline).toBeVisible({ timeout: 200 })
  }).toPass()
  await page.clock.runFor(2000)
  await expect(inline).toBeVisible()
  await page.keyboard.press('Escape')
  const moved = toasts(page).filter({ hasText: 'Link copied!' })
  await expect(moved).toBeVisible()
  await page.clock.runFor(1000)
  await expect(moved).toBeVisible()
  await page.clock.runFor(2000)
  await expect(moved).toHaveCount(0)
})

test('shows the toast of an upload that ends during a preview once the preview is closed', async ({ page, user }) => {
  await user.client.upload('a.txt', 'a')
  await page.goto('/profile')
  await tileOf(page, 'a.txt').dblclick()
  const preview = page.getByRole('dialog', { name: 'Preview of a.txt' })
  await expect(preview).toBeVisible()
  await page
    .locator('input[type=file]:not([webkitdirectory])')
    .first()
    .setInputFiles({
      name: 'b.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('b'),
    })
  await expect.poll(async () => (await user.client.call(listItems, {})).body.total).toBe(2)
  await expect(toasts(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(toasts(page).filter({ hasText: 'File uploaded successfully.' })).toBeVisible()
})
