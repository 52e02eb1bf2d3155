import { createHmac } from 'node:crypto'
import { login } from '@alcove/contract/accounts'
import { getStorage } from '@alcove/contract/files'
import { TestClient } from '@alcove/server/testing/clients/client'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test } from './fixtures.ts'
import { logIn } from './users.ts'

const NEW_PASSWORD = 'Another-horse-8'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1'

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

test('changes the email address and the password, and deletes the account', async ({ page, product }) => {
  const { email } = await product.createUser()
  const newEmail = email.replace('@', '.new@')
  await page.goto('/account')
  await logIn(page, email, TEST_PASSWORD)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hello, ${email}`)

  const emailCard = card(page, 'Update Email')
  await emailCard.getByLabel('New Email').fill(newEmail)
  await emailCard.getByLabel('Confirm Password').fill('Wrong-horse-7')
  await emailCard.getByRole('button', { name: 'Update Email' }).click()
  await expect(emailCard.getByRole('alert')).toHaveText('Incorrect password.')
  await emailCard.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  const reloaded = page.waitForEvent('load')
  await emailCard.getByRole('button', { name: 'Update Email' }).click()
  await expect(emailCard.getByRole('status')).toContainText('verify the new address')
  await reloaded
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hello, ${newEmail}`)
  await expect(card(page, 'Account Status')).toContainText('Not Activated')

  const passwordCard = card(page, 'Update Password')
  const update = passwordCard.getByRole('button', { name: 'Update Password' })
  await passwordCard.getByLabel('Current Password').fill(TEST_PASSWORD)
  await passwordCard.getByLabel('New Password').fill('weak')
  await expect(passwordCard.getByText('Password must contain at least one number.')).toBeVisible()
  await expect(update).toBeDisabled()
  await passwordCard.getByLabel('New Password').fill(NEW_PASSWORD)
  await update.click()
  await expect(passwordCard.getByLabel('Current Password')).toHaveValue('')
  await expect(passwordCard.getByLabel('New Password')).toHaveValue('')
  await expect(passwordCard.getByRole('status')).toBeVisible()

  await card(page, 'Danger Zone').getByRole('button', { name: 'Delete Account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(newEmail)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await card(page, 'Danger Zone').getByRole('button', { name: 'Delete Account' }).click()
  const confirm = dialog.getByRole('button', { name: 'Delete Account' })
  await expect(confirm).toBeDisabled()
  const confirmation = dialog.getByLabel('Type DELETE to confirm')
  await confirmation.fill('delete')
  await expect(confirm).toBeDisabled()
  await confirmation.fill('DELETE')
  await confirmation.press('Enter')
  await expectAccessible(page)
  await confirm.click()
  await expect(page.getByText('Your account is deleted')).toBeVisible()
  expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('email')])).toEqual([
    null,
    null,
  ])
  await expect(page).toHaveURL('/goodbye')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Goodbye' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await logIn(page, newEmail, NEW_PASSWORD)
  await expect(page.getByText('Incorrect username/password.')).toBeVisible()
})

test('turns on two-factor sign-in, asks for a code, and turns it off with a recovery code', async ({
  page,
  user,
  product,
}) => {
  await page.goto('/account')
  const twoFactor = card(page, 'Two-factor sign-in')
  await twoFactor.getByRole('button', { name: 'Turn on two-factor sign-in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current Password').fill(TEST_PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  await expectAccessible(page)
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret, product))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCodes = await codes.allInnerTexts()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeDisabled()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download as text' }).click()
  expect((await download).suggestedFilename()).toBe('alcove-recovery-codes.txt')
  await dialog.getByLabel('I have saved them').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(twoFactor).toContainText('10 of 10 recovery codes left')

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/account')
  await expect(page).toHaveURL('/login')
  await logIn(page, user.email, TEST_PASSWORD)
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toHaveText('This code is incorrect.')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  product.clock.advance(30_000) // each code works only once, so move to the next one
  await page.getByLabel('Code').fill(codeOf(secret, product))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/account')

  await twoFactor.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Current Password').fill(TEST_PASSWORD)
  await dialog.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] as string)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(twoFactor.getByRole('button', { name: 'Turn on two-factor sign-in' })).toBeVisible()
})

test('adds a passkey, signs in with it, and shows no error when the sign-in is cancelled', async ({
  page,
  user,
  context,
}) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/account')
  const passkeys = card(page, 'Passkeys')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current Password').fill(TEST_PASSWORD)
  await dialog.getByLabel('Name').fill('Blue laptop')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(passkeys.getByRole('listitem')).toContainText(['Blue laptop'])
  await passkeys.getByRole('button', { name: 'Rename Blue laptop' }).click()
  await dialog.getByLabel('Name').fill('Red laptop')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(passkeys.getByRole('listitem')).toContainText(['Red laptop'])

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  const signIn = page.getByRole('button', { name: 'Sign in with a passkey' })
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  const requested = page.waitForResponse((response) => response.url().endsWith('/login/passkey/options'))
  await signIn.click()
  await requested
  await expect(signIn).toBeEnabled()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await signIn.click()
  await expect(page).toHaveURL('/profile')
  expect(await page.evaluate(() => localStorage.getItem('email'))).toBe(user.email)

  await page.goto('/account')
  await passkeys.getByRole('button', { name: 'Remove Red laptop' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(0)
  await expect(passkeys.getByRole('button', { name: 'Add a passkey' })).toBeFocused()
})

test('lists and ends sessions on a page that is accessible in both color schemes and at 360 px', async ({
  page,
  user,
  product,
}) => {
  const phone = await signInElsewhere(product, user.email, PHONE)
  const others = await signInElsewhere(product, user.email, 'curl/8.5.0')
  await page.goto('/account')
  const sessions = card(page, 'Sessions')
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  await expect(sessions.getByRole('listitem').first()).toContainText('This device')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  await sessions.getByRole('button', { name: /^Sign out Safari on iPhone/ }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  expect((await phone.call(getStorage, {})).status).toBe(401)
  expect((await others.call(getStorage, {})).status).toBe(200)
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect((await others.call(getStorage, {})).status).toBe(401)
  expect((await user.client.call(getStorage, {})).status).toBe(200)

  const download = page.waitForEvent('download')
  await card(page, 'Download my data').getByRole('button').click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
})

/** Signs a user in from another device. */
async function signInElsewhere({ app, visitor }: Product, email: string, userAgent: string): Promise<TestClient> {
  const { body } = await visitor.raw<{ token: string }>(
    login,
    { email, password: TEST_PASSWORD },
    { 'user-agent': userAgent },
  )
  return new TestClient(app, body.token)
}

/** Computes the code that an authenticator app shows (RFC 6238: six digits of HMAC-SHA-1, new every 30 seconds). */
function codeOf(secret: string, { clock }: Product): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(clock.now() / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const number = digest.readUInt32BE((digest.at(-1) as number) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
