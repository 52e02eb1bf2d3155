import { fetchFile } from '@alcove/contract/bytes'
import { createFolder, listFiles, listRootFolders, trashFile, trashFolder } from '@alcove/contract/files'
import { listTrash } from '@alcove/contract/trash'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

async function trashNewFile(user: TestUser, name: string, content = 'x'): Promise<void> {
  const { id } = await user.client.upload(name, content)
  await user.client.call(trashFile, { id })
}

async function trashNewFolder(user: TestUser, folderName: string): Promise<void> {
  const { id } = (await user.client.call(createFolder, { folderName })).body
  await user.client.upload('inside.txt', 'x', { folderId: id })
  await user.client.call(trashFolder, { id })
}

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ hasText: name })
}

test('moves a deleted file to the trash and restores it from there', async ({ page, user }) => {
  await user.client.upload('Letter.txt', 'Dear Inês')
  await page.goto('/profile')
  await tileOf(page, 'Letter.txt').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('File deleted successfully.')).toBeVisible()
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByText('No trashed folders.')).toBeVisible()
  await expect(page.getByText('Items stay here for 30 days')).toBeVisible()
  await expect(rowOf(page, 'Letter.txt')).toContainText('30 days left')
  await rowOf(page, 'Letter.txt').getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByText('No trashed files.')).toBeVisible()
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(tileOf(page, 'Letter.txt')).toBeVisible()
  expect((await user.client.raw(fetchFile, { filename: 'Letter.txt' })).bytes.toString()).toBe('Dear Inês')
})

test('shows the new name of a restored item whose old name is taken', async ({ page, user }) => {
  await trashNewFile(user, 'a.txt')
  await user.client.upload('a.txt', 'y')
  await page.goto('/trash')
  await rowOf(page, 'a.txt').getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByText('File restored as a (1).txt.')).toBeVisible()
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(tileOf(page, 'a (1).txt')).toBeVisible()
})

test('asks for confirmation before it deletes items permanently, also by keyboard', async ({ page, user }) => {
  for (const name of ['a.txt', 'b.txt']) await trashNewFile(user, name)
  await trashNewFolder(user, 'Papers')
  await page.goto('/trash')
  await rowOf(page, 'Papers').getByRole('button', { name: 'Delete Permanently' }).focus()
  await page.keyboard.press('Enter')
  await expect(
    page.getByText('Are you sure you want to permanently delete this folder and all its contents?'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rowOf(page, 'Papers')).toBeVisible()
  await rowOf(page, 'a.txt').getByRole('button', { name: 'Delete Permanently' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Are you sure you want to permanently delete this file?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'a.txt')).toHaveCount(0)
  // The focus moves to the next row.
  await expect(rowOf(page, 'b.txt').getByRole('button', { name: 'Restore', exact: true })).toBeFocused()

  await page.getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByText('Are you sure you want to permanently delete all trashed items?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByText('No trashed folders.')).toBeVisible()
  await expect(page.getByText('No trashed files.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete All' })).toBeDisabled()
  expect((await user.client.call(listTrash, {})).body).toEqual({ files: [], folders: [] })
})

test('“Delete All” keeps what has come to the trash since the question', async ({ page, user, product }) => {
  await trashNewFile(user, 'asked about.txt')
  await page.goto('/trash')
  await page.getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByRole('dialog')).toContainText('1 item,')
  product.clock.advance(1)
  await trashNewFile(user, 'later.txt')
  await expect(rowOf(page, 'later.txt')).toBeAttached()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByText('All trashed items permanently deleted.')).toBeVisible()
  await expect(rowOf(page, 'asked about.txt')).toHaveCount(0)
  await expect(rowOf(page, 'later.txt')).toBeVisible()
  expect((await user.client.call(listTrash, {})).body.files.map(({ name }) => name)).toEqual(['later.txt'])
})

test('selects many items by mouse and keyboard, and restores or deletes them with one call', async ({ page, user }) => {
  const photos = (await user.client.call(createFolder, { folderName: 'Photos' })).body
  for (let index = 0; index < 6; index++) {
    const { id } = await user.client.upload(`${index}.txt`, 'x', { folderId: photos.id })
    await user.client.call(trashFile, { id })
  }
  await trashNewFolder(user, 'Papers')
  await page.goto('/trash')
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname)
  })
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await expect(rowOf(page, 'Papers')).toBeVisible()
  const listed = await page.getByRole('listitem').allTextContents()
  const files = listed.filter((text) => text.includes('.txt')).map((text) => /\d\.txt/.exec(text)?.[0] ?? '')
  await box(files[0] as string).click()
  await box(files[2] as string).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('3 items restored.')).toBeVisible()
  await expect(bar).toHaveCount(0)
  expect(calls).toEqual(['/api/items/restore'])
  const inPhotos = (await user.client.call(listFiles, { folderId: photos.id })).body.files
  expect(inPhotos.map(({ name }) => name).toSorted()).toEqual(files.slice(0, 3).toSorted())

  await box(files[3] as string).focus()
  await page.keyboard.press('Space')
  await expect(bar).toContainText('1 selected')
  await page.keyboard.press('ArrowDown')
  await expect(box(files[4] as string)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar).toContainText('4 selected')
  await page.keyboard.press('Delete')
  await expect(page.getByText('Are you sure you want to permanently delete these 4 items?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Permanently' }).click()
  await expect(page.getByText('No trashed folders.')).toBeVisible()
  await expect(page.getByText('No trashed files.')).toBeVisible()
  expect(calls.at(-1)).toBe('/api/items/delete')
  // The page does not wait for the response.
  await expect.poll(async () => (await user.client.call(listTrash, {})).body).toEqual({ files: [], folders: [] })
})

test('names the items that block a restore, and restores only the others on request', async ({ page, user }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await trashNewFile(user, name)
  await page.goto('/trash')
  const { files } = (await user.client.call(listTrash, {})).body
  const itemId = files.find(({ name }) => name === 'b.txt')?.id
  let isFirst = true
  await page.route('**/api/items/restore', async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const failed = [{ itemId, name: 'b.txt', code: 'state_conflict', error: 'It is being changed.' }]
    const refusal = { error: 'Nothing was changed.', message: 'Nothing was changed.', code: 'state_conflict', failed }
    return route.fulfill({ status: 409, json: refusal })
  })
  await expect(rowOf(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByRole('toolbar', { name: 'Selected items' }).getByRole('button', { name: 'Restore' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to restore 3 items: "b.txt": It is being changed.' })
  await expect(alert).toBeVisible()
  await expect(rowOf(page, 'a.txt')).toBeVisible()
  await alert.getByRole('button', { name: 'Only the others' }).click()
  await expect(rowOf(page, 'a.txt')).toHaveCount(0)
  await expect(rowOf(page, 'b.txt')).toBeVisible()
  await expect
    .poll(async () => (await user.client.call(listFiles, {})).body.files.map(({ name }) => name))
    .toEqual(['a.txt', 'c.txt'])
})

test('shows an error when a trash action fails, and puts the items back', async ({ page, user }) => {
  await trashNewFile(user, 'a.txt')
  await trashNewFolder(user, 'Papers')
  await page.goto('/trash')
  for (const path of ['**/api/trash/restore/**', '**/api/file/**', '**/api/folder/**', '**/api/trash/delete-all*']) {
    await page.route(path, (route) => route.fulfill({ status: 500, json: {} }))
  }
  await rowOf(page, 'Papers').getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to restore folder' })).toBeVisible()
  await expect(rowOf(page, 'Papers')).toBeVisible()
  await rowOf(page, 'a.txt').getByRole('button', { name: 'Delete Permanently' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Permanently' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to permanently delete file' })).toBeVisible()
  await expect(rowOf(page, 'a.txt')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete All' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete All' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to delete all trashed items' })).toBeVisible()
  await expect(rowOf(page, 'Papers')).toBeVisible()
  expect((await user.client.call(listFiles, {})).body.files).toEqual([])
  expect((await user.client.call(listRootFolders, {})).body).toEqual([])
})

test('shows that the trash is loading, and an error when it cannot be loaded', async ({ page, user }) => {
  await trashNewFile(user, 'a.txt')
  await page.route('**/api/trash', (route) => route.fulfill({ status: 404, json: {} }))
  await page.goto('/trash')
  await expect(page.getByText('Unable to fetch trashed items.')).toBeVisible()
  await page.unroute('**/api/trash')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/trash', async (route) => {
    await released
    await route.continue()
  })
  await page.reload()
  await expect(page.getByText('Loading trashed items...')).toBeVisible()
  release()
  await expect(rowOf(page, 'a.txt')).toBeVisible()
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the trash is accessible in the ${scheme} scheme, also at 360 px`, async ({ page, user }) => {
    await trashNewFile(user, `${'long name '.repeat(20)}.mp3`)
    await trashNewFile(user, 'שלום.docx')
    await trashNewFolder(user, 'Papers')
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.goto('/trash')
    await expect(rowOf(page, 'Papers')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
}
