import { createFolder, getFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { listTrash } from '@alcove/contract/trash'
import { addTestMember } from '@alcove/server/testing/factories/shares'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

async function makeFolder(user: TestUser, folderName: string) {
  return (await user.client.call(createFolder, { folderName })).body.id
}

const namesIn = async ({ client }: TestUser, folderId: string | null = null) =>
  (await client.call(listItems, { folderId })).body.items.map(({ name }) => name)

async function openPicker(page: Page, name: string, action: 'Move' | 'Copy To') {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: action, exact: true }).click()
  return page.getByRole('dialog', { name: action === 'Move' ? 'Move file' : 'Copy file' })
}

test('moves a file out of a shared folder and takes that back', async ({ page, user, product }) => {
  const owner = await product.createUser()
  const trip = await makeFolder(owner, 'Trip')
  await owner.client.upload('a.txt', 'abc', { folderId: trip })
  await addTestMember(product, owner, trip, 'editor', user)
  await page.goto(`/profile?folder=${trip}`)
  const dialog = await openPicker(page, 'a.txt', 'Move')
  await dialog.getByRole('button', { name: 'Shared with me' }).click()
  await expect(dialog.getByText('Choose one of these folders.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Move here' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Root' }).click()
  await dialog.getByRole('button', { name: 'Move here' }).click()
  await expect(page.getByText('The original is in its owner’s trash.')).toBeVisible()
  await expect(tileOf(page, 'a.txt')).toHaveCount(0)
  expect(await namesIn(user)).toEqual(['a.txt'])
  expect((await owner.client.call(listTrash, {})).body.files).toMatchObject([{ deletedBy: user.email }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tileOf(page, 'a.txt')).toBeVisible()
  expect(await namesIn(user)).toEqual([])
  expect((await owner.client.call(getFolder, { id: trip })).body.files).toHaveLength(1)
})

test('moves an own file into a folder that somebody shares', async ({ page, user, product }) => {
  const owner = await product.createUser()
  const [trip, plans] = [await makeFolder(owner, 'Trip'), await makeFolder(owner, 'Plans')]
  await addTestMember(product, owner, trip, 'contributor', user)
  await addTestMember(product, owner, plans, 'viewer', user)
  await user.client.upload('own.txt', 'four')
  await page.goto('/profile')
  const dialog = await openPicker(page, 'own.txt', 'Move')
  await dialog.getByRole('button', { name: 'Shared with me' }).click()
  const folders = dialog.getByRole('group', { name: 'Folders in Shared with me' })
  await expect(folders.getByRole('button')).toHaveText([`Trip${owner.email}`])
  await folders.getByRole('button', { name: 'Trip' }).click()
  await expect(dialog.getByRole('navigation')).toHaveText('RootShared with meTrip')
  await dialog.getByRole('button', { name: 'Move here' }).click()
  await expect(tileOf(page, 'own.txt')).toHaveCount(0)
  await expect(page.getByText('File moved successfully.')).toBeVisible()
  expect(await namesIn(owner, trip)).toEqual(['own.txt'])
})

test('lets a viewer copy files into the own drive, and offers nothing that changes the folder', async ({
  page,
  user,
  product,
}) => {
  const owner = await product.createUser()
  const trip = await makeFolder(owner, 'Trip')
  for (const name of ['a.txt', 'b.txt']) await owner.client.upload(name, 'abc', { folderId: trip })
  await addTestMember(product, owner, trip, 'viewer', user)
  await user.client.upload('own.txt', 'four')
  await page.goto(`/profile?folder=${trip}`)
  const dialog = await openPicker(page, 'a.txt', 'Copy To')
  await expect(dialog.getByRole('button', { name: 'Move here' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Copy here' }).click()
  await expect(page.getByText('File copied.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(tileOf(page, 'a.txt')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download 2 items' }).click()
  expect((await downloading).suggestedFilename()).toBe('Trip.zip')
  await page.keyboard.press('Escape')
  await tileOf(page, 'b.txt').click()
  await page.keyboard.press('ControlOrMeta+c')
  await expect(page.getByText('1 item copied.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await page.getByRole('button', { name: 'More for this folder' }).click()
  await expect(page.getByRole('menuitem', { name: 'Details' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /Paste/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(tileOf(page, 'own.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(tileOf(page, 'b.txt')).toBeVisible()
  expect(await namesIn(user)).toEqual(['a.txt', 'b.txt', 'own.txt'])
  expect(await namesIn(owner, trip)).toEqual(['a.txt', 'b.txt'])
})
