import { addFavorite, listFavorites } from '@alcove/contract/favorites'
import { createFolder } from '@alcove/contract/files'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

const heartOf = (page: Page, name: string) => page.getByRole('button', { name: `Favorite ${name}`, exact: true })

async function makeFolder(user: TestUser, folderName: string, parentFolderId?: string) {
  return (await user.client.call(createFolder, { folderName, parentFolderId })).body
}

test('adds files and folders to the favorites and removes them with the heart or the menu', async ({ page, user }) => {
  await makeFolder(user, 'Photos')
  await user.client.upload('Budget.xlsx', 'x')
  await page.goto('/favorites')
  await expect(page.getByRole('heading', { name: 'Add Favorites' })).toBeVisible()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
  await page.getByRole('link', { name: 'Go to your files' }).click()

  await tileOf(page, 'Photos').hover()
  await expect(heartOf(page, 'Photos')).toHaveAttribute('aria-pressed', 'false')
  await heartOf(page, 'Photos').click()
  await expect(page.getByRole('status').filter({ hasText: 'Added to favorites' })).toBeVisible()
  await expect(heartOf(page, 'Photos')).toHaveAttribute('aria-pressed', 'true')
  await tileOf(page, 'Budget.xlsx').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Add to Favorites' }).click()
  await expect(heartOf(page, 'Budget.xlsx')).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('link', { name: 'Favorites' }).click()
  await expect(tileOf(page, 'Photos')).toBeVisible()
  await tileOf(page, 'Budget.xlsx').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove From Favorites' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Removed from favorites' })).toBeVisible()
  await expect(tileOf(page, 'Budget.xlsx')).toHaveCount(0)
  await heartOf(page, 'Photos').click()
  await expect(page.getByRole('heading', { name: 'Add Favorites' })).toBeFocused()
  expect((await user.client.call(listFavorites, {})).body).toEqual([])
})

test('keeps the result of the last click when the heart is clicked quickly', async ({ page, user }) => {
  await user.client.upload('a.txt', 'x')
  await page.goto('/profile')
  await tileOf(page, 'a.txt').hover()
  for (let click = 0; click < 5; click++) await heartOf(page, 'a.txt').click()
  await expect(heartOf(page, 'a.txt')).toHaveAttribute('aria-pressed', 'true')
  await expect(async () => {
    expect((await user.client.call(listFavorites, {})).body).toHaveLength(1)
    expect(await page.getByRole('status').filter({ hasText: 'favorites' }).count()).toBeGreaterThan(0)
  }).toPass()
  await page.reload()
  await expect(heartOf(page, 'a.txt')).toHaveAttribute('aria-pressed', 'true')
})

test('opens, leaves, renames and deletes a favorite folder', async ({ page, user }) => {
  const photos = await makeFolder(user, 'Photos')
  const year = await makeFolder(user, '2024', photos.id)
  const trip = await makeFolder(user, 'Lisbon', year.id)
  await user.client.upload('a.txt', 'x', { folderId: trip.id })
  await user.client.call(addFavorite, { itemType: 'folder', itemId: year.id })
  await page.goto('/favorites')
  await tileOf(page, '2024').dblclick()
  await expect(page.getByText(`Current Folder: ${year.id}`)).toBeVisible()
  await tileOf(page, 'Lisbon').focus()
  await page.keyboard.press('Enter')
  await expect(tileOf(page, 'a.txt')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Folder path' })).toHaveText('Favorites2024Lisbon')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByText(`Current Folder: ${year.id}`)).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()

  await tileOf(page, '2024').hover()
  await page.getByRole('button', { name: 'Rename 2024' }).click()
  await page.getByLabel('Folder Name').fill('Last year')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Folder renamed successfully.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await tileOf(page, 'Last year').hover()
  await page.getByRole('button', { name: 'Delete Last year' }).click()
  await expect(page.getByText('Are you sure you want to delete this folder and all its contents?')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Folder deleted successfully.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Add Favorites' })).toBeVisible()
})

test('the preview goes through the favorites in the order of the page', async ({ page, user }) => {
  for (const [name, text] of Object.entries({ 'a.txt': 'longest', 'b.txt': 'short', 'c.txt': 'longer' })) {
    const { id } = await user.client.upload(name, text)
    await user.client.call(addFavorite, { itemType: 'file', itemId: id })
  }
  await page.goto('/favorites')
  await page.getByRole('button', { name: /^Sort by/ }).click()
  await page.getByRole('menuitemradio', { name: 'Size' }).click()
  await tileOf(page, 'b.txt').dblclick()
  for (const name of ['b.txt', 'c.txt', 'a.txt']) {
    await expect(page.getByRole('dialog', { name: `Preview of ${name}` })).toBeVisible()
    await page.keyboard.press('ArrowRight')
  }
})

test('Back from a folder gives it the focus among the favorites', async ({ page, user }) => {
  for (const folderName of ['Drafts', 'Letters']) {
    const { id } = (await user.client.call(createFolder, { folderName })).body
    await user.client.call(addFavorite, { itemType: 'folder', itemId: id })
  }
  await page.goto('/favorites')
  await tileOf(page, 'Letters').dblclick()
  await expect(page.getByText('An empty shelf')).toBeVisible()
  await page.goBack()
  await expect(tileOf(page, 'Letters')).toBeFocused()
})

test('restores the heart and shows an error when a favorite cannot be saved', async ({ page, user }) => {
  const file = await user.client.upload('a.txt', 'x')
  await page.goto('/profile')
  await page.route(/\/api\/favorite(\?|$)/, (route) => route.fulfill({ status: 500, json: {} }))
  await tileOf(page, 'a.txt').hover()
  await heartOf(page, 'a.txt').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to add favorite' })).toBeVisible()
  await expect(heartOf(page, 'a.txt')).toHaveAttribute('aria-pressed', 'false')
  await user.client.call(addFavorite, { itemType: 'file', itemId: file.id })
  await page.goto('/favorites')
  await heartOf(page, 'a.txt').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to remove favorite' })).toBeVisible()
  await expect(tileOf(page, 'a.txt')).toBeVisible()
  await page.route(/\/api\/favorite(\?|$)/, (route) => route.abort())
  await heartOf(page, 'a.txt').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to update favorites.' })).toBeVisible()
  await expect(tileOf(page, 'a.txt')).toBeVisible()
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the favorites are accessible in the ${scheme} scheme, also at 360 px`, async ({ page, user }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.goto('/favorites')
    await expect(page.getByRole('heading', { name: 'Add Favorites' })).toBeVisible()
    await expectAccessible(page)
    const folder = await makeFolder(user, 'Photos')
    await user.client.call(addFavorite, { itemType: 'folder', itemId: folder.id })
    const file = await user.client.upload(`${'long name '.repeat(20)}.mp3`, 'x')
    await user.client.call(addFavorite, { itemType: 'file', itemId: file.id })
    await page.reload()
    await expect(tileOf(page, 'Photos')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
}
