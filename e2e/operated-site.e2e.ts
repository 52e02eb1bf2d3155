import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setMaintenance } from '@alcove/contract/admin-site'
import { fetchFile } from '@alcove/contract/bytes'
import { pollEverySecond } from '@alcove/server/testing/engines/poll-changes'
import { expect, expectAccessible, signInAs, siteTest as test } from './fixtures.ts'
import { holdChunksAfter, longText, makeDirectory, tray, waitForResumableChunks } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const MEBIBYTE = 1024 * 1024

test('an upload waits while the site is under maintenance and goes on by itself', async ({ page, site: product }) => {
  const stopPolling = await pollEverySecond(product.services)
  const admin = await product.createUser({ isAdmin: true })
  const user = await product.createUser()
  await signInAs(page, user)
  await page.clock.install()
  await page.goto('/profile')
  const film = join(await makeDirectory(), 'film.bin')
  await writeFile(film, Buffer.alloc(60 * MEBIBYTE, 'film '))
  const release = await holdChunksAfter(page, 1)
  await choose(page, 'Upload File', [film])
  // Refused before that, the upload would wait for a minute and send no chunk by then.
  await waitForResumableChunks(page, product, 1)
  await admin.client.call(setMaintenance, { on: true, message: 'Back at 21:00.' })
  const refused = page.waitForResponse(
    (response) => response.status() === 503 && response.url().endsWith('/upload-chunk'),
  )
  void release()
  await refused
  await expect(page.getByRole('heading', { name: 'Under maintenance' })).toBeVisible()
  await expect(page.getByText('Back at 21:00.')).toBeVisible()

  await admin.client.call(setMaintenance, { on: false })
  // The page looks every 15 seconds whether it is over, and the server has told uploads to wait for a minute.
  await page.clock.fastForward('01:05')
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  const stored = await user.client.raw(fetchFile, { filename: 'film.bin' })
  expect(stored.bytes.length).toBe(60 * MEBIBYTE)
  stopPolling()
})

test('maintenance that begins below a dialog closes the dialog and takes the focus', async ({
  page,
  site: product,
}) => {
  const admin = await product.createUser({ isAdmin: true })
  await signInAs(page, await product.createUser())
  // Only the response to the change says so.
  await page.route('**/api/events', (route) => route.abort())
  await page.goto('/profile')
  const dialog = page.getByRole('dialog', { name: 'Create Folder' })
  await expect(async () => {
    if (await dialog.isHidden())
      await page.getByRole('button', { name: 'Create Folder' }).first().click({ timeout: 500 })
    await expect(dialog).toBeVisible({ timeout: 2000 })
  }).toPass()
  await dialog.getByRole('textbox').fill('Trip')
  await admin.client.call(setMaintenance, { on: true, message: 'Back at 21:00.' })
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { name: 'Under maintenance' })
  await expect(heading).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(heading).toBeFocused()
  await expectAccessible(page)
})

test('a file whose stored bytes are damaged says so in the list, in its details and over its preview', async ({
  page,
  site: product,
}) => {
  const user = await product.createUser()
  const { id } = await user.client.upload('notes.txt', longText('notes.txt').buffer)
  const { db } = product.services
  const blob = db.selectFrom('items').select('blob_key').where('id', '=', id)
  await db.updateTable('blobs').set({ damaged_at: 1 }).where('key', '=', blob).execute()
  await signInAs(page, user)
  await page.goto('/profile')
  await expect(tileOf(page, 'notes.txt')).toContainText('Damaged')
  await tileOf(page, 'notes.txt').click()
  await page.keyboard.press('Alt+Enter')
  await expect(page.getByText('The stored bytes of this file are damaged or missing')).toBeVisible()
  await expectAccessible(page)
  await tileOf(page, 'notes.txt').press('Enter')
  await expect(page.getByText('damaged, see its details')).toBeVisible()
})

test('the admin area follows its addresses, refuses an end in the past, and shows why a provider can’t be saved', async ({
  page,
  site: product,
}) => {
  const admin = await product.createUser({ isAdmin: true })
  await signInAs(page, admin)
  await page.goto('/admin/users?search=nobody')
  await expect(page.getByText('Nobody matches.')).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Admin' })
  await navigation.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('list', { name: 'Users' }).getByRole('button', { name: admin.email })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search users' })).toHaveValue('')
  await page.getByRole('searchbox', { name: 'Search users' }).fill('nobody')
  await expect(page.getByText('Nobody matches.')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 740 })
  await page.goto('/admin/appearance')
  await expect(navigation.getByRole('link', { name: 'Appearance' })).toBeInViewport({ ratio: 1 })
  const card = page.getByRole('region', { name: 'Announcement' })
  await card.getByLabel('Text').fill('Over already')
  await card.getByLabel('Ends').fill('2020-01-01T10:00')
  await card.getByRole('button', { name: 'Announce' }).click()
  await expect(card.getByLabel('Ends')).toBeFocused()
  await expect(card.getByText('Choose a time that is still to come.')).toBeVisible()

  await navigation.getByRole('link', { name: 'Sign-in', exact: true }).click()
  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeInViewport({ ratio: 1 })
})
