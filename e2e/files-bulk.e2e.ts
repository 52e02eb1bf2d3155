import { createFolder, getFolder, listFiles, listRootFolders } from '@alcove/contract/files'
import { listTrash } from '@alcove/contract/trash'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { drag, tileOf } from './users.ts'

/** Creates two folders, A and B, and three files at the root. */
async function createItems(user: TestUser) {
  const a = (await user.client.call(createFolder, { folderName: 'A' })).body
  const b = (await user.client.call(createFolder, { folderName: 'B' })).body
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await user.client.upload(name, name)
  return { a, b }
}

async function namesIn(user: TestUser, folderId?: string): Promise<string[]> {
  if (folderId === undefined) return (await user.client.call(listFiles, {})).body.files.map(({ name }) => name).sort()
  return (await user.client.call(getFolder, { id: folderId })).body.files.map(({ name }) => name).sort()
}

/** Selects items by clicking their names, where no button is in the way. */
async function select(page: Page, ...names: string[]): Promise<void> {
  for (const [index, name] of names.entries())
    await tileOf(page, name)
      .getByText(name.split('.')[0] as string)
      .first()
      .click({ modifiers: index > 0 ? ['ControlOrMeta'] : [] })
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected items' })
const dialog = (page: Page) => page.getByRole('dialog')

/** Returns a function that counts the requests to a path of the API so far. */
function countCalls(page: Page, path: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/api${path}`) count++
  })
  return () => count
}

/** Drags an item over a target without dropping it. */
async function dragOver(page: Page, source: Locator, target: Locator): Promise<void> {
  const [from, to] = [await source.boundingBox(), await target.boundingBox()]
  if (!from || !to) throw new Error('The source or the target is not visible.')
  await page.mouse.move(from.x + from.width / 2, from.y + 24)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 8, from.y + 32, { steps: 4 })
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 })
}

test('deletes several items with one call and restores them with Undo or Ctrl+Z', async ({ page, user }) => {
  await createItems(user)
  const calls = countCalls(page, '/items/trash')
  await page.goto('/profile')
  await select(page, 'one.txt', 'two.txt', 'A')
  await expect(bar(page)).toContainText('3 selected')
  await bar(page).getByRole('button', { name: 'Delete 3 items' }).click()
  await expect(page.getByText('Are you sure you want to delete these 3 items?')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Delete' }).dblclick()
  await expect(page.getByText('3 items deleted.')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await expect(tileOf(page, 'one.txt')).toHaveCount(0)
  expect(calls()).toBe(1)
  expect((await user.client.call(listTrash, {})).body.files).toHaveLength(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('3 items restored.')).toBeVisible()
  await expect(tileOf(page, 'one.txt')).toBeVisible()
  await expect(tileOf(page, 'A')).toBeVisible()

  await tileOf(page, 'three.txt').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText('Are you sure you want to delete this file?')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('File deleted successfully.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('link', { name: 'Favorites' }).click()
  await expect(page.getByText('Add Favorites')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('File restored.')).toBeVisible()
  expect(await namesIn(user)).toEqual(['one.txt', 'three.txt', 'two.txt'])
})

test('drags the whole selection into a folder and moves it back with Undo', async ({ page, user }) => {
  const { a } = await createItems(user)
  const calls = countCalls(page, '/items/move')
  await page.goto('/profile')
  await select(page, 'one.txt', 'two.txt')
  await drag(page, tileOf(page, 'two.txt'), tileOf(page, 'A'))
  await expect(page.getByText('2 items moved.')).toBeVisible()
  await expect(tileOf(page, 'one.txt')).toHaveCount(0)
  expect(calls()).toBe(1)
  expect(await namesIn(user, a.id)).toEqual(['one.txt', 'two.txt'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 items moved back.')).toBeVisible()
  expect(await namesIn(user, a.id)).toEqual([])
  // An item outside the selection is dragged alone.
  await select(page, 'one.txt')
  await drag(page, tileOf(page, 'three.txt'), tileOf(page, 'B'))
  await expect(page.getByText('File moved successfully.')).toBeVisible()
  await expect(tileOf(page, 'one.txt')).toBeVisible()
  // A folder can't be dropped on itself.
  await drag(page, tileOf(page, 'A'), tileOf(page, 'A'))
  await expect(tileOf(page, 'A')).toBeVisible()
  expect(calls()).toBe(2)
})

test('opens a folder while an item is held over it, and moves an item dropped on Back', async ({ page, user }) => {
  const { a } = await createItems(user)
  const inner = (await user.client.call(createFolder, { folderName: 'Inner', parentFolderId: a.id })).body
  await page.goto('/profile')
  await dragOver(page, tileOf(page, 'one.txt'), tileOf(page, 'A'))
  await expect(tileOf(page, 'Inner')).toBeVisible()
  const box = await tileOf(page, 'Inner').boundingBox()
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 30, { steps: 6 })
  await expect(page.getByText('Move here')).toBeVisible()
  await page.mouse.up()
  await expect(page.getByText('File moved successfully.')).toBeVisible()
  expect(await namesIn(user, inner.id)).toEqual(['one.txt'])

  await page.goto(`/profile?folder=${inner.id}`)
  await drag(page, tileOf(page, 'one.txt'), page.getByRole('button', { name: 'Back', exact: true }))
  await expect(page.getByText('File moved successfully.')).toBeVisible()
  expect(await namesIn(user, a.id)).toEqual(['one.txt'])
})

test('copies a file dragged with Ctrl, and moves the copy to the trash on undo', async ({ page, user }) => {
  const { a } = await createItems(user)
  await page.goto('/profile')
  await page.keyboard.down('Control')
  await dragOver(page, tileOf(page, 'one.txt'), tileOf(page, 'A'))
  await expect(page.getByText('Copy here')).toBeVisible()
  await page.mouse.up()
  await page.keyboard.up('Control')
  await expect(page.getByText('File copied.')).toBeVisible()
  expect(await namesIn(user, a.id)).toEqual(['one.txt'])
  expect(await namesIn(user)).toContain('one.txt')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('The copy is in the trash.')).toBeVisible()
  expect(await namesIn(user, a.id)).toEqual([])
})

test('cuts, pastes, moves back and renames files with the keyboard alone', async ({ page, user }) => {
  const { a } = await createItems(user)
  await page.goto('/profile')
  await tileOf(page, 'one.txt').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(bar(page)).toContainText('2 selected')
  await page.keyboard.press('ControlOrMeta+x')
  await expect(page.getByText(/^2 items cut/)).toBeVisible()
  await tileOf(page, 'A').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(page.getByText('2 items moved.')).toBeVisible()
  expect(await namesIn(user, a.id)).toHaveLength(2)
  await page.keyboard.press('F6')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 items moved back.')).toBeVisible()
  expect(await namesIn(user, a.id)).toEqual([])

  await page.keyboard.press('Alt+ArrowUp')
  await tileOf(page, 'one.txt').focus()
  await page.keyboard.press('F2')
  await expect(page.getByLabel('File Name')).toBeFocused()
  await page.keyboard.type('uno')
  await page.keyboard.press('Enter')
  await expect(page.getByText('File renamed successfully.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('File renamed back.')).toBeVisible()
  await expect(tileOf(page, 'one.txt')).toBeVisible()

  await page.keyboard.press('?')
  await expect(dialog(page)).toContainText('Keyboard shortcuts')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
})

test('stops a move when a name is taken and offers to keep both', async ({ page, user }) => {
  const { a } = await createItems(user)
  await user.client.upload('one.txt', 'another', { folderId: a.id })
  await page.goto('/profile')
  await select(page, 'one.txt', 'two.txt')
  await bar(page).getByRole('button', { name: 'Move 2 items' }).click()
  await dialog(page).getByRole('button', { name: 'A', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Move here' }).dblclick()
  await expect(dialog(page)).toContainText('Failed to move 2 items')
  await expect(dialog(page)).toContainText('A file or folder named "one.txt" already exists here.')
  await expect(tileOf(page, 'two.txt')).toBeVisible()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Keep both' }).click()
  await expect(page.getByText('2 items moved.')).toBeVisible()
  expect(await namesIn(user, a.id)).toEqual(['one (1).txt', 'one.txt', 'two.txt'])
})

test('downloads a ZIP, adds favorites and moves items to a new folder from the selection bar', async ({
  page,
  user,
}) => {
  await createItems(user)
  await page.goto('/profile')
  await select(page, 'one.txt', 'two.txt')
  const downloading = page.waitForEvent('download')
  await bar(page).getByRole('button', { name: 'Download 2 items' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/)
  await bar(page).getByRole('button', { name: 'Favorite 2 items' }).click()
  await expect(page.getByText('2 items added to favorites')).toBeVisible()
  await bar(page).getByRole('button', { name: 'Move 2 items' }).click()
  await expect(dialog(page).getByText('They are already here.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'New folder' }).click()
  await page.getByLabel('Folder Name').fill('Fresh')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText('No folders here.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Move here' }).click()
  await expect(page.getByText('2 items moved.')).toBeVisible()
  const fresh = (await user.client.call(listRootFolders, {})).body.find(({ name }) => name === 'Fresh')
  expect(await namesIn(user, fresh?.id)).toEqual(['one.txt', 'two.txt'])

  await page.goto('/favorites')
  await select(page, 'one.txt', 'two.txt')
  await tileOf(page, 'two.txt').getByText('two').first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove From Favorites' }).click()
  await expect(page.getByText('2 items removed from favorites')).toBeVisible()
  await expect(page.getByText('Add Favorites')).toBeVisible()
})

test('updates the details panel with the selection and keeps it open after a reload', async ({ page, user }) => {
  const { a } = await createItems(user)
  await user.client.upload('inside.txt', 'x'.repeat(2048), { folderId: a.id })
  await page.goto('/profile')
  await select(page, 'one.txt')
  await page.keyboard.press('ControlOrMeta+i')
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details).toContainText('KindText')
  await expect(details).toContainText('SHA-256')
  await expect(details.getByRole('link', { name: 'Root' })).toBeVisible()
  await select(page, 'A')
  await expect(details).toContainText('Contains1 item')
  await expect(details).toContainText('Total size2 KB')
  await select(page, 'one.txt', 'two.txt')
  await expect(details).toContainText('2 items')
  await page.reload()
  await expect(details).toBeVisible()
  await expectAccessible(page)
  await details.getByRole('button', { name: 'Close details' }).click()
  await expect(details).toHaveCount(0)
})

test('deletes only once on a double click, and restores the items when the server refuses', async ({ page, user }) => {
  await createItems(user)
  const calls = countCalls(page, '/items/trash')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/items/trash', async (route) => {
    await released
    await route.fulfill({ status: 503, json: { error: 'Busy.', message: 'Busy.', code: 'unavailable' } })
  })
  await page.goto('/profile')
  await select(page, 'one.txt', 'two.txt')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Delete')
  await expect(dialog(page)).toHaveCount(1)
  await dialog(page).getByRole('button', { name: 'Delete' }).dblclick()
  await expect(tileOf(page, 'one.txt')).toHaveCount(0)
  release()
  await expect(page.getByText('2 items could not be deleted.')).toBeVisible()
  await expect(tileOf(page, 'one.txt')).toBeVisible()
  expect(calls()).toBe(1)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`menus, the selection bar and dialogs are accessible by touch at 360 px in the ${scheme} scheme`, async ({
    browser,
    user,
    product,
  }) => {
    test.slow() // runs several accessibility checks
    await createItems(user)
    const context = await browser.newContext({
      baseURL: product.url,
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 740 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.addInitScript(
      ([token, email]) => {
        localStorage.setItem('token', token as string)
        localStorage.setItem('email', email as string)
        localStorage.setItem('planName', 'free')
      },
      [user.token, user.email],
    )
    await page.goto('/profile')
    await page.getByRole('button', { name: 'More actions for one.txt' }).tap()
    const sheet = dialog(page)
    await expect(sheet.getByRole('button', { name: 'Public Link' })).toBeVisible()
    const rows = sheet.getByRole('listitem')
    for (let index = 0; index < (await rows.count()); index++)
      expect((await rows.nth(index).boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await expectAccessible(page)
    await sheet.getByRole('button', { name: 'Details' }).tap()
    await expect(dialog(page).getByText('SHA-256')).toBeVisible()
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'Close' }).tap()
    await expect(dialog(page)).toHaveCount(0)

    // A long press.
    await tileOf(page, 'one.txt').dispatchEvent('contextmenu')
    await expect(bar(page)).toContainText('1 selected')
    await tileOf(page, 'two.txt').getByText('two').first().tap()
    await expect(bar(page)).toContainText('2 selected')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await bar(page).getByRole('button', { name: 'Move 2 items' }).tap()
    await expect(dialog(page).getByRole('button', { name: 'A', exact: true })).toBeVisible()
    await expectAccessible(page)
    await dialog(page).getByRole('button', { name: 'A', exact: true }).tap()
    await dialog(page).getByRole('button', { name: 'Move here' }).tap()
    await expect(page.getByText('2 items moved.')).toBeVisible()
    await expectAccessible(page)
    await context.close()
  })
}
