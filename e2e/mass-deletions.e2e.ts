import { createAppPassword } from '@alcove/contract/app-passwords'
import { createFolder } from '@alcove/contract/files'
import { listItems, trashItems } from '@alcove/contract/item-calls'
import { listTrash } from '@alcove/contract/trash'
import { TestClient } from '@alcove/server/testing/clients/client'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test, waitUntilQuiet } from './fixtures.ts'
import { tileOf } from './users.ts'

const FILES = 1240

/** Adds files, and an app that deletes them. Returns a function that makes it do so. */
async function connectApp(product: Product, user: TestUser, files = FILES): Promise<() => Promise<void>> {
  await user.client.call(createFolder, { folderName: 'Trip' })
  const names = Array.from({ length: files }, (_unused, number) => `file ${number}.txt`)
  const itemIds = await addManyItems(product.services, { ownerId: user.id, names })
  const { secret } = (await user.client.call(createAppPassword, { name: 'Backup', scope: 'write' })).body
  const client = new TestClient(product.app, secret)
  return async () => {
    expect((await client.call(trashItems, { itemIds })).status).toBe(200)
  }
}

const bannerOf = (page: Page) => page.getByRole('region', { name: 'Files deleted by Backup' })
const countFiles = async (user: TestUser) => (await user.client.call(listItems, {})).body.total
const countTrashed = async (user: TestUser) => (await user.client.call(listTrash, {})).body.files.length

test('restores what an app deleted, however often the button is clicked', async ({ page, user, product }) => {
  await (await connectApp(product, user))()
  const restores: string[] = []
  page.on('request', (request) => {
    if (/\/deletion-groups\/.*\/restore$/.test(request.url())) restores.push(request.url())
  })
  await page.goto('/profile')
  await expect(bannerOf(page)).toContainText(
    /^Backup deleted 1,240 files (on \w+ \d+ )?at [\d:]+( [AP]M)?\. They are in the trash until /,
  )
  await expectAccessible(page)
  await bannerOf(page).getByRole('button', { name: 'Restore all' }).dblclick()
  await expect(page.getByText('1,240 files restored.')).toBeVisible()
  await expect(page.getByText('revoke its app password “Backup”')).toBeVisible()
  await expect(bannerOf(page)).toHaveCount(0)
  await expect(page.locator('main')).toBeFocused()
  await expect(tileOf(page, 'file 0.txt')).toBeVisible()
  expect(restores).toHaveLength(1)
  expect(await countFiles(user)).toBe(FILES + 1)
  await page.getByRole('button', { name: 'Apps and devices' }).click()
  await expect(page).toHaveURL('/account#security')
})

test('restores once and leaves the focus on the page if the second click comes after the response', async ({
  page,
  user,
  product,
}) => {
  await (await connectApp(product, user, 60))()
  await page.goto('/profile')
  const button = bannerOf(page).getByRole('button', { name: 'Restore all' })
  await expect(button).toBeVisible()
  await waitUntilQuiet(page)
  let restores = 0
  await page.route(/\/deletion-groups\/.*\/restore$/, (route) => {
    restores += 1
    return route.continue()
  })
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/(storage|deletion-groups)$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await button.click()
  await expect(page.getByText('60 files restored.')).toBeVisible()
  await button.click({ force: true })
  held.resolve()
  await expect(bannerOf(page)).toHaveCount(0)
  await expect(page.locator('main')).toBeFocused()
  expect(restores).toBe(1)
})

test('hides the message on the trash page after a confirmation, and keeps the files', async ({
  page,
  user,
  product,
}) => {
  await (await connectApp(product, user, 60))()
  await page.goto('/trash')
  const close = bannerOf(page).getByRole('button', { name: 'Hide this message' })
  await close.click()
  const question = page.getByRole('dialog', { name: 'Hide this message?' })
  await expect(question).toContainText('The files stay in the trash until')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(bannerOf(page)).toBeVisible()
  await close.click()
  await question.getByRole('button', { name: 'Hide', exact: true }).click()
  await expect(bannerOf(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByText(/^file \d+\.txt$/).first()).toBeVisible()
  await waitUntilQuiet(page)
  await expect(bannerOf(page)).toHaveCount(0)
  expect(await countTrashed(user)).toBe(60)
})

test('shows the message when an app deletes files while the page is open', async ({ page, user, product }) => {
  const deleteAll = await connectApp(product, user, 60)
  await page.goto('/profile')
  await expect(tileOf(page, 'file 0.txt')).toBeVisible()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await waitUntilQuiet(page)
  expect(requested).not.toContain('/api/deletion-groups')
  await deleteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(bannerOf(page)).toContainText('Backup deleted 60 files')
})

test('is usable on a phone in the dark', async ({ page, user, product }) => {
  await (await connectApp(product, user, 60))()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/profile')
  await expect(bannerOf(page)).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await bannerOf(page).getByRole('button', { name: 'Restore all' }).click()
  await expect(page.getByText('60 files restored.')).toBeVisible()
  expect(await countTrashed(user)).toBe(0)
})

test('keeps the message if restoring fails', async ({ page, user, product }) => {
  await (await connectApp(product, user, 60))()
  await page.route(/\/deletion-groups\/.*\/restore$/, (route) => route.abort())
  await page.goto('/trash')
  await bannerOf(page).getByRole('button', { name: 'Restore all' }).click()
  await expect(page.getByRole('alert')).toContainText(/Try again|Couldn’t|can’t/)
  await expect(bannerOf(page).getByRole('button', { name: 'Restore all' })).toBeEnabled()
})
