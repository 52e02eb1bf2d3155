import { createFolder, trashFolder } from '@alcove/contract/files'
import { MAX_APP_PASSWORDS, RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import { addAppPassword } from '@alcove/server/testing/factories/app-passwords'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test } from './fixtures.ts'

const cardOf = (page: Page) => page.getByRole('region', { name: 'Apps and devices', exact: true })
const rowsOf = (page: Page) => cardOf(page).getByRole('list', { name: 'Your app passwords' }).locator('> li')
const formOf = (page: Page) => page.getByRole('dialog', { name: 'Create app password' })
const createdOf = (page: Page) => page.getByRole('dialog', { name: 'Your new app password' })
const secretIn = async (page: Page) => (await createdOf(page).locator('code').first().textContent()) as string

async function openForm(page: Page, name: string): Promise<void> {
  await cardOf(page).getByRole('button', { name: 'Create app password' }).click()
  await formOf(page).getByLabel('Name').fill(name)
}

/** Lists items over HTTP as an app does, with an app password. */
async function listAs({ url }: Product, secret: string): Promise<{ status: number; names: string[] }> {
  const response = await fetch(`${url}/api/items`, {
    headers: { authorization: `Bearer ${secret}`, 'user-agent': 'rclone/v1.68.0' },
  })
  const { items = [] } = (await response.json()) as { items?: { name: string }[] }
  return { status: response.status, names: items.map(({ name }) => name) }
}

test('creates an app password that works until it is revoked', async ({ page, user, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await user.client.upload('a.txt', 'x')
  await page.goto('/account')
  await expect(cardOf(page)).toContainText('Connect your computer’s file manager, rclone, a phone app…')
  await openForm(page, ' ')
  await formOf(page).getByRole('button', { name: 'Create', exact: true }).click()
  await expect(formOf(page).getByRole('alert')).toHaveText('The name cannot be empty.')
  await expect(formOf(page).getByLabel('Name')).toBeFocused()
  await formOf(page).getByLabel('Name').fill('rclone on my laptop')
  await formOf(page).getByLabel('Read only').check()
  await formOf(page).getByRole('button', { name: 'Create', exact: true }).dblclick()

  const dialog = createdOf(page)
  await expect(dialog.getByText('You can’t see this password again. Create another one if you lose it.')).toBeFocused()
  const secret = await secretIn(page)
  expect(secret).toMatch(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/)
  await dialog.getByRole('button', { name: 'Copy App password' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'App password copied!' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await expect(dialog).toContainText(user.email)
  await expect(dialog).toContainText(`${product.url}/dav/`)

  // Nothing but its buttons closes the dialog.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.goBack()
  await expect(dialog.getByText(secret.slice(0, 5))).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(cardOf(page).getByRole('button', { name: 'Create app password' })).toBeFocused()
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText(/rclone on my laptop\s*Read only\s*Created .*Never used/)

  expect(await listAs(product, secret)).toEqual({ status: 200, names: ['a.txt'] })
  await page.reload()
  await expect(rowsOf(page)).toContainText('rclone, 127.0.0.1, ')
  await cardOf(page).getByRole('button', { name: 'Revoke rclone on my laptop' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke “rclone on my laptop”?' })
  await expect(question).toContainText('rclone on my laptop will lose access at once. You can’t undo this.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await listAs(product, secret)).status).toBe(200)
  await cardOf(page).getByRole('button', { name: 'Revoke rclone on my laptop' }).click()
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText('The app password was revoked.')).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(0)
  await expect(cardOf(page).getByRole('button', { name: 'Create app password' })).toBeFocused()
  expect((await listAs(product, secret)).status).toBe(401)
})

test('limits an app password to one folder and says when that is in the trash', async ({ page, user, product }) => {
  const photos = (await user.client.call(createFolder, { folderName: 'Photos' })).body
  const inside = (await user.client.call(createFolder, { folderName: '2024', parentFolderId: photos.id })).body
  await user.client.upload('in.jpg', 'x', { folderId: inside.id })
  await user.client.upload('out.jpg', 'x')
  await page.goto('/account')
  await openForm(page, 'Phone')
  const form = formOf(page)
  await form.getByLabel('One folder').check()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toHaveText('Open a folder, or choose the whole drive.')
  await form.getByRole('button', { name: 'Photos' }).click()
  await form.getByRole('button', { name: '2024' }).click()
  await expect(form.locator('[aria-current="page"]')).toHaveText('2024')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(createdOf(page)).toBeVisible()
  expect(await listAs(product, await secretIn(page))).toEqual({ status: 200, names: ['in.jpg'] })
  await createdOf(page).getByRole('button', { name: 'Done' }).click()
  await expect(rowsOf(page)).toContainText('Only Photos/2024')
  await user.client.call(trashFolder, { id: photos.id })
  await page.reload()
  await expect(rowsOf(page)).toContainText('Its folder is in the trash')
})

test('creates an app password with an end date', async ({ page, user: _user }) => {
  await page.goto('/account')
  await openForm(page, 'Guest')
  const form = formOf(page)
  await form.getByLabel('It stops working').selectOption('On a day that I choose')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toHaveText('Choose a day.')
  await form.getByLabel('Last day').fill('2020-01-01')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toHaveText('Choose today or a later day.')
  const day = new Date(Date.now() + 3 * 86_400_000)
  await form.getByLabel('Last day').fill(day.toISOString().slice(0, 10))
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await createdOf(page).getByRole('button', { name: 'Done' }).click()
  await expect(rowsOf(page)).toContainText(/Expires .*, in [23] days/)
})

test('keeps what was entered while the user confirms an old sign-in', async ({ page, user, product }) => {
  await page.goto('/account')
  await openForm(page, 'Laptop')
  await formOf(page).getByLabel('Upload only').check()
  product.clock.advance(RECENT_SIGN_IN_WINDOW)
  await formOf(page).getByRole('button', { name: 'Create', exact: true }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(confirmation.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(confirmation).toHaveCount(0)
  await expect(formOf(page).getByLabel('Name')).toHaveValue('Laptop')
  await expect(formOf(page).getByLabel('Upload only')).toBeChecked()
  await expect(formOf(page).getByRole('alert')).toHaveCount(0)
  await expect(formOf(page).getByRole('button', { name: 'Close' })).toBeVisible()

  await formOf(page).getByRole('button', { name: 'Create', exact: true }).click()
  await confirmation.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await confirmation.getByRole('button', { name: 'Confirm' }).click()
  await expect(createdOf(page)).toBeVisible()
  expect((await listAs(product, await secretIn(page))).status).toBe(403)
  const rows = product.services.db.selectFrom('app_passwords').select('name').where('user_id', '=', user.id)
  expect(await rows.execute()).toEqual([{ name: 'Laptop' }])
})

test('shows the limit of app passwords, and a long list in parts', async ({ page, user, product }) => {
  for (let number = 1; number <= MAX_APP_PASSWORDS; number++)
    await addAppPassword(product, user, { name: `App ${number}` })
  await page.goto('/account')
  await expect(rowsOf(page)).toHaveCount(6)
  await cardOf(page)
    .getByRole('button', { name: `Show all ${MAX_APP_PASSWORDS}` })
    .click()
  await expect(rowsOf(page)).toHaveCount(MAX_APP_PASSWORDS)
  await expect(cardOf(page).getByRole('button', { name: 'Show fewer' })).toBeFocused()
  await openForm(page, 'One more')
  await formOf(page).getByRole('button', { name: 'Create', exact: true }).click()
  await expect(formOf(page).getByRole('alert')).toHaveText(
    `You have ${MAX_APP_PASSWORDS} app passwords. Revoke one to create another.`,
  )
  await page.keyboard.press('Escape')
  await expect(formOf(page)).toHaveCount(0)
})

test('offers a retry when the app passwords can’t be loaded', async ({ page, user: _user }) => {
  await page.route('**/api/app-passwords', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/account')
  await expect(cardOf(page).getByRole('alert')).toContainText('Couldn’t load your app passwords.')
  await page.unroute('**/api/app-passwords')
  await cardOf(page).getByRole('button', { name: 'Retry' }).click()
  await expect(cardOf(page).getByRole('button', { name: 'Create app password' })).toBeVisible()
})

test('fills a new app password into the instructions until the user leaves them', async ({ page, user, product }) => {
  await page.goto('/account')
  await openForm(page, 'Laptop')
  await formOf(page).getByRole('button', { name: 'Create', exact: true }).click()
  const secret = await secretIn(page)
  await createdOf(page).getByRole('button', { name: 'Set up an app' }).click()
  await expect(page).toHaveURL(`${product.url}/connect-app`)
  await expect(page).toHaveTitle('Connect an app · Alcove')
  const main = page.getByRole('main')
  const apps = main.getByRole('list', { name: 'Apps' }).getByRole('button')
  const instructions = main.getByRole('article')
  await expect(instructions).toContainText(
    `rclone config create alcove webdav url=${product.url}/dav/ vendor=owncloud user=${user.email} pass=${secret} --obscure`,
  )
  const names = await apps.locator('span:first-child').allTextContents()
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    await apps.filter({ hasText: name }).first().click()
    await expect(instructions.getByRole('heading', { name, exact: true })).toBeFocused()
    await expect(instructions).toContainText(secret)
    await expect(instructions).not.toContainText('YOUR-APP-PASSWORD')
  }
  expect(page.url()).not.toContain(secret)
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
  ).not.toContain(secret)

  await main.getByRole('button', { name: 'Create another app password' }).click()
  await formOf(page).getByLabel('Name').fill('Phone')
  await formOf(page).getByRole('button', { name: 'Create', exact: true }).click()
  const next = await secretIn(page)
  expect(next).not.toBe(secret)
  await expect(createdOf(page).getByRole('button', { name: 'Set up an app' })).toHaveCount(0)
  await createdOf(page).getByRole('button', { name: 'Done' }).click()
  await expect(instructions).toContainText(next)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Account' }).click()
  await cardOf(page).getByRole('link', { name: 'Set up an app' }).click()
  await expect(instructions).toContainText('pass=YOUR-APP-PASSWORD')
  await expect(main).not.toContainText(next)
})

test('creates a password for an app from its instructions, with its name', async ({ page, user: _user }) => {
  await page.goto('/connect-app?app=joplin')
  const instructions = page.getByRole('article')
  await instructions.getByRole('button', { name: 'Create a password for Joplin' }).click()
  await expect(formOf(page).getByLabel('Name')).toHaveValue('Joplin')
  await page.keyboard.press('Enter')
  const secret = await secretIn(page)
  await createdOf(page).getByRole('button', { name: 'Done' }).click()
  await expect(instructions).toContainText(secret)
  await expect(instructions.getByRole('button', { name: 'Create another password for Joplin' })).toBeFocused()
  await page.goto('/account')
  await expect(rowsOf(page)).toContainText(/Joplin\s*Read and write/)
})

test('finds the instructions for an app by keyboard, and keeps it in the address', async ({ page, user: _user }) => {
  await page.goto('/connect-app?app=zotero')
  const heading = page.getByRole('article').getByRole('heading', { level: 3 })
  await expect(heading).toHaveText('Zotero')
  await expect(page.getByRole('img', { name: 'QR code of the server address' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy Password' })).toHaveCount(0)
  await page.getByLabel('Find your app').fill('linux drive')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('GNOME Files')
  await expect(heading).toBeFocused()
  await expect(page).toHaveURL(/\?app=gnome-files$/)
  await page.getByLabel('Find your app').fill('telegram')
  await expect(page.getByText('Any app that supports WebDAV works')).toBeVisible()
})

test('asks visitors to sign in before it shows how to connect an app', async ({ page }) => {
  await page.goto('/connect-app?app=finder')
  await expect(page).toHaveURL('/login')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`fits a phone and is accessible in the ${colorScheme} scheme`, async ({ page, user, product }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 360, height: 740 })
    await addAppPassword(product, user, { name: 'x'.repeat(60), scope: 'upload' })
    await addAppPassword(product, user, { name: 'טלפון', scope: 'read' })
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    await page.goto('/account')
    await expect(rowsOf(page)).toHaveCount(2)
    await expectAccessible(page)
    expect(await width()).toBeLessThanOrEqual(360)
    await openForm(page, 'Phone')
    await expectAccessible(page)
    await formOf(page).getByRole('button', { name: 'Create', exact: true }).click()
    await expect(createdOf(page)).toBeVisible()
    await expectAccessible(page)
    expect(await createdOf(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBeLessThanOrEqual(0)
    await createdOf(page).getByRole('button', { name: 'Set up an app' }).click()
    for (const app of ['rclone', 'explorer', 'keepass']) {
      await page.goto(`/connect-app?app=${app}`)
      await expect(page.getByRole('article')).toBeVisible()
      await expectAccessible(page)
      expect(await width()).toBeLessThanOrEqual(360)
    }
    await page.getByRole('button', { name: 'PhotoSync' }).click()
    const step = page.getByRole('article').getByText('In PhotoSync, open the settings')
    await expect(step).toBeInViewport({ ratio: 1 })
  })
}
