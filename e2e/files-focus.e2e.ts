import { createFolder, renameFile } from '@alcove/contract/files'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, type Product, test } from './fixtures.ts'
import { makePng } from './sample-files.ts'
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

/** Opens a folder with 3,000 files in the list view. The first ones by name are the last ones by size. */
async function openLongList(page: Page, product: Product, user: TestUser): Promise<void> {
  const { id: folderId } = (await user.client.call(createFolder, { folderName: 'Long' })).body
  const add = (size: number, from: number, to: number) => {
    const names = Array.from({ length: to - from }, (_one, place) => `photo ${from + place}.txt`)
    return addManyItems(product.services, { ownerId: user.id, folderId, names, size })
  }
  await add(9, 0, 10)
  await add(1, 10, 3000)
  await page.goto(`/profile?folder=${folderId}`)
  await chooseView(page, 'List')
  await expect(page.getByRole('status').filter({ hasText: '3,000 items' })).toBeAttached()
}

const sortBySize = async (page: Page) => {
  const size = page.getByRole('columnheader', { name: 'Size' })
  await size.getByRole('button').click()
  await expect(size).toHaveAttribute('aria-sort', 'ascending')
  await expect(itemOf(page, 'photo 10.txt')).toHaveAttribute('data-index', '0')
}

test('stays at the top of a long list that is sorted after its last item had the focus', async ({
  page,
  product,
  user,
}) => {
  await openLongList(page, product, user)
  await select(page, 'photo 1.txt')
  await page.keyboard.press('End')
  await expect(itemOf(page, 'photo 2999.txt')).toBeFocused()
  await page.evaluate(() => window.scrollTo(0, 0))
  await sortBySize(page)
  // The last of the later pages has loaded.
  await page.waitForTimeout(2000)
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await expect(page.getByRole('columnheader', { name: 'Size' }).getByRole('button')).toBeFocused()
})

test('keeps the selected items of a long list that is sorted', async ({ page, product, user }) => {
  await openLongList(page, product, user)
  await select(page, 'photo 1.txt')
  for (let count = 2; count <= 6; count += 1) await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('status').filter({ hasText: '6 items selected' })
  await expect(bar).toBeAttached()
  // The later pages are held, so the selected items aren't in the list.
  const released = Promise.withResolvers<void>()
  await page.route(/\/api\/items\?.*cursor=/, async (route) => {
    await released.promise
    // The page may have aborted the request in the meantime.
    await route.continue().catch(() => {})
  })
  await sortBySize(page)
  await expect(bar).toBeAttached()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog')).toContainText('6 items')
  await page.keyboard.press('Escape')
  released.resolve()
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await expect(itemOf(page, 'photo 1.txt')).toHaveAttribute('aria-selected', 'true')
  await expect(bar).toBeAttached()
  await expect(page.locator('[data-item-id][aria-selected="true"]')).toHaveCount(6)
})

test('deletes and renames what is selected and not what has the focus', async ({ page, user }) => {
  await uploadAll(user, 'a.txt', 'b.txt', 'c.txt', 'd.txt')
  await page.goto('/profile')
  await select(page, 'a.txt')
  await page.keyboard.press('ControlOrMeta+ArrowRight')
  await expect(itemOf(page, 'b.txt')).toBeFocused()
  await page.keyboard.press('F2')
  await expect(page.getByLabel('File Name')).toHaveValue('a')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('ControlOrMeta+ArrowRight')
  await expect(itemOf(page, 'd.txt')).toBeFocused()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await expect(itemOf(page, name)).toHaveCount(0)
  await expect(itemOf(page, 'd.txt')).toBeVisible()
})

test('selects and focuses the file that the preview showed last', async ({ page, user }) => {
  for (const name of ['1.png', '2.png', '3.png']) await user.client.upload(name, makePng(40, 30, [80, 100, 90]))
  await page.goto('/profile')
  await select(page, '1.png')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Preview of 1.png' })).toBeVisible()
  for (const name of ['2.png', '3.png']) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('dialog', { name: `Preview of ${name}` })).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(itemOf(page, '3.png')).toBeFocused()
  await expect(itemOf(page, '3.png')).toHaveAttribute('aria-selected', 'true')
  await expect(itemOf(page, '1.png')).toHaveAttribute('aria-selected', 'false')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog')).toContainText('3.png')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('keeps the focus on an item that is renamed by its menu', async ({ page, user }) => {
    await uploadAll(user, 'a.txt', 'b.txt', 'c.txt', 'd.txt')
    await page.goto('/profile')
    const menu = page.getByRole('dialog')
    await expect(async () => {
      if (await menu.isHidden())
        await page.getByRole('button', { name: 'More actions for a.txt' }).tap({ timeout: 1000 })
      await expect(menu).toBeVisible({ timeout: 1000 })
    }).toPass()
    await menu.getByRole('button', { name: 'Rename' }).tap()
    await page.getByLabel('File Name').fill('z')
    await page.getByRole('button', { name: 'Rename', exact: true }).tap()
    await expect(itemOf(page, 'z.txt')).toBeFocused()
  })
})
