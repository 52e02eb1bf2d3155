import { createFolder } from '@alcove/contract/files'
import { getProfile, updateProfile } from '@alcove/contract/profile'
import { TEST_PASSWORD, type TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { logIn, tileOf } from './users.ts'

const displayName = (page: Page) => page.getByRole('region', { name: 'Display name', exact: true })

/** Signs in as another user. */
async function enterAs(page: Page, { email }: TestUser): Promise<void> {
  await page.goto('/login')
  await logIn(page, email, TEST_PASSWORD)
  await expect(page).toHaveURL('/profile')
}

test('shows nothing of the previous user in another tab, whose forms save nothing of theirs either', async ({
  page,
  user,
  context,
  product,
}) => {
  await user.client.call(createFolder, { folderName: 'Of the first user' })
  await user.client.call(updateProfile, { displayName: 'Mara' })
  const next = await product.createUser()
  await page.goto('/account')
  const other = await context.newPage()
  await other.goto('/account')
  await expect(displayName(other).getByLabel('Name')).toHaveValue('Mara')
  await other.getByRole('link', { name: 'Profile' }).click()
  await expect(tileOf(other, 'Of the first user')).toBeVisible()

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(other).toHaveURL('/login')
  await enterAs(page, next)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await other.route('**/api/items?*', async (route) => {
    await held
    await route.continue()
  })
  const isAsked = other.waitForRequest('**/api/items?*')
  await other.getByRole('link', { name: 'Profile' }).click()
  await isAsked
  await expect(other.getByRole('button', { name: 'Create Folder' })).toBeVisible()
  await expect(tileOf(other, 'Of the first user')).toBeHidden()
  release()
  await other.getByRole('link', { name: 'Account' }).click()
  await expect(displayName(other).getByLabel('Name')).toHaveValue('')
  await displayName(other).getByRole('button', { name: 'Save' }).click()
  await expect(displayName(other).getByRole('status')).toBeVisible()
  expect((await next.client.call(getProfile, {})).body.displayName).toBe('')
})

test('gives the open page and dialog of a tab to nobody else when another tab signs in as another user', async ({
  page,
  user,
  context,
  product,
}) => {
  await user.client.call(updateProfile, { displayName: 'Mara' })
  const next = await product.createUser()
  const other = await context.newPage()
  await page.goto('/')
  await other.goto('/account')
  await displayName(other).getByLabel('Name').fill('Typed by Mara')
  const dialog = other.getByRole('dialog')
  await expect(async () => {
    if (await dialog.isHidden()) await other.getByRole('button', { name: 'Delete Account' }).click({ timeout: 500 })
    await expect(dialog).toContainText(user.email, { timeout: 2000 })
  }).toPass()

  await enterAs(page, next)
  await expect(displayName(other).getByLabel('Name')).toHaveValue('')
  await expect(dialog).toHaveCount(0)
})

test('leads whoever signs in after a sign-out to their own files, not to the place of another tab', async ({
  page,
  user,
  context,
  product,
}) => {
  const { id } = (await user.client.call(createFolder, { folderName: 'Trip' })).body
  const next = await product.createUser()
  const readTarget = () => page.evaluate(() => localStorage.getItem('target'))
  await page.goto('/account')
  const other = await context.newPage()
  await other.goto(`/profile?folder=${id}`)
  await expect(other.getByText(`Current Folder: ${id}`)).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(other).toHaveURL('/login')
  expect(await readTarget()).toBeNull()
  await enterAs(page, next)

  // A session that expires elsewhere leads back.
  await page.goto('/')
  await other.goto('/account')
  await expect(displayName(other)).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('token'))
  await expect(other).toHaveURL('/login')
  expect(await readTarget()).toBe('/account')
})
