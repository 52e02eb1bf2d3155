import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'

/** Presses keys one after the other, without waiting for the page in between. */
async function pressAtOnce(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

test.beforeEach(async ({ page, user }) => {
  for (const name of ['a.txt', 'b.txt']) await user.client.upload(name, 'text')
  await page.goto('/profile')
  await tileOf(page, 'a.txt').focus()
})

test('keeps keys from the file below from the moment a dialog is requested', async ({ page }) => {
  const dialog = page.getByRole('dialog')
  // The first time, the dialog may have to be fetched.
  for (let time = 0; time < 3; time += 1) {
    await pressAtOnce(page, 'F2', 'Enter', 'ArrowRight', 'Delete')
    await expect(page.getByLabel('File Name')).toBeFocused()
    await expect(dialog).toHaveCount(1)
    await expect(page.getByLabel('File Name')).toHaveValue('a')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(tileOf(page, 'a.txt')).toBeFocused()
  }
})

test('gives the file its keys back in the moment a dialog closes', async ({ page }) => {
  for (let time = 0; time < 3; time += 1) {
    await page.keyboard.press('F2')
    await expect(page.getByLabel('File Name')).toBeFocused()
    await pressAtOnce(page, 'Escape', 'F2')
    await expect(page.getByRole('dialog', { name: 'Rename File' })).toBeVisible()
    await expect(page.getByLabel('File Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(tileOf(page, 'a.txt')).toBeFocused()
  }
})

test('asks for the name of the next file while the dialog of the last one fades out', async ({ page }) => {
  await page.keyboard.press('F2')
  await expect(page.getByLabel('File Name')).toBeFocused()
  await page.keyboard.press('x')
  await pressAtOnce(page, 'Escape', 'ArrowRight', 'F2')
  await expect(page.getByLabel('File Name')).toHaveValue('b')
  await expect(page.getByLabel('File Name')).toBeFocused()
  await page.keyboard.type('second')
  await page.keyboard.press('Enter')
  await expect(tileOf(page, 'second.txt')).toBeVisible()
  await expect(tileOf(page, 'a.txt')).toBeVisible()
})

test('closes a dialog with an Escape that comes before it has the focus', async ({ page }) => {
  for (let time = 0; time < 3; time += 1) {
    await pressAtOnce(page, 'F2', 'Escape')
    await expect(tileOf(page, 'a.txt')).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.keyboard.press('F2')
  await expect(page.getByLabel('File Name')).toBeFocused()
})
