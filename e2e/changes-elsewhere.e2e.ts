import { createFolder, getStorage, listFiles, renameFile, renameFolder, trashFile } from '@alcove/contract/files'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Browser, Page } from '@playwright/test'
import { expect, type Product, test, waitUntilQuiet } from './fixtures.ts'
import { text } from './uploading.ts'
import { choose, tileOf } from './users.ts'

test('shows a change from one tab in another tab', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Here before' })
  await page.goto('/profile')
  const other = await page.context().newPage()
  await other.addInitScript(
    await page.evaluate(() => `Object.assign(localStorage, ${JSON.stringify({ ...localStorage })})`),
  )
  await other.goto('/profile')
  await expect(tileOf(other, 'Here before')).toBeVisible()
  await expect(tileOf(page, 'Here before')).toBeVisible()
  await other.getByRole('button', { name: 'Create Folder' }).first().click()
  await other.getByLabel('Folder Name').fill('Made there')
  await other.keyboard.press('Enter')
  await expect(tileOf(page, 'Made there')).toBeVisible()
})

test('shows a change from another device when the window gets the focus', async ({ page, user }) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  await user.client.call(createFolder, { folderName: 'From the phone' })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(tileOf(page, 'From the phone')).toBeVisible()
})

test('polls while the stream of events is refused, and shows a change from another device within 30 seconds', async ({
  page,
  user,
}) => {
  const folder = (await user.client.call(createFolder, { folderName: 'Before' })).body
  await page.route('**/api/events', (route) => route.fulfill({ status: 429, headers: { 'retry-after': '60' } }))
  await page.clock.install()
  await page.goto('/favorites')
  await page.getByRole('link', { name: 'Profile' }).first().click()
  await expect(tileOf(page, 'Before')).toBeVisible()
  await user.client.call(renameFolder, { id: folder.id, newName: 'After' })
  await page.clock.runFor(30_000)
  await expect(tileOf(page, 'After')).toBeVisible()
})

/** Waits until the page reads events. */
async function waitForEvents(product: Product, user: TestUser, count = 1): Promise<void> {
  const streams = () => product.services.events.listeners().filter(([, { userId }]) => userId === user.id)
  await expect.poll(() => streams().length).toBe(count)
}

/** Records the requests of a page for the contents of folders. */
function recordLists(page: Page): string[] {
  const lists: string[] = []
  page.on('request', (request) => {
    if (/\/api\/(items|files|folder)\b/.test(request.url())) lists.push(request.url())
  })
  return lists
}

/** Opens the user's files in another browser. */
async function openElsewhere(browser: Browser, page: Page): Promise<Page> {
  const session = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const other = await context.newPage()
  await other.addInitScript((stored) => Object.assign(localStorage, JSON.parse(stored)), session)
  await other.goto('/profile')
  return other
}

test('shows what was uploaded, renamed and trashed in another browser without polling', async ({
  page,
  browser,
  product,
  user,
}) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  const other = await openElsewhere(browser, page)
  await expect(other.getByText('An empty shelf')).toBeVisible()
  await waitForEvents(product, user, 2)
  // Polling finds no new version, whatever happens.
  const { body: storage } = await user.client.call(getStorage, {})
  await other.route('**/api/storage*', (route) => route.fulfill({ json: storage }))
  await choose(page, 'Upload File', [text('notes.txt')])
  await expect(tileOf(page, 'notes.txt')).toBeVisible()
  await expect(tileOf(other, 'notes.txt')).toBeVisible()
  const [file] = (await user.client.call(listFiles, {})).body.files
  await user.client.call(renameFile, { oldFilename: 'notes.txt', newName: 'plans.txt' })
  await expect(tileOf(other, 'plans.txt')).toBeVisible()
  await user.client.call(trashFile, { id: file?.id ?? '' })
  await expect(tileOf(other, 'plans.txt')).toBeHidden()
  await other.context().close()
})

test('refetches a list once after a change of its own', async ({ page, product, user }) => {
  await user.client.call(createFolder, { folderName: 'Old name' })
  await page.goto('/profile')
  await expect(tileOf(page, 'Old name')).toBeVisible()
  await waitForEvents(product, user)
  await waitUntilQuiet(page)
  const lists = recordLists(page)
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await page.getByLabel('Folder Name').fill('Mine')
  await page.keyboard.press('Enter')
  await expect(tileOf(page, 'Mine')).toBeVisible()
  await page.waitForTimeout(1_500)
  const own = [...lists]
  expect(new Set(own).size).toBe(own.length)
  // A change from elsewhere is still seen.
  await user.client.call(createFolder, { folderName: 'Theirs' })
  await expect(tileOf(page, 'Theirs')).toBeVisible()
  expect(lists.length).toBeGreaterThan(own.length)
})

test('does not show again what is just being removed when another device changes something', async ({
  page,
  product,
  user,
}) => {
  await user.client.call(createFolder, { folderName: 'Removed' })
  await page.goto('/profile')
  await expect(tileOf(page, 'Removed')).toBeVisible()
  await waitForEvents(product, user)
  let respond = () => {}
  const held = new Promise<void>((resolve) => {
    respond = resolve
  })
  await page.route(/\/trash/, async (route) => {
    await held
    await route.continue()
  })
  await tileOf(page, 'Removed').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(tileOf(page, 'Removed')).toBeHidden()
  const lists = recordLists(page)
  await user.client.call(createFolder, { folderName: 'Theirs' })
  await page.waitForTimeout(1_500)
  expect(lists).toEqual([])
  await expect(tileOf(page, 'Removed')).toBeHidden()
  respond()
  await expect(tileOf(page, 'Theirs')).toBeVisible()
  await expect(tileOf(page, 'Removed')).toBeHidden()
})

test('closes the stream when the tab has been out of view for a while, and catches up when it is back', async ({
  page,
  product,
  user,
}) => {
  await page.goto('/profile')
  await waitForEvents(product, user)
  const show = (state: string) =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => now === 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  await page.waitForTimeout(2_000)
  await waitForEvents(product, user)
  await waitForEvents(product, user, 0)
  await user.client.call(createFolder, { folderName: 'Meanwhile' })
  await show('visible')
  await expect(tileOf(page, 'Meanwhile')).toBeVisible()
  await waitForEvents(product, user)
})

test('connects again after the server has cut off the stream, without hurry', async ({ page, product, user }) => {
  await page.goto('/profile')
  await waitForEvents(product, user)
  const requests: number[] = []
  page.on('request', (request) => request.url().endsWith('/api/events') && requests.push(Date.now()))
  for (const [stream] of product.services.events.listeners()) stream.destroy()
  await expect.poll(() => requests.length).toBe(1)
  await waitForEvents(product, user)
  expect(requests).toHaveLength(1)
  await user.client.call(createFolder, { folderName: 'Again' })
  await expect(tileOf(page, 'Again')).toBeVisible()
})
