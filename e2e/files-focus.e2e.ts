import { createFolder, renameFile } from '@alcove/contract/files'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { holdChunksAfter, longText } from './uploading.ts'
import { choose, chooseView } from './users.ts'

/** The position of a click on the name of a tile, away from its buttons. */
const onName = { position: { x: 90, y: 12 } }

/** Returns the tile or row of an item. */
const itemOf = (page: Page, name: string) => page.locator(`[data-item-id][aria-label^="${name}, "]`)

async function uploadAll(user: TestUser, ...names: readonly string[]): Promise<void> {
  for (const name of names) await user.client.upload(name, name)
}

/** Clicks an item until its page, whose tiles show before the scripts have loaded, selects it. */
async function select(page: Page, name: string): Promise<void> {
  await expect(async () => {
    await itemOf(page, name).click(onName)
    await expect(itemOf(page, name)).toHaveAttribute('aria-selected', 'true', { timeout: 500 })
  }).toPass()
  await expect(itemOf(page, name)).toBeFocused()
}

for (const view of ['Grid', 'List'] as const)
  test(`keeps the focus on an item that changes rows in the ${view.toLowerCase()} view`, async ({ page, user }) => {
    await uploadAll(user, 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt', 'g.txt', 'h.txt')
    await page.goto('/profile')
    await chooseView(page, view)
    await select(page, 'g.txt')
    await user.client.upload('a.txt', 'x')
    await expect(itemOf(page, 'a.txt')).toBeVisible()
    await expect(itemOf(page, 'g.txt')).toBeFocused()
    await user.client.call(createFolder, { folderName: 'Folder' })
    await expect(itemOf(page, 'Folder')).toBeVisible()
    await expect(itemOf(page, 'g.txt')).toBeFocused()
    await user.client.call(renameFile, { oldFilename: 'g.txt', newName: '0.txt' })
    await expect(itemOf(page, '0.txt')).toBeFocused()

    await page.keyboard.press('F2')
    await page.getByLabel('File Name').fill('z')
    await page.keyboard.press('Enter')
    await expect(itemOf(page, 'z.txt')).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowUp')
    await expect(page.locator('[data-item-id]:focus')).toHaveCount(1)
  })

test('keeps the focus on an item that moves down while the user uploads a file', async ({ page, user }) => {
  await uploadAll(user, 'b.txt', 'c.txt', 'd.txt')
  await page.goto('/profile')
  await chooseView(page, 'List')
  const release = await holdChunksAfter(page, 0)
  await choose(page, 'Upload File', [longText('a.txt')])
  await select(page, 'c.txt')
  await release()
  await expect(itemOf(page, 'a.txt')).toBeVisible()
  await expect(itemOf(page, 'c.txt')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(itemOf(page, 'd.txt')).toBeFocused()
})

test('leaves the focus where the user has moved it when an item changes rows', async ({ page, user }) => {
  await uploadAll(user, 'b.txt', 'c.txt', 'd.txt')
  await page.goto('/profile')
  await chooseView(page, 'List')
  await select(page, 'c.txt')
  await page.getByRole('combobox', { name: 'Search' }).focus()
  await user.client.upload('a.txt', 'x')
  await expect(itemOf(page, 'a.txt')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()

  // An item that moves while its dialog is open gets the focus back after the dialog.
  await select(page, 'c.txt')
  await page.keyboard.press('F2')
  await expect(page.getByLabel('File Name')).toBeFocused()
  await user.client.upload('aa.txt', 'x')
  await expect(itemOf(page, 'aa.txt')).toBeVisible()
  await expect(page.getByLabel('File Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(itemOf(page, 'c.txt')).toBeFocused()

  // Without a focused item, the page keeps it that way.
  await page.mouse.click(700, 880)
  await user.client.upload('aaa.txt', 'x')
  await expect(itemOf(page, 'aaa.txt')).toBeVisible()
  await expect(page.locator('[data-item-id]:focus')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('keeps the focus on an item that is renamed by its menu', async ({ page, user }) => {
    await uploadAll(user, 'a.txt', 'b.txt', 'c.txt', 'd.txt')
    await page.goto('/profile')
    await expect(async () => {
      await page.getByRole('button', { name: 'More actions for a.txt' }).tap()
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).tap({ timeout: 1000 })
    }).toPass()
    await page.getByLabel('File Name').fill('z')
    await page.getByRole('button', { name: 'Rename', exact: true }).tap()
    await expect(itemOf(page, 'z.txt')).toBeFocused()
  })
})
