import { createFolder } from '@alcove/contract/files'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'

/** Presses keys one after the other, without waiting for the page in between. */
async function pressAtOnce(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

/** Presses keys in one moment, in which no dialog can get the focus. */
async function pressInOneMoment(page: Page, ...keys: string[]): Promise<void> {
  await page.evaluate((all) => {
    for (const key of all) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }
  }, keys)
}

test.beforeEach(async ({ page, user }) => {
  for (const name of ['a.txt', 'b.txt']) await user.client.upload(name, 'text')
  await page.goto('/profile')
  // Until its scripts have loaded, the page shows tiles that don't know keys yet.
  await expect(async () => {
    await tileOf(page, 'a.txt').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tileOf(page, 'b.txt')).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('ArrowLeft')
  await expect(tileOf(page, 'a.txt')).toBeFocused()
})

test('keeps keys from the file below from the moment a dialog is requested', async ({ page }) => {
  const dialog = page.getByRole('dialog')
  // The first time, the dialog may have to be fetched.
  for (let time = 0; time < 3; time += 1) {
    await pressInOneMoment(page, 'F2', 'Enter', 'ArrowRight', 'Delete')
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

test('leads to the search box and out of a folder while a dialog fades out', async ({ page, user }) => {
  await page.keyboard.press('F2')
  await expect(page.getByLabel('File Name')).toBeFocused()
  await pressAtOnce(page, 'Escape', '/')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()

  const folder = (await user.client.call(createFolder, { folderName: 'Trip' })).body
  await user.client.upload('c.txt', 'text', { folderId: folder.id })
  await page.goto(`/profile?folder=${folder.id}`)
  const field = page.getByLabel('File Name')
  await expect(async () => {
    if (await field.isHidden()) {
      await tileOf(page, 'c.txt').focus({ timeout: 500 })
      await page.keyboard.press('F2')
    }
    await expect(field).toBeFocused({ timeout: 2000 })
  }).toPass()
  await pressAtOnce(page, 'Escape', 'Alt+ArrowUp')
  await expect(tileOf(page, 'Trip')).toBeFocused()
})

test('closes a dialog with an Escape that comes before it has the focus', async ({ page }) => {
  for (let time = 0; time < 3; time += 1) {
    await pressAtOnce(page, 'F2', 'Escape')
    await expect(tileOf(page, 'a.txt')).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  // The dialog that was refused may still be on its way, and keeps keys until then.
  await expect(async () => {
    await page.keyboard.press('F2')
    await expect(page.getByLabel('File Name')).toBeFocused({ timeout: 2000 })
  }).toPass()
})

test('undoes with a key that is pressed in the moment the dialog is gone', async ({ page }) => {
  await page.keyboard.press('F2')
  await expect(page.getByLabel('File Name')).toBeFocused()
  await page.keyboard.type('c')
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('[role="dialog"]') || !document.body.innerText.includes('renamed successfully')) return
      observer.disconnect()
      const pressed = { key: 'z', ctrlKey: true, bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', pressed))
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.keyboard.press('Enter')
  await expect(page.getByText('File renamed back.')).toBeVisible()
  await expect(tileOf(page, 'a.txt')).toBeVisible()
})
