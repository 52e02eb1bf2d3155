import { createHmac } from 'node:crypto'
import { login } from '@alcove/contract/accounts'
import { getStorage } from '@alcove/contract/files'
import { RECENT_SIGN_IN_WINDOW } from '@alcove/contract/limits'
import { beginTwoFactor, enableTwoFactor } from '@alcove/contract/two-factor'
import { TestClient } from '@alcove/server/testing/clients/client'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test } from './fixtures.ts'

const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })

/** Signs a user in from another device. */
async function signInElsewhere({ app, visitor }: Product, email: string): Promise<TestClient> {
  const { body } = await visitor.raw<{ token: string }>(login, { email, password: TEST_PASSWORD })
  return new TestClient(app, body.token)
}

/** Makes the sign-in of the page's session too old for actions that need a recent one. */
function expireRecentSignIn({ clock }: Product): void {
  clock.advance(RECENT_SIGN_IN_WINDOW)
}

/** Computes the code that an authenticator app shows (RFC 6238). */
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

test('asks the user to confirm an old sign-in in a dialog, then continues the action', async ({
  page,
  user,
  product,
}) => {
  const other = await signInElsewhere(product, user.email)
  await page.goto('/account')
  const sessions = card(page, 'Sessions')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  expireRecentSignIn(product)
  const signOut = sessions.getByRole('button', { name: /^Sign out Unknown device/ })
  await signOut.click()
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessible(page)

  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(signOut).toBeEnabled()
  await expect(signOut).toBeFocused()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect((await other.call(getStorage, {})).status).toBe(200)

  await signOut.click()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/account$/)

  await signOut.click()
  await dialog.getByLabel('Password', { exact: true }).fill('Wrong-horse-7')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Incorrect password.')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  for (let times = 0; times < 12; times++) {
    await page.keyboard.press('Tab')
    await expect(dialog.locator(':focus')).toHaveCount(1)
  }
  await dialog.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect((await other.call(getStorage, {})).status).toBe(401)

  // The confirmation also covers the next action.
  const download = page.waitForEvent('download')
  await card(page, 'Download my data').getByRole('button').click()
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
})

test('confirms several simultaneous actions in one dialog', async ({ page, user, product }) => {
  await signInElsewhere(product, user.email)
  await page.goto('/account')
  await expect(card(page, 'Sessions').getByRole('listitem')).toHaveCount(2)
  expireRecentSignIn(product)
  const download = page.waitForEvent('download')
  await page.evaluate(() => {
    const press = (text: string) =>
      [...document.querySelectorAll('button')].find((button) => button.textContent === text)?.click()
    press('Sign out')
    press('Download my data')
  })
  const dialog = dialogOf(page)
  await expect(dialog).toHaveCount(1)
  await dialog.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await download
  await expect(card(page, 'Sessions').getByRole('listitem')).toHaveCount(1)
  await expect(dialog).toHaveCount(0)
})

test('asks for DELETE, the password and the code before it deletes the account', async ({ page, user, product }) => {
  const { secret } = (await user.client.call(beginTwoFactor, { password: TEST_PASSWORD })).body
  await user.client.call(enableTwoFactor, { code: codeOf(secret, product) })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/account')
  expireRecentSignIn(product)
  await card(page, 'Danger Zone').getByRole('button', { name: 'Delete Account' }).click()
  const deleteDialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await deleteDialog.getByLabel('Type DELETE to confirm').fill('DELETE')
  await deleteDialog.getByRole('button', { name: 'Delete Account' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  // Escape closes only the top dialog and leaves the other one unchanged.
  await expect(deleteDialog.getByLabel('Type DELETE to confirm')).toHaveValue('DELETE')
  await expect(deleteDialog.getByRole('alert')).toHaveCount(0)
  expect((await user.client.call(getStorage, {})).status).toBe(200)

  await deleteDialog.getByRole('button', { name: 'Delete Account' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await dialog.getByLabel('Code').fill('000000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('This code is incorrect.')
  await dialog.getByLabel('Code').fill(codeOf(secret, product))
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Your account is deleted')).toBeVisible()
})

test('shows the expired session overlay when the session ends during the confirmation', async ({
  page,
  user,
  product,
}) => {
  const other = await signInElsewhere(product, user.email)
  await page.goto('/account')
  await expect(card(page, 'Sessions').getByRole('listitem')).toHaveCount(2)
  expireRecentSignIn(product)
  await card(page, 'Danger Zone').getByRole('button', { name: 'Delete Account' }).click()
  const deleteDialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await deleteDialog.getByLabel('Type DELETE to confirm').fill('DELETE')
  await deleteDialog.getByRole('button', { name: 'Delete Account' }).click()
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await product.services.db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
  await dialogOf(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Your session has expired.').first()).toBeVisible()
  await expect(dialogOf(page)).toHaveCount(0)
  expect((await other.call(getStorage, {})).status).toBe(401)
})

test('confirms an old sign-in with a passkey', async ({ page, user: _user, product, context }) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
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
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  await adding.getByLabel('Current Password').fill(TEST_PASSWORD)
  await adding.getByLabel('Name').fill('Laptop')
  await adding.getByRole('button', { name: 'Continue' }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(1)
  expireRecentSignIn(product)
  await passkeys.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await dialogOf(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(0)
  await expect(dialogOf(page)).toHaveCount(0)
})
