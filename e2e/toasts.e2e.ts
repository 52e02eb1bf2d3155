import { listItems } from '@alcove/contract/item-calls'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

const toasts = (page: Page) => page.locator('.mantine-Notifications-notification')

async function openMenu(page: Page, name: string, item: string): Promise<void> {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: item }).click()
}

test('a dialog shows its successes and errors inside it', async ({ page, user }) => {
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

test('an answer appears on the page when its dialog closes, and equal ones are shown once', async ({
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

test('an upload that ends during a preview shows its toast once the preview is closed', async ({ page, user }) => {
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
