import { createFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { lockItem } from '@alcove/server/testing/factories/locks'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { text, tray } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const ERROR = '"report.docx" is being edited in LibreOffice on Linux. Close it there or unlock it.'

const question = (page: Page, name: string) => page.getByRole('dialog', { name: `Unlock "${name}"?` })

/** Confirms that an item is unlocked. */
async function confirmUnlock(page: Page, name: string): Promise<void> {
  await expect(question(page, name)).toContainText('It is locked by LibreOffice on Linux.')
  await question(page, name).getByRole('button', { name: 'Unlock' }).click()
}

async function chooseInMenu(page: Page, name: string, action: string): Promise<void> {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: action }).click()
}

test('shows in the details which app has locked a file, and unlocks it', async ({ page, user, product }) => {
  const { id } = await user.client.upload('report.docx', 'x')
  await lockItem(product, user, id)
  await page.goto('/profile')
  await chooseInMenu(page, 'report.docx', 'Details')
  const locks = page.getByRole('list', { name: 'Locks' })
  await expect(locks).toHaveText(/^Locked by LibreOffice on Linux, until \d\d:\d\d( [AP]M)?\. Unlock$/)
  await expectAccessible(page)
  await locks.getByRole('button', { name: 'Unlock' }).click()
  await expect(question(page, 'report.docx')).toContainText(
    "Changes that aren't saved there yet may become a conflict.",
  )
  await expectAccessible(page)
  await question(page, 'report.docx').getByRole('button', { name: 'Cancel' }).click()
  await expect(locks).toBeVisible()
  await locks.getByRole('button', { name: 'Unlock' }).click()
  await confirmUnlock(page, 'report.docx')
  await expect(page.getByText('Unlocked.')).toBeVisible()
  await expect(locks).toHaveCount(0)
})

test('names the folder through which a file is locked', async ({ page, user, product }) => {
  const folder = (await user.client.call(createFolder, { folderName: 'Reports' })).body.id
  await user.client.upload('report.docx', 'x', { folderId: folder })
  await lockItem(product, user, folder, 'infinity')
  await page.goto(`/profile?folder=${folder}`)
  await chooseInMenu(page, 'report.docx', 'Details')
  await expect(page.getByRole('list', { name: 'Locks' })).toContainText(
    'The folder "Reports" is locked by LibreOffice on Linux',
  )
})

test('offers to unlock a file that could not be deleted, and then deletes it', async ({ page, user, product }) => {
  const { id } = await user.client.upload('report.docx', 'x')
  await lockItem(product, user, id)
  await page.goto('/profile')
  await tileOf(page, 'report.docx').click()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const toast = page.getByRole('alert').filter({ hasText: `File deletion failed. ${ERROR}` })
  await expect(toast).toBeVisible()
  await expect(tileOf(page, 'report.docx')).toBeVisible()
  await expectAccessible(page)
  await toast.getByRole('button', { name: 'Unlock' }).click()
  await confirmUnlock(page, 'report.docx')
  await expect(page.getByText('File deleted successfully.')).toBeVisible()
  await expect(tileOf(page, 'report.docx')).toHaveCount(0)
})

test('offers to unlock one of many items that could not be deleted', async ({ page, user, product }) => {
  await user.client.upload('other.txt', 'x')
  const { id } = await user.client.upload('report.docx', 'x')
  await lockItem(product, user, id)
  await page.goto('/profile')
  await tileOf(page, 'report.docx').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const failed = page.getByRole('dialog', { name: '2 items could not be deleted.' })
  await expect(failed).toContainText(ERROR)
  await failed.getByRole('button', { name: 'Unlock' }).click()
  await confirmUnlock(page, 'report.docx')
  await expect(page.getByText('2 items deleted.')).toBeVisible()
})

test('offers to unlock a file that could not be renamed, and then renames it', async ({ page, user, product }) => {
  const { id } = await user.client.upload('report.docx', 'x')
  await lockItem(product, user, id)
  await page.goto('/profile')
  await chooseInMenu(page, 'report.docx', 'Rename')
  const form = page.getByRole('dialog', { name: 'Rename File' })
  await form.getByLabel('File Name').fill('summary')
  await form.getByRole('button', { name: 'Rename' }).click()
  await expect(form.getByText(ERROR)).toBeVisible()
  await form.getByRole('button', { name: 'Unlock' }).click()
  await confirmUnlock(page, 'report.docx')
  await expect(page.getByText('File renamed successfully.')).toBeVisible()
  await expect(tileOf(page, 'summary.docx')).toBeVisible()
})

test('offers to unlock the folder that an upload goes to, and sends the file again', async ({
  page,
  user,
  product,
}) => {
  const folder = (await user.client.call(createFolder, { folderName: 'Reports' })).body.id
  await lockItem(product, user, folder)
  await page.goto(`/profile?folder=${folder}`)
  await choose(page, 'Upload File', [text('new.txt')])
  const row = tray(page).getByRole('listitem').filter({ hasText: 'new.txt' })
  await expect(row).toContainText(
    'The folder "Reports" is locked by LibreOffice on Linux. Unlock it, then try again. Unlock',
  )
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Unlock' }).click()
  await confirmUnlock(page, 'Reports')
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  const { items } = (await user.client.call(listItems, { folderId: folder })).body
  expect(items.map(({ name }) => name)).toEqual(['new.txt'])
})
