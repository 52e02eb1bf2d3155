import { register } from '@alcove/contract/accounts'
import { changeSignUpSettings } from '@alcove/contract/admin-sign-up'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { expect, expectAccessible, signInAs, siteTest as test } from './fixtures.ts'

test('an administrator closes registration, switches plans off and invites somebody, who then has everything', async ({
  page,
  site: product,
  browser,
}) => {
  const admin = await product.createUser({ isAdmin: true })
  await signInAs(page, admin)
  await page.goto('/admin/plans')
  await page.getByRole('switch', { name: 'Offer plans' }).click({ force: true })
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await reloaded
  await expect(page.getByRole('table')).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Sign-up', exact: true }).click()
  await page.getByRole('radio', { name: 'Closed' }).click()
  await page.getByLabel('Storage in GB').first().fill('50')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.getByLabel('Email').fill('guest@example.com')
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText('guest@example.com')
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  const refused = await product.visitor.raw(register, { email: 'stranger@example.com', password: TEST_PASSWORD })
  expect(refused.status).toBe(403)

  const guest = await browser.newPage({ baseURL: product.url })
  const errors: string[] = []
  guest.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  guest.on('pageerror', (error) => errors.push(error.message))
  await guest.goto('/')
  await expect(guest.getByText('Registration is closed.')).toBeVisible()
  await expect(guest.getByText(/pricing|free|\$/i)).toHaveCount(0)
  await expect(guest.getByRole('link', { name: 'Register' })).toHaveCount(0)
  await guest.goto('/register')
  await expect(guest.getByText('Registration is closed.')).toBeVisible()
  expect(errors).toEqual([])

  const mail =
    (await product.readMails())
      .at(-1)
      ?.replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=') ?? ''
  await guest.goto(/\/invitation#[\w.-]+/.exec(mail)?.[0] ?? '')
  await expect(guest.getByLabel('Email')).toHaveValue('guest@example.com')
  await guest.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await guest.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  await guest.getByRole('checkbox').check()
  await expectAccessible(guest)
  await guest.getByRole('button', { name: 'Create your account' }).click()
  await guest.waitForURL(/\/profile/)
  const navigation = guest.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link', { name: 'Vault' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Subscriptions' })).toHaveCount(0)
  await expect(guest.getByText('50.00 GB')).toBeVisible()
  await guest.goto('/account')
  await expect(guest.getByRole('heading', { name: 'Security' })).toBeVisible()
  await expect(guest.getByText(/plan|billing|\$/i)).toHaveCount(0)
  await guest.goto('/subscriptions')
  await guest.waitForURL(/\/profile/)
  await guest.close()
})

test('an account without two-factor sign-in is led to its setup if the administrator requires it', async ({
  page,
  site: product,
}) => {
  const user = await product.createUser()
  const { client } = await product.createUser({ isAdmin: true })
  await signInAs(page, user)
  await client.call(changeSignUpSettings, { requireTwoFactor: true })
  await page.goto('/profile')
  await page.waitForURL(/\/two-factor-setup/)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set it up' }).click()
  await expect(page.getByRole('dialog', { name: 'Turn on two-factor sign-in' })).toBeVisible()
})
