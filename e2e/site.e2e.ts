import { pollEverySecond } from '@alcove/server/testing/engines/poll-changes'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { expect, expectAccessible, signInAs, siteTest as test } from './fixtures.ts'

test('an administrator names the site, gives it a color and a logo, and every page shows them', async ({
  page,
  site: product,
  browser,
}) => {
  await signInAs(page, await product.createUser({ isAdmin: true }))
  await page.goto('/admin/appearance')
  const card = page.getByRole('region', { name: 'Name and color' })
  await card.getByLabel('Name of the site').fill('Müllers & Söhne')
  await card.getByRole('textbox', { name: 'Accent color', exact: true }).fill('#5b2d90')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Saved.')).toBeVisible()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
  await page.getByLabel('File of the logo').setInputFiles({
    ...{ name: 'logo.svg', mimeType: 'image/svg+xml' },
    buffer: Buffer.from(svg),
  })
  await expect(page.getByRole('img', { name: 'Logo of Müllers & Söhne' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  const visitor = await browser.newPage({ baseURL: product.url })
  const problems: string[] = []
  visitor.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await visitor.goto('/login')
  await expect(visitor).toHaveTitle('Sign In · Müllers & Söhne')
  await expect(visitor.getByRole('banner').getByText('Müllers & Söhne')).toBeVisible()
  const color = () =>
    visitor.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--alcove-primary'))
  await expect.poll(color).toBe('#5b2d90')
  await expectAccessible(visitor)
  await visitor.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(color).not.toBe('#5b2d90')
  await expectAccessible(visitor)
  expect(problems).toEqual([])
  await visitor.close()
})

test('an announcement appears in open tabs within seconds, and a closed one stays closed', async ({
  page,
  site: product,
  browser,
}) => {
  const stopPolling = await pollEverySecond(product.services)
  const reader = await browser.newPage({ baseURL: product.url })
  await signInAs(reader, await product.createUser())
  await reader.goto('/profile')
  await signInAs(page, await product.createUser({ isAdmin: true }))
  await page.goto('/admin/appearance')
  const card = page.getByRole('region', { name: 'Announcement' })
  await card.getByLabel('Text').fill('The disk is replaced on Sunday: https://example.com/news.')
  await card.getByRole('button', { name: 'Announce' }).click()
  await expect(reader.getByText('The disk is replaced on Sunday')).toBeVisible()
  await expect(reader.getByRole('link', { name: 'https://example.com/news' })).toBeVisible()
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Close the announcement' }).click()
  await reader.goto('/trash')
  await expect(reader.getByRole('heading', { name: 'Trash', level: 1 })).toBeVisible()
  await expect(reader.getByText('The disk is replaced on Sunday')).toHaveCount(0)
  await card.getByRole('button', { name: 'Remove' }).click()
  await expect(card.getByText('The announcement is removed.')).toBeVisible()
  await reader.close()
  stopPolling()
})

test('maintenance keeps everybody out but administrators, and pages come back by themselves', async ({
  page,
  site: product,
  browser,
}) => {
  const stopPolling = await pollEverySecond(product.services)
  const user = await product.createUser()
  const reader = await browser.newPage({ baseURL: product.url })
  await signInAs(reader, user)
  await reader.goto('/profile')
  await signInAs(page, await product.createUser({ isAdmin: true }))
  await page.goto('/admin/appearance')
  await page.getByRole('region', { name: 'Maintenance' }).getByLabel('Message').fill('Back at 21:00.')
  await page.getByRole('button', { name: 'Begin maintenance' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByText('Maintenance is on. Only administrators can use the server.')).toBeVisible()

  await expect(reader.getByRole('heading', { name: 'Under maintenance' })).toBeVisible({ timeout: 30_000 })
  await expect(reader.getByText('Back at 21:00.')).toBeVisible()
  await expectAccessible(reader)

  const visitor = await browser.newPage({ baseURL: product.url })
  await visitor.goto('/')
  await visitor.getByRole('link', { name: 'Sign in as an administrator' }).click()
  await visitor.getByLabel('Email').fill(user.email)
  await visitor.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await expect(visitor.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await visitor.close()

  await page.getByRole('button', { name: 'End maintenance' }).click()
  await expect(page.getByText('Maintenance is off.')).toBeVisible()
  await expect(reader.getByText('Your Storage Usage')).toBeVisible({ timeout: 30_000 })
  await reader.close()
  stopPolling()
})
