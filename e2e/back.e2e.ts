import { createFolder, getFolder } from '@alcove/contract/files'
import { createLink } from '@alcove/contract/links'
import { createFolderPaths } from '@alcove/contract/uploads'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'

const dialog = (page: Page) => page.getByRole('dialog')

/** Presses the Back button of a mouse. */
async function pressMouseBack(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  for (const type of ['mousePressed', 'mouseReleased'] as const)
    await client.send('Input.dispatchMouseEvent', { type, x: 700, y: 5, button: 'back', clickCount: 1 })
}

test('Back closes the Create Folder dialog and stays in the folder', async ({ page, user }) => {
  const folder = (await user.client.call(createFolder, { folderName: 'Trips' })).body
  await page.goto('/profile')
  await tileOf(page, 'Trips').dblclick()
  await expect(page.getByText(`Current Folder: ${folder.id}`)).toBeVisible()
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await expect(page.getByLabel('Folder Name')).toBeFocused()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/folder=/)

  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await page.getByLabel('Folder Name').fill('Lisbon')
  await page.keyboard.press('Enter')
  await expect(tileOf(page, 'Lisbon')).toBeVisible()
  const { subFolders } = (await user.client.call(getFolder, { id: folder.id })).body
  expect(subFolders.map(({ name }) => name)).toEqual(['Lisbon'])
  await expect(dialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
  await page.goForward()
  await expect(page.getByText(`Current Folder: ${folder.id}`)).toBeVisible()
})

test('Back returns to the previous folder in one step after Escape has closed a dialog', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Trips' })
  await page.goto('/profile')
  await tileOf(page, 'Trips').dblclick()
  await expect(page).toHaveURL(/folder=/)
  for (let attempt = 0; attempt < 2; attempt++) {
    await page.getByRole('button', { name: 'Create Folder' }).first().click()
    await expect(page.getByLabel('Folder Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
  await page.goBack()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
})

test('Back closes nested overlays one by one, then the preview, then leaves the page', async ({ page, user }) => {
  await user.client.upload('a.txt', 'a')
  await page.goto('/favorites')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click()
  await tileOf(page, 'a.txt').dblclick()
  const preview = page.getByRole('dialog', { name: 'Preview of a.txt' })
  await expect(preview).toBeVisible()
  await preview.getByRole('button', { name: /public link/i }).click()
  await expect(page.getByRole('dialog', { name: 'Public Link' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Public Link' })).toHaveCount(0)
  await expect(preview).toBeVisible()
  await page.goBack()
  await expect(preview).toHaveCount(0)
  await expect(page).toHaveURL(/\/profile$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/favorites$/)
})

test('the mouse Back button closes a menu, and Forward does not reopen it', async ({ page, user }) => {
  await user.client.upload('a.txt', 'a')
  await page.goto('/profile')
  await page.getByRole('button', { name: /^Sort by/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await pressMouseBack(page)
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page).toHaveURL(/\/profile$/)
  await page.goForward()
  await expect(page.getByRole('menu')).toHaveCount(0)

  await tileOf(page, 'a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(dialog(page)).toBeVisible()
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(tileOf(page, 'a.txt')).toBeVisible()
})

test('Back leaves in one step after the page was reloaded with an open dialog', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Trips' })
  await page.goto('/profile')
  await tileOf(page, 'Trips').dblclick()
  await expect(page).toHaveURL(/folder=/)
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await expect(page.getByLabel('Folder Name')).toBeFocused()
  await expect.poll(() => page.evaluate(() => history.state?.overlayDepth)).toBe(1)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
})

test('a dialog that closes does not go back by itself, which would stop a reload that is starting', async ({
  page,
  user,
}) => {
  await user.client.call(createFolder, { folderName: 'Trips' })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await expect(page.getByLabel('Folder Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.waitForTimeout(500)
  expect(await page.evaluate(() => history.state?.overlayDepth)).toBe(1)
  await tileOf(page, 'Trips').dblclick()
  await expect(page).toHaveURL(/folder=/)
  await page.goBack()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
})

test('adds one history entry when a menu item opens another page', async ({ page, user }) => {
  await user.client.upload('a.txt', 'a')
  await page.goto('/profile')
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page).toHaveURL(/\/account$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.goForward()
  await expect(page).toHaveURL(/\/account$/)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('Back closes the action sheet of an item and the phone menu', async ({ page, user }) => {
    await user.client.upload('a.txt', 'a')
    await page.goto('/favorites')
    await page.getByRole('button', { name: 'Open menu' }).tap()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Profile' }).tap()
    await expect(page).toHaveURL(/\/profile$/)
    await page.getByRole('button', { name: 'More actions for a.txt' }).tap()
    await expect(dialog(page)).toBeVisible()
    await page.goBack()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page).toHaveURL(/\/profile$/)
    await page.getByRole('button', { name: 'Open menu' }).tap()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    await page.goBack()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page).toHaveURL(/\/profile$/)
    await page.goBack()
    await expect(page).toHaveURL(/\/favorites$/)
  })
})

test('does not cancel a reload just after a dialog closes, even when the server is slow', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Trips' })
  await page.goto('/profile')
  await page.route('/profile', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  for (let attempt = 0; attempt < 3; attempt++) {
    await page.getByRole('button', { name: 'Create Folder' }).first().click()
    await expect(page.getByLabel('Folder Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.evaluate((wait) => new Promise((resolve) => setTimeout(resolve, wait)), 80 * attempt + 80)
    await page.reload()
    await expect(tileOf(page, 'Trips')).toBeVisible()
  }
})

test('a folder that has loaded late leaves the focus in the dialog that was opened meanwhile', async ({
  page,
  user,
}) => {
  const empty = (await user.client.call(createFolder, { folderName: 'Empty' })).body
  const trips = (await user.client.call(createFolder, { folderName: 'Trips' })).body
  await user.client.call(createFolder, { folderName: 'Lisbon', parentFolderId: trips.id })
  for (const [folder, shown] of [
    [empty, page.getByText('An empty shelf')],
    [trips, tileOf(page, 'Lisbon')],
  ] as const) {
    await page.goto('/profile')
    const loaded = Promise.withResolvers<void>()
    await page.route(`**/api/**${folder.id}**`, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await tileOf(page, folder.name).dblclick()
    await expect(page).toHaveURL(/folder=/)
    await page.getByRole('button', { name: 'Create Folder' }).first().click()
    await expect(page.getByLabel('Folder Name')).toBeFocused()
    loaded.resolve()
    await expect(shown).toBeVisible()
    await page.keyboard.type('Porto')
    await expect(page.getByLabel('Folder Name')).toHaveValue('Porto')
  }
})

test('Back gives the folder that was left the focus, and keeps the page where it was', async ({ page, user }) => {
  for (let number = 10; number < 90; number += 1) await user.client.call(createFolder, { folderName: `Trip ${number}` })
  await page.goto('/profile')
  // Until its scripts have loaded, the page shows tiles that don't know keys yet.
  await expect(async () => {
    await tileOf(page, 'Trip 10').focus()
    await page.keyboard.press('Control+End')
    await expect(tileOf(page, 'Trip 89')).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('ArrowUp')
  const focused = page.locator('[data-item-id]:focus')
  const name = await focused.getAttribute('aria-label')
  const y = await page.evaluate(() => window.scrollY)
  expect(y).toBeGreaterThan(500)
  await page.keyboard.press('Enter')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  await page.goBack()
  await expect(focused).toHaveAttribute('aria-label', name as string)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(y)
  await page.keyboard.press('Enter')
  await expect(page.getByText('An empty shelf')).toBeVisible()

  // What the user has turned to meanwhile keeps the focus.
  await page.getByRole('combobox', { name: 'Search' }).focus()
  await page.goBack()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
})

test('on the page of a link, Back gives the folder that was left the focus, and Forward the name', async ({
  page,
  user,
}) => {
  const trips = (await user.client.call(createFolder, { folderName: 'Trips' })).body.id
  const folderPaths = Array.from({ length: 260 }, (_, index) => `Day ${100 + index}`)
  await user.client.call(createFolderPaths, { parentFolderId: trips, folderPaths })
  await page.goto((await user.client.call(createLink, { id: trips })).body.link)
  await expect(page.getByRole('heading', { name: 'Trips' })).not.toBeFocused()
  const last = page.getByRole('link', { name: /^Day 359/ })
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(last).toBeInViewport({ timeout: 500 })
  }).toPass()
  await last.click()
  await expect(page.getByRole('heading', { name: 'Day 359' })).toBeFocused()
  await page.goBack()
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Day 359' })).toBeFocused()
})
