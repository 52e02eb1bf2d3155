import { RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import { getNoticeSettings, listNotices } from '@alcove/contract/notices'
import type { NewNotice } from '@alcove/server/testing/factories/notices'
import { addNotice } from '@alcove/server/testing/factories/notices'
import { TEST_PASSWORD, type TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test, waitUntilQuiet } from './fixtures.ts'

const GIGABYTE = 1024 ** 3
const storage: NewNotice = {
  kind: 'storage',
  data: { percent: 80, usedBytes: 8 * GIGABYTE, allocatedBytes: 10 * GIGABYTE },
}
const passwordNamed = (name: string): NewNotice => ({
  kind: 'security_change',
  data: { change: 'app_password_created', name },
})

/** Gives the user notices, the last one newest. */
async function give(product: Product, user: TestUser, ...notices: NewNotice[]): Promise<void> {
  for (const notice of notices) {
    product.clock.advance(1000)
    await addNotice(product, user, notice)
  }
}

const bellOf = (page: Page) => page.getByRole('button', { name: /^Notices/ })
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Notices' })
const countUnread = async (user: TestUser) => (await user.client.call(listNotices, {})).body.unread

test('shows the number of unread notices, and what they say, by keyboard', async ({ page, user, product }) => {
  await give(product, user, storage, passwordNamed('Laptop'))
  await page.goto('/profile')
  const bell = page.getByRole('button', { name: 'Notices, 2 unread' })
  await bell.focus()
  await page.keyboard.press('Enter')
  const panel = panelOf(page)
  const rows = panel.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Unread: An app password was created: “Laptop”.')
  await expect(rows.last()).toContainText('Your storage is 80% full: 8.00 GB of 10.00 GB used.')
  await expect(panel.getByRole('heading', { name: 'Notices' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(bell).toBeFocused()

  // Opens again, and the focus stays inside.
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(panel.getByRole('heading', { name: 'Notices' })).toBeFocused()
  for (let press = 0; press < 6; press++) {
    await page.keyboard.press('Tab')
    expect(await panel.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.goBack()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL('/profile')
})

test('leads to where a notice matters and marks it as read', async ({ page, user, product }) => {
  await give(product, user, storage, passwordNamed('Laptop'))
  await page.goto('/profile')
  await bellOf(page).click()
  await panelOf(page)
    .getByRole('link', { name: /An app password was created/ })
    .click()
  await expect(page).toHaveURL('/account#security')
  await expect(panelOf(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Notices, 1 unread' })).toBeVisible()
  expect(await countUnread(user)).toBe(1)
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('marks all as read and keeps the focus', async ({ page, user, product }) => {
  await give(product, user, storage, passwordNamed('Laptop'))
  await page.goto('/trash')
  await page.getByRole('button', { name: 'Notices, 2 unread' }).click()
  // Opening moves the focus into the panel.
  await expect(panelOf(page).getByRole('heading', { name: 'Notices' })).toBeFocused()
  const readAll = panelOf(page).getByRole('button', { name: 'Mark all as read' })
  await readAll.focus()
  await page.keyboard.press('Enter')
  await expect(panelOf(page).getByText('All notices are read.')).toBeAttached()
  await expect(panelOf(page).getByText('Unread:')).toHaveCount(0)
  await expect(readAll).toBeFocused()
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeAttached()
  await expect.poll(() => countUnread(user)).toBe(0)
})

test('marks all as read if the button is pressed before the notices have loaded', async ({ page, user, product }) => {
  await give(product, user, storage, passwordNamed('Laptop'))
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/notifications(\?.*)?$/, async (route) => {
    if (route.request().method() === 'GET') await held.promise
    await route.continue()
  })
  await page.goto('/trash')
  await page.getByRole('button', { name: 'Notices, 2 unread' }).click()
  await expect(panelOf(page).getByRole('heading', { name: 'Notices' })).toBeFocused()
  const readAll = panelOf(page).getByRole('button', { name: 'Mark all as read' })
  await readAll.focus()
  await page.keyboard.press('Enter')
  await expect(panelOf(page).getByText('Loading...')).toBeAttached()
  held.resolve()
  await expect(panelOf(page).getByText('All notices are read.')).toBeAttached()
  await expect(panelOf(page).getByRole('listitem')).toHaveCount(2)
  await expect(panelOf(page).getByText('Unread:')).toHaveCount(0)
  await expect(readAll).toBeFocused()
  await expect.poll(() => countUnread(user)).toBe(0)
})

test('loads older notices and moves the focus to the first of them', async ({ page, user, product }) => {
  await give(product, user, ...Array.from({ length: 25 }, (_, number) => passwordNamed(`App ${number}`)))
  await page.goto('/profile')
  await bellOf(page).click()
  const rows = panelOf(page).getByRole('listitem')
  await expect(rows).toHaveCount(20)
  await panelOf(page).getByRole('button', { name: 'Load more' }).click()
  await expect(rows).toHaveCount(25)
  await expect(panelOf(page).getByRole('link', { name: '“App 4”' })).toBeFocused()
  await expect(panelOf(page).getByRole('button', { name: 'Load more' })).toHaveCount(0)
})

test('says that there is nothing new', async ({ page, user }) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Notices', exact: true }).click()
  await expect(panelOf(page)).toContainText('Nothing new')
  await expectAccessible(page)
  expect(await countUnread(user)).toBe(0)
})

test('offers a retry if the notices can’t be loaded', async ({ page, user, product }) => {
  await give(product, user, storage)
  await page.route('**/api/notifications?*', (route) => route.fulfill({ status: 400, json: { error: 'no' } }))
  await page.route('**/api/notifications', (route) => route.fulfill({ status: 400, json: { error: 'no' } }))
  await page.goto('/profile')
  await bellOf(page).click()
  await expect(panelOf(page)).toContainText('Couldn’t load your notices.')
  await page.unroute('**/api/notifications?*')
  await page.unroute('**/api/notifications')
  await panelOf(page).getByRole('button', { name: 'Retry' }).click()
  await expect(panelOf(page).getByRole('listitem')).toHaveCount(1)
})

test('shows a new notice at the bell and in the open panel when the window gets the focus', async ({
  page,
  user,
  product,
}) => {
  await give(product, user, storage)
  await page.goto('/profile')
  await bellOf(page).click()
  await expect(panelOf(page).getByRole('listitem')).toHaveCount(1)
  await give(product, user, passwordNamed('Laptop'))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(panelOf(page).getByRole('listitem')).toHaveCount(2)
  await expect(page.locator('[aria-label="Notices, 2 unread"]')).toBeAttached()
})

test('requests no notices before the bell is used', async ({ page, user, product }) => {
  await give(product, user, storage)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/profile')
  await expect(page.getByRole('button', { name: 'Notices, 1 unread' })).toBeVisible()
  await waitUntilQuiet(page)
  expect(requested.filter((path) => path === '/api/storage')).toHaveLength(1)
  expect(requested).not.toContain('/api/notifications')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`is a sheet on a phone, with long names and names from right to left, ${colorScheme}`, async ({
    page,
    user,
    product,
  }) => {
    const long = 'a-very-long-name-without-a-space-'.repeat(2).slice(0, 60)
    await give(product, user, storage, passwordNamed(long), passwordNamed('מחשב נייד (1)'))
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme })
    await page.goto('/profile')
    await bellOf(page).click()
    const panel = panelOf(page)
    await expect(panel.getByRole('listitem')).toHaveCount(3)
    await expect(panel.getByRole('listitem').first().locator('bdi')).toHaveText('מחשב נייד (1)')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    const box = await panel.boundingBox()
    expect(box?.width).toBe(360)
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(bellOf(page)).toBeFocused()
  })
}

test('turns mails off and on again on the account page', async ({ page, user }) => {
  await page.goto('/account')
  const card = page.getByRole('region', { name: 'Notices' })
  const mails = card.getByRole('switch', { name: /^Storage(?! of)/ })
  await expect(mails).toBeChecked()
  await expect(mails).toHaveAccessibleDescription('When your storage is 80%, 95% or completely full.')
  await mails.focus()
  await page.keyboard.press('Space')
  await expect(mails).not.toBeChecked()
  const isOn = async () => (await user.client.call(getNoticeSettings, {})).body.mail.storage
  await expect.poll(isOn).toBe(false)
  await page.reload()
  await expect(mails).not.toBeChecked()
  await mails.focus()
  await page.keyboard.press('Space')
  await expect.poll(isOn).toBe(true)
})

test('asks for the password before mails about security are turned off, and leaves them on if it is cancelled', async ({
  page,
  user,
  product,
}) => {
  await page.goto('/account')
  const mails = page.getByRole('region', { name: 'Notices' }).getByRole('switch', { name: 'Security changes' })
  await mails.focus()
  product.clock.advance(RECENT_SIGN_IN_WINDOW)
  await page.keyboard.press('Space')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(mails).toBeChecked()
  await mails.focus()
  await page.keyboard.press('Space')
  await dialog.getByLabel('Password').first().fill(TEST_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(mails).not.toBeChecked()
  await expect.poll(async () => (await user.client.call(getNoticeSettings, {})).body.mail.security_change).toBe(false)
})

test('shows the setting as it was if it can’t be saved', async ({ page, user }) => {
  await page.route('**/api/notification-settings', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await page.goto('/account')
  const mails = page.getByRole('region', { name: 'Notices' }).getByRole('switch', { name: 'New sign-ins' })
  await mails.focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('alert')).toContainText('Couldn’t save this setting. Try again.')
  await expect(mails).toBeChecked()
  expect((await user.client.call(getNoticeSettings, {})).body.mail.new_sign_in).toBe(true)
})

test('shows what is stored if only the response to a change was lost', async ({ page, user }) => {
  await page.route('**/api/notification-settings', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.goto('/account')
  const mails = page.getByRole('region', { name: 'Notices' }).getByRole('switch', { name: /^Storage(?! of)/ })
  await mails.focus()
  const isRead = page.waitForResponse('**/api/notification-settings')
  await page.keyboard.press('Space')
  await expect(page.getByRole('alert')).toContainText('Couldn’t save this setting. Try again.')
  await isRead
  await expect(mails).not.toBeChecked()
  expect((await user.client.call(getNoticeSettings, {})).body.mail.storage).toBe(false)
})

test('saves a switch that is flipped back before its first change has been saved', async ({ page, user }) => {
  const held: (() => Promise<void>)[] = []
  await page.route('**/api/notification-settings', (route) => {
    if (route.request().method() === 'PUT') held.push(() => route.continue())
    else void route.continue()
  })
  await page.goto('/account')
  const mails = page.getByRole('region', { name: 'Notices' }).getByRole('switch', { name: /^Storage(?! of)/ })
  await mails.focus()
  await page.keyboard.press('Space')
  await expect(mails).not.toBeChecked()
  await page.keyboard.press('Space')
  await expect(mails).toBeChecked()
  for (let saved = 0; saved < 2; saved++) {
    await expect.poll(() => held.length).toBe(saved + 1)
    await held[saved]?.()
  }
  await waitUntilQuiet(page)
  await expect(mails).toBeChecked()
  expect((await user.client.call(getNoticeSettings, {})).body.mail.storage).toBe(true)
})
