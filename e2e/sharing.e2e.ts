import { readFile } from 'node:fs/promises'
import { createFolder } from '@alcove/contract/files'
import { getPublicLink, type PublicLink, updatePublicLink } from '@alcove/contract/sharing'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { type Browser, devices, type Page } from '@playwright/test'
import { expect, expectAccessible, test, waitUntilQuiet } from './fixtures.ts'
import { tileOf } from './users.ts'

async function makeFolder(user: TestUser, folderName: string, parentFolderId?: string) {
  return (await user.client.call(createFolder, { folderName, parentFolderId })).body
}

async function share(user: TestUser, id: string, options: { password?: string; expiresAt?: string } = {}) {
  return (await user.client.call(updatePublicLink, { id, enabled: true, ...options })).body.link
}

const readLinkOf = async (user: TestUser, id: string): Promise<PublicLink> =>
  (await user.client.call(getPublicLink, { id })).body

/** Opens a page for another visitor, without a session or stored data. */
async function openVisitor(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext(options)
  return context.newPage()
}

/** A PNG of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Public Link' })

async function openDialog(page: Page, name: string) {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Public Link' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('checkbox', { name: 'Enabled' })).toBeVisible()
  return dialog
}

async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('shares a file with the mouse, lets a visitor download it, and disables the link', async ({
  page,
  user,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
  const { id } = await user.client.upload('Guesthouse stairs.bin', bytes)
  await page.goto('/profile')
  const dialog = await openDialog(page, 'Guesthouse stairs.bin')
  const box = dialog.getByRole('checkbox', { name: 'Enabled' })
  await expect(box).not.toBeChecked()
  await box.click()
  await expect(dialog.getByText('Anyone with the link can view and download this file.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Copy Link' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Link copied!' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await expect(dialog.getByLabel('Public link')).toHaveValue(link)
  await expect(async () => expect((await readLinkOf(user, id)).enabled).toBe(true)).toPass()

  const visitor = await openVisitor(browser)
  const response = await visitor.goto(link)
  expect(response?.headers()).toMatchObject({ 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' })
  await expect(visitor.getByRole('heading', { name: 'Guesthouse stairs.bin' })).toBeVisible()
  await expect(visitor).toHaveTitle('Guesthouse stairs.bin · Alcove')
  await expect(visitor.getByRole('link', { name: 'Get Started With Free Tier' })).toBeVisible()
  await expect(visitor.getByText('293 KB, BIN file', { exact: true })).toBeVisible()
  const got = await download(visitor, () => visitor.getByRole('link', { name: 'Download', exact: true }).click())
  expect(got.name).toBe('Guesthouse stairs.bin')
  expect(got.bytes.equals(bytes)).toBe(true)
  expect((await readLinkOf(user, id)).downloadCount).toBe(1)

  await box.click()
  await expect(dialog.getByText('Nobody can open this link until you enable it.')).toBeVisible()
  await expect(async () => expect((await readLinkOf(user, id)).enabled).toBe(false)).toPass()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Nothing is shared here' })).toBeVisible()
  await visitor.context().close()
})

test('shares a folder by keyboard, and lets a visitor browse and download it', async ({ page, user, browser }) => {
  const folder = await makeFolder(user, 'Spring in Lisbon')
  const walks = await makeFolder(user, 'Alfama walks', folder.id)
  await user.client.upload('notes.txt', 'We climbed all day.', { folderId: walks.id })
  await user.client.upload('dot.png', DOT, { folderId: folder.id })
  await user.client.upload('Beside.txt', 'not shared')
  await page.goto('/profile')
  await tileOf(page, 'Spring in Lisbon').focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Public Link' })).toBeVisible()
  while (!(await page.getByRole('menuitem', { name: 'Public Link' }).evaluate((one) => one === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('checkbox', { name: 'Enabled' })).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('checkbox', { name: 'Enabled' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(dialog.getByText('Anyone with the link can view and download this folder.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(async () => expect((await readLinkOf(user, folder.id)).enabled).toBe(true)).toPass()

  const visitor = await openVisitor(browser)
  await visitor.goto((await readLinkOf(user, folder.id)).link)
  const picture = visitor.getByRole('button', { name: /^dot\.png/ }).locator('img')
  await expect(async () => {
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  }).toPass()
  await visitor.getByRole('link', { name: /^Alfama walks/ }).click()
  await expect(visitor.getByRole('heading', { name: 'Alfama walks' })).toBeFocused()
  expect(new URL(visitor.url()).searchParams.get('folder')).toBe(walks.id)
  await visitor.reload()
  await visitor.getByRole('button', { name: /^notes\.txt/ }).click()
  await expect(visitor.getByText('We climbed all day.')).toBeVisible()
  await visitor.keyboard.press('Escape')
  await expect(visitor.getByText('We climbed all day.')).toHaveCount(0)
  await visitor.getByRole('navigation', { name: 'Folder path' }).getByRole('link', { name: 'Spring in Lisbon' }).click()
  await expect(visitor.getByRole('heading', { name: 'Spring in Lisbon' })).toBeVisible()
  await expect(visitor.getByText('Beside.txt')).toHaveCount(0)
  await visitor.goBack()
  await expect(visitor.getByRole('heading', { name: 'Alfama walks' })).toBeVisible()
  const zip = await download(visitor, () => visitor.getByRole('link', { name: 'Download as ZIP' }).click())
  expect(zip.name).toBe('Alfama walks.zip')
  expect(zip.bytes.includes('We climbed all day.')).toBe(true)
  await visitor.goto(`/s/${new URL(visitor.url()).pathname.split('/').pop()}?folder=${crypto.randomUUID()}`)
  await visitor.getByRole('link', { name: 'Go to the shared folder' }).click()
  await expect(visitor.getByRole('heading', { name: 'Spring in Lisbon' })).toBeVisible()
  await visitor.context().close()
})

test('keeps the Enabled checkbox checked while the server has not responded yet', async ({ page, user }) => {
  const { id } = await user.client.upload('Letter.txt', 'Dear Inês')
  await page.goto('/profile')
  const box = (await openDialog(page, 'Letter.txt')).getByRole('checkbox', { name: 'Enabled' })
  await page.route('**/api/public-link/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  const seen = await box.evaluate(async (input: HTMLInputElement) => {
    input.click()
    const seen = [input.checked]
    for (let frame = 0; frame < 10; frame++) {
      await new Promise(requestAnimationFrame)
      seen.push(input.checked)
    }
    return seen
  })
  expect(seen).not.toContain(false)
  await expect(async () => expect((await readLinkOf(user, id)).enabled).toBe(true)).toPass()
  await expect(box).toBeChecked()
})

test('sets, requires and removes the password of a link, and ends the link when it expires', async ({
  page,
  user,
  browser,
  product,
}) => {
  const { id } = await user.client.upload('Letter.txt', 'Dear Inês')
  await page.goto('/profile')
  const dialog = await openDialog(page, 'Letter.txt')
  await dialog.getByRole('checkbox', { name: 'Enabled' }).click()
  await dialog.getByRole('button', { name: 'Options' }).click()
  await expect(dialog.getByText('Downloads so far: 0')).toBeVisible()
  await dialog.getByRole('button', { name: 'Set Password' }).click()
  await expect(dialog.getByText('The password cannot be empty.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill('open sesame')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Password set.' })).toBeVisible()
  await dialog.getByLabel('Expiry date').fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Set Date' }).click()
  await expect(dialog.getByText('Choose today or a later day.')).toBeVisible()
  await dialog.getByLabel('Expiry date').fill('2099-03-01')
  await dialog.getByRole('button', { name: 'Set Date' }).click()
  await expect(
    dialog.getByText(/^Anyone with the link and the password can view and download this file until/),
  ).toBeVisible()
  expect(await readLinkOf(user, id)).toMatchObject({ enabled: true, hasPassword: true })
  expect((await readLinkOf(user, id)).expiresAt).toMatch(/^2099-03-0[12]T/)
  await expectAccessible(page)

  const visitor = await openVisitor(browser)
  await visitor.goto((await readLinkOf(user, id)).link)
  await expect(visitor.getByRole('heading', { name: 'This link needs a password' })).toBeVisible()
  expect(await visitor.content()).not.toContain('Letter.txt')
  await expectAccessible(visitor)
  await visitor.getByLabel('Password', { exact: true }).fill('wrong')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByText('Incorrect password.')).toBeVisible()
  await visitor.getByLabel('Password', { exact: true }).fill('open sesame')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Letter.txt' })).toBeVisible()
  await visitor.reload()
  const got = await download(visitor, () => visitor.getByRole('link', { name: 'Download', exact: true }).click())
  expect(got.bytes.toString()).toBe('Dear Inês')

  await dialog.getByRole('textbox', { name: 'New password' }).fill('another')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(async () => {
    await visitor.reload()
    await expect(visitor.getByRole('heading', { name: 'This link needs a password' })).toBeVisible({ timeout: 5000 })
  }).toPass()
  await dialog.getByRole('button', { name: 'Remove' }).first().click()
  await expect(page.getByRole('status').filter({ hasText: 'Password removed.' })).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Letter.txt' })).toBeVisible()
  const expiresAt = new Date(product.clock.now() + 1000).toISOString()
  await user.client.call(updatePublicLink, { id, enabled: true, expiresAt })
  product.clock.advance(1000)
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Nothing is shared here' })).toBeVisible()
  await visitor.context().close()
})

test('shows an error when a link cannot be loaded or changed, and keeps the checkbox correct', async ({
  page,
  user,
}) => {
  const { id } = await user.client.upload('a.txt', 'x')
  await page.goto('/profile')
  await page.route('**/api/public-link/*', (route) => route.fulfill({ status: 500, json: {} }))
  await tileOf(page, 'a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Public Link' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByRole('alert').filter({ hasText: 'Could not retrieve public link.' })).toBeVisible()
  await page.unroute('**/api/public-link/*')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  const box = dialog.getByRole('checkbox', { name: 'Enabled' })
  await expect(box).toBeVisible()
  await page.context().setOffline(true)
  await box.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to update public link settings.' })).toBeVisible()
  await expect(box).not.toBeChecked()
  await page.context().setOffline(false)
  // A request right after that may still fail, and each click means the opposite of what is shown.
  await expect(async () => expect(await page.evaluate(async () => (await fetch('/api/health')).ok)).toBe(true)).toPass()
  for (let click = 0; click < 5; click++) await box.click()
  await expect(box).toBeChecked()
  await expect(async () => expect((await readLinkOf(user, id)).enabled).toBe(true)).toPass()
  await page.reload()
  await expect((await openDialog(page, 'a.txt')).getByRole('checkbox', { name: 'Enabled' })).toBeChecked()
})

test('keeps the checkbox when a response from before the change comes after it', async ({ page, user }) => {
  await user.client.upload('a.txt', 'x')
  await page.goto('/profile')
  const dialog = await openDialog(page, 'a.txt')
  const box = dialog.getByRole('checkbox', { name: 'Enabled' })
  await expect(box).not.toBeChecked()
  await waitUntilQuiet(page)
  const read = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  await page.route('**/api/public-link/*', async (route) => {
    if (route.request().method() === 'POST') {
      await read.promise
      await route.continue()
      return
    }
    const response = await route.fetch()
    read.resolve()
    await changed.promise
    // The page may have stopped waiting for it.
    await route.fulfill({ response }).catch(() => {})
  })
  const change = page.waitForResponse((response) => response.request().method() === 'POST')
  await box.click()
  // As when the connection returns.
  await page.evaluate(() => ['offline', 'online'].map((type) => window.dispatchEvent(new Event(type))))
  await change
  await expect(box).toBeChecked()
  changed.resolve()
  await waitUntilQuiet(page)
  await expect(box).toBeChecked()
})

test('shows the latest choice while earlier ones are still being saved', async ({ page, user }) => {
  const { id } = await user.client.upload('a.txt', 'x')
  await page.goto('/profile')
  const box = (await openDialog(page, 'a.txt')).getByRole('checkbox', { name: 'Enabled' })
  await waitUntilQuiet(page)
  const held: (() => Promise<void>)[] = []
  await page.route('**/api/public-link/*', (route) => {
    if (route.request().method() === 'POST') held.push(() => route.continue())
    else void route.continue()
  })
  for (let click = 0; click < 3; click++) await box.click()
  for (let saved = 0; saved < 3; saved++) {
    await expect.poll(() => held.length).toBe(saved + 1)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await box.isChecked()).toBe(true)
    await held[saved]?.()
  }
  await expect(async () => expect((await readLinkOf(user, id)).enabled).toBe(true)).toPass()
  await waitUntilQuiet(page)
  expect(await box.isChecked()).toBe(true)
  expect(held).toHaveLength(3)
})

test('copies the link without permission to write to the clipboard', async ({ page, user }) => {
  await user.client.upload('a.txt', 'x')
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } }),
  )
  await page.goto('/profile')
  const dialog = await openDialog(page, 'a.txt')
  await page.evaluate(() =>
    document.addEventListener('copy', () => Object.assign(window, { copied: String(document.getSelection()) })),
  )
  await dialog.getByRole('button', { name: 'Copy Link' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Link copied!' })).toBeVisible()
  expect(await page.evaluate(() => 'copied' in window)).toBe(true)
})

test('lists shared links and disables them one by one or all at once', async ({ page, user, product }) => {
  const folder = await makeFolder(user, 'Photos')
  const picture = await user.client.upload('a.jpg', 'jpeg', { folderId: folder.id })
  const letter = await user.client.upload('b.txt', 'x')
  await page.goto('/profile')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shared links' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is shared' })).toBeVisible()
  await expectAccessible(page)

  await share(user, folder.id, { password: 'x' })
  await share(user, picture.id)
  await share(user, letter.id, { expiresAt: new Date(product.clock.now() + 1000).toISOString() })
  await page.reload()
  await expect(page.getByText('3 links')).toBeVisible()
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await expect(row('b.txt').getByText('Expired', { exact: true }).first()).toBeVisible()
  await expect(row('Photos').getByRole('img', { name: 'Protected by a password' })).toBeVisible()
  await expectAccessible(page)

  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Disable link of a.jpg' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to update public link settings.' })).toBeVisible()
  await expect(page.getByText('3 links')).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Disable link of a.jpg' }).click()
  await expect(page.getByText('2 links')).toBeVisible()
  // The list shows the change before the server has made it.
  await expect.poll(async () => (await readLinkOf(user, picture.id)).enabled).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('3 links')).toBeVisible()
  await page.getByRole('button', { name: 'Settings of the link of a.jpg' }).click()
  await dialogOf(page).getByRole('checkbox', { name: 'Enabled' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('2 links')).toBeVisible()

  await page.getByRole('button', { name: 'Disable All' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable All' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is shared' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing is shared' })).toBeFocused()
  await expect.poll(async () => (await readLinkOf(user, folder.id)).enabled).toBe(false)
})

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1440, 360]) {
    test(`shared files and folders are accessible in the ${scheme} scheme at ${width} px`, async ({
      user,
      browser,
      product,
    }) => {
      const folder = await makeFolder(user, `${'A very long name of a folder '.repeat(6)}end`)
      const inner = await makeFolder(user, 'תמונות מהטיול', folder.id)
      await user.client.upload(`${'long name '.repeat(20)}.mp3`, 'x', { folderId: folder.id })
      await user.client.upload('notes.txt', 'x', { folderId: inner.id })
      const file = await user.client.upload('שיר ארוך מאוד.zip', 'x')
      const [folderLink, fileLink] = [await share(user, folder.id), await share(user, file.id)]
      const visitor = await openVisitor(browser, {
        ...(width === 360 ? devices['Pixel 7'] : {}),
        baseURL: product.url,
        viewport: { width, height: 800 },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      })
      for (const address of [folderLink, `${folderLink}?folder=${inner.id}`, fileLink, '/s/AAAAAAAAAAAAAAAAAAAAAA']) {
        await visitor.goto(address)
        await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
        await expectAccessible(visitor)
        const overflow = await visitor.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow).toBe(0)
      }
      await visitor.context().close()
    })
  }
}

test('gives the file of a shared folder the focus when its preview closes after a reload', async ({
  user,
  browser,
}) => {
  const folder = await makeFolder(user, 'Trip')
  for (const name of ['a.png', 'b.png']) await user.client.upload(name, DOT, { folderId: folder.id })
  const visitor = await openVisitor(browser)
  await visitor.goto(await share(user, folder.id))
  const tile = visitor.getByRole('button', { name: /^b\.png/ })
  await tile.click()
  const preview = visitor.getByRole('dialog', { name: 'Preview of b.png' })
  await expect(preview).toBeVisible()
  await visitor.reload()
  await expect(preview).toBeVisible()
  await visitor.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await expect(tile).toBeFocused()
  await visitor.context().close()
})
