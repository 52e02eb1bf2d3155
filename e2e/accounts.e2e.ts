import { randomUUID } from 'node:crypto'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { expect, expectAccessible, readLink, test } from './fixtures.ts'
import { logIn, passRobotCheck } from './users.ts'

const newEmail = () => `mara-${randomUUID().slice(0, 8)}@example.com`

test('registers, activates the account by mail, signs in with the robot check and signs out', async ({
  page,
  product,
}) => {
  const email = newEmail()
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started With Free Tier' }).first().click()
  await expect(page).toHaveURL('/register')
  const button = page.getByRole('button', { name: 'Register' })
  await page.getByLabel('Email').fill(email.toUpperCase())
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByLabel('Password', { exact: true }).fill('weak')
  await expect(page.getByText('Password must contain at least one uppercase letter.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByLabel('Confirm Password').fill('other')
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  await expect(page.getByText('Passwords match')).toBeVisible()
  await expect(button).toBeDisabled()
  for (const agreement of await page.getByRole('checkbox').all()) await agreement.check()
  await button.click()
  await expect(page.getByText('Registration successful, navigating to Login page')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(`Check your mail: open the link we sent to ${email} to activate`)).toBeVisible()

  await logIn(page, email, TEST_PASSWORD)
  await expect(page.getByText('Account not activated.')).toBeVisible()
  await page.getByRole('button', { name: 'Resend Activation Email' }).click()
  await expect(page.getByText('Activation email sent. Check your inbox.')).toBeVisible()

  await page.goto(await readLink(product, email, '/activate'))
  await expect(page.getByRole('heading', { name: 'Account Activation' })).toBeVisible()
  await expect(page.getByText('Your account has been successfully activated! Redirecting to login...')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await logIn(page, email, 'Wrong-horse-7')
  await expect(page.getByText('Incorrect username/password.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/profile')
  expect(await page.evaluate(() => localStorage.getItem('planName'))).toBe('free')

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('rejects a common password with a clear message and accepts another one', async ({ page }) => {
  await page.goto('/register')
  const choose = async (password: string) => {
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm Password').fill(password)
    await page.getByRole('button', { name: 'Register' }).click()
  }
  await page.getByLabel('Email').fill(newEmail())
  for (const agreement of await page.getByRole('checkbox').all()) await agreement.check()
  await choose('P@ssw0rd')
  await expect(page.getByRole('alert')).toHaveText('This password is one of the most common ones. Choose another one.')
  await expectAccessible(page)
  await choose(TEST_PASSWORD)
  await expect(page.getByText('Registration successful, navigating to Login page')).toBeVisible()
})

test('asks for the password or a new one when the activation link opens in another browser', async ({
  page,
  product,
}) => {
  const email = newEmail()
  const registered = await fetch(`${product.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: TEST_PASSWORD }),
  })
  expect(registered.status).toBe(201)
  await page.goto(await readLink(product, email, '/activate'))
  await expect(page.getByText('confirm the password you chose when you registered')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Password', { exact: true }).fill('Wrong-horse-7')
  await page.getByRole('button', { name: 'Activate Account' }).click()
  await expect(page.getByRole('alert')).toHaveText('Incorrect password.')
  await page.getByRole('button', { name: 'set a new password' }).click()
  await page.getByLabel('New Password').fill('Another-horse-8')
  await page.getByLabel('Confirm Password').fill('Another-horse-8')
  await page.getByRole('button', { name: 'Activate Account' }).click()
  await expect(page.getByText('Your account has been successfully activated! Redirecting to login...')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await logIn(page, email, TEST_PASSWORD)
  await expect(page.getByText('Incorrect username/password.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('Another-horse-8')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/profile')
})

test('resets a forgotten password with a link that works only once', async ({ page, product }) => {
  const email = newEmail()
  await product.createUser({ email })
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot Password?' }).click()
  // The login also has an Email field, and stays visible until the next screen has loaded.
  await expect(page.getByRole('button', { name: 'Reset Password' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('status')).toContainText('reset link')
  await expect(page).toHaveURL('/login')

  const link = await readLink(product, email, '/reset-password')
  await page.goto(link)
  await expect(page.getByText('Token is valid. You can reset your password.')).toBeVisible()
  await page.getByLabel('New Password').fill('Short-7')
  await page.getByLabel('Confirm Password').fill('Short-7')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(
    page.getByText(
      'Password must contain at least 8 characters, 1 uppercase letter, 1 lowercase letter, and 1 symbol.',
    ),
  ).toBeVisible()
  await page.getByLabel('New Password').fill('Brand@new7')
  await page.getByLabel('Confirm Password').fill('Brand@new8')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByLabel('Confirm Password').fill('Brand@new7')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page).toHaveURL('/')

  await page.goto(link)
  await expect(page.getByText('Invalid or expired token. Please request a new password reset link.')).toBeVisible()
  await page.goto('/login')
  await logIn(page, email, 'Brand@new7')
  await expect(page).toHaveURL('/profile')
})

test('passes the robot check by keyboard or mouse, but not by a click without mouse movement', async ({ page }) => {
  await page.goto('/login')
  const box = page.getByRole('checkbox', { name: 'I am not a robot' })
  await box.dispatchEvent('click')
  await expect(box).not.toBeChecked()
  await expect(page.getByRole('button', { name: 'Login' })).toBeDisabled()
  await box.focus()
  await page.waitForTimeout(200)
  await page.keyboard.press('Space', { delay: 150 })
  await expect(box).toBeChecked()
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled()
  await page.reload()
  await passRobotCheck(page)
})

test('redirects from a protected screen to the login, and back after signing in', async ({ page, product }) => {
  const email = newEmail()
  await product.createUser({ email })
  await page.goto('/account')
  await expect(page).toHaveURL('/login')
  await logIn(page, email, TEST_PASSWORD)
  await expect(page).toHaveURL('/account')
  await expect(page.getByText('Activated', { exact: true })).toBeVisible()
  await page.goto('/register')
  await expect(page).toHaveURL('/')
  await page.goto('/no/such/screen')
  await expect(page).toHaveURL('/')
  await page.goto('/reset-password')
  await expect(page).toHaveURL('/')
})

test('shows a countdown when the session has expired, then redirects to the home page', async ({
  page,
  user,
  product,
}) => {
  await page.goto('/profile')
  await expect(page.getByText('Your Storage Usage')).toBeVisible()
  // The open page could learn of it before it is reloaded, and forget the session.
  await page.goto('about:blank')
  await product.services.db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
  await page.goto('/profile')
  const overlay = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await expect(overlay).toContainText('Your session has expired.')
  await expect(page.getByText(/Redirecting in [1-5] seconds\.\.\./)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(page).toHaveURL('/')
})

test('signs out all tabs when one tab signs out', async ({ page, user, context }) => {
  await page.goto('/profile')
  await expect(page.getByText(user.email).first()).toBeVisible()
  const second = await context.newPage()
  await second.goto('/profile')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  await expect(second).not.toHaveURL(/profile/)
})

for (const scheme of ['light', 'dark'] as const) {
  for (const path of [
    '/',
    '/register',
    '/login',
    '/activate?token=x',
    '/forgot-password',
    '/reset-password?token=x',
    '/terms-of-service',
    '/privacy-policy',
  ]) {
    test(`${path} is accessible in the ${scheme} scheme, also at 360 px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await expectAccessible(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    })
  }
}

for (const { path, status } of [
  { path: '/activate?token=x', status: 'Activating your account' },
  { path: '/reset-password?token=x', status: 'Checking the link' },
]) {
  test(`${path} says what it waits for, also to screen readers`, async ({ page }) => {
    await page.route('**/api/activate', () => {})
    await page.route('**/api/validate-password/x', () => {})
    await page.goto(path)
    await expect(page.getByRole('status', { name: status })).toBeVisible()
    await expectAccessible(page)
  })
}

test('opens the phone menu, closes it with Escape and returns the focus to its button', async ({ page, user }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/profile')
  const toggle = page.getByRole('button', { name: /menu/i })
  await toggle.click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Profile' })).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText(user.email)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(toggle).toBeFocused()
})
