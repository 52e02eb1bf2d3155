import { getProfile } from '@alcove/contract/profile'
import { getPublicLink, updatePublicLink } from '@alcove/contract/sharing'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

test('groups the account page into sections with a navigation that moves the focus', async ({ page, user: _user }) => {
  await page.goto('/account')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Account',
    'Plan and billing',
    'Security',
    'Your data',
  ])
  await expectAccessible(page)
  const sections = page.getByRole('navigation', { name: 'Sections of this page' })
  await sections.getByRole('link', { name: 'Your data' }).click()
  const heading = page.getByRole('heading', { level: 2, name: 'Your data' })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(sections).toBeHidden()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(4)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('shows the display name on shared link pages until it is removed', async ({ page, user }) => {
  const file = await user.client.upload('a.txt', 'x')
  await user.client.call(updatePublicLink, { id: file.id, enabled: true })
  const { link } = (await user.client.call(getPublicLink, { id: file.id })).body
  await page.goto(link)
  await expect(page.getByText('Shared with you')).toBeVisible()
  await page.goto('/account')
  const name = '<b>Mara</b> אבג'
  const displayName = card(page, 'Display name')
  await displayName.getByLabel('Name').fill(`  ${name} `)
  await displayName.getByRole('button', { name: 'Save' }).click()
  await expect(displayName.getByRole('status')).toHaveText('Display name saved.')
  await expect(displayName.getByLabel('Name')).toHaveValue(name)
  await page.goto(link)
  await expect(page.getByText(`Shared by ${name}`)).toBeVisible()
  await expectAccessible(page)
  await page.goto('/account')
  await displayName.getByLabel('Name').fill('')
  await displayName.getByRole('button', { name: 'Save' }).click()
  await expect(displayName.getByRole('status')).toHaveText('Display name removed.')
  await page.goto(link)
  await expect(page.getByText('Shared with you')).toBeVisible()
})

test('keeps what is typed into the display name while it is saved, and follows another tab', async ({
  page,
  user: { client },
}) => {
  await page.goto('/account')
  const name = card(page, 'Display name').getByLabel('Name')
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/account/profile', async (route) => {
    if (route.request().method() !== 'GET') await released
    await route.continue()
  })
  await name.fill('Mara')
  const saving = page.waitForRequest((request) => request.url().endsWith('/profile') && request.method() !== 'GET')
  await name.press('Enter')
  await saving
  await name.pressSequentially(' Lind')
  release()
  await expect(card(page, 'Display name').getByRole('status')).toHaveText('Display name saved.')
  await expect(name).toHaveValue('Mara Lind')
  await name.press('Enter')
  await expect.poll(async () => (await client.call(getProfile, {})).body.displayName).toBe('Mara Lind')

  const otherTab = await page.context().newPage()
  await otherTab.goto(page.url())
  const other = card(otherTab, 'Display name').getByLabel('Name')
  await other.fill('Mara of another tab')
  await other.press('Enter')
  await expect(name).toHaveValue('Mara of another tab')
})

test('redirects free users away from the vault and shows what the paid plans add', async ({ page, user: _user }) => {
  await page.goto('/vault')
  await expect(page).toHaveURL('/profile')
  const toast = page.getByRole('status').filter({ hasText: 'Vault is part of the paid plans.' })
  await expect(toast).toHaveCount(1)
  await expect(page.getByText('Free plan · 10 GB')).toBeVisible()
  await toast.getByRole('button', { name: 'Subscriptions' }).click()
  await expect(page).toHaveURL('/subscriptions')
  await expect(card(page, 'Vault, Music and Video')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/account')
  await expect(card(page, 'Vault, Music and Video')).toContainText('You are on the free plan with 10 GB.')
})

test('opens the vault for paid users and does not advertise the paid plans to them', async ({
  page,
  paidUser: _user,
}) => {
  await page.goto('/account')
  await expect(card(page, 'Subscription Details')).toBeVisible()
  await expect(card(page, 'Vault, Music and Video')).toHaveCount(0)
  await page.goto('/vault')
  await expect(page).toHaveURL('/vault')
})

test('keeps “Shared links” in the main navigation at every screen width', async ({ page, user: _user }) => {
  await page.goto('/profile')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shared links' }).click()
  await expect(page).toHaveURL('/shared-links')
  for (const width of [1024, 768, 390]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/profile')
    const menu = page.getByRole('button', { name: 'Open menu' })
    if (width < 992) await menu.click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Shared links' }).click()
    await expect(page).toHaveURL('/shared-links')
  }
})
