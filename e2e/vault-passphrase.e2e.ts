import { listVaultFiles } from '@alcove/contract/vault'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { choose, tileOf } from './users.ts'
import {
  chooseIn,
  firstPassphrase,
  PASSPHRASE,
  passphraseField,
  seal,
  uploadButton,
  uploadEncrypted,
} from './vaults.ts'

const OTHER = 'seven lamps on the old pier'
const note = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`About ${name}`) })
const otherPassphrase = (page: Page) => page.getByRole('dialog', { name: 'This is not your passphrase' })

/** Records the requests with which a page begins, sends and completes uploads. */
function recordUploads(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    // Sends nothing: a page that was reloaded right after an upload asks whether it was completed.
    const isQuestion = request.url().endsWith('/api/uploads/verify')
    if (request.url().includes('/api/upload') && !isQuestion) sent.push(request.url())
  })
  return sent
}

test('rejects a weak first passphrase, and asks to confirm a strong one before sending anything', async ({
  page,
  paidUser,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/vault')
  const sent = recordUploads(page)
  await passphraseField(page).fill('a')
  // On a phone, chosen files are sent immediately, and stay chosen until they are sent.
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await choose(page, 'Upload and Encrypt File', note('notes.txt'))
  await expect(firstPassphrase(page)).toContainText('Strength: Too weak')
  await expect(firstPassphrase(page)).toContainText('Use at least four random words')
  await expect(firstPassphrase(page).getByLabel('Confirm passphrase')).toHaveCount(0)
  await expectAccessible(page)
  await firstPassphrase(page).getByRole('button', { name: 'Choose another passphrase' }).click()

  await passphraseField(page).fill(PASSPHRASE)
  await uploadButton(page, 'File').click()
  await expect(firstPassphrase(page)).toContainText('Strength: Strong')
  await expect(firstPassphrase(page).getByLabel('Confirm passphrase')).toBeFocused()
  await page.keyboard.type(`${PASSPHRASE}!`)
  await page.keyboard.press('Enter')
  await expect(firstPassphrase(page)).toContainText('The passphrases do not match.')
  await expectAccessible(page)
  expect(sent).toEqual([])
  await firstPassphrase(page).getByLabel('Confirm passphrase').fill(PASSPHRASE)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Encrypted file uploaded successfully.')).toBeVisible()
  // The next upload starts without a dialog.
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await choose(page, 'Upload and Encrypt File', note('more.txt'))
  await expect(tileOf(page, 'more.txt')).toBeVisible()
  expect((await paidUser.client.call(listVaultFiles, {})).body.map(({ name }) => name)).toEqual([
    'more.txt',
    'notes.txt',
  ])
})

test('sends nothing under a different passphrase until the user confirms it', async ({ page, paidUser }) => {
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)
  await uploadEncrypted(page, 'File', note('notes.txt'), { isFirst: true })
  await page.reload()
  const sent = recordUploads(page)
  const warning = page.getByText('This passphrase does not open notes.txt.')
  await passphraseField(page).fill(OTHER)
  await expect(warning).toBeVisible()
  await chooseIn(page, 'File', note('typo.txt'))
  await uploadButton(page, 'File').click()
  await expect(otherPassphrase(page)).toContainText('doesn’t open notes.txt. Nothing has been uploaded.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(otherPassphrase(page)).toHaveCount(0)

  // Dropped files are stopped, too.
  const drop = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }))
    return transfer
  })
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: drop })
  await expect(otherPassphrase(page)).toBeVisible()
  await otherPassphrase(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(otherPassphrase(page)).toHaveCount(0)
  expect(sent).toEqual([])

  await uploadButton(page, 'File').click()
  await otherPassphrase(page).getByLabel('Confirm passphrase').fill(OTHER)
  await otherPassphrase(page).getByRole('button', { name: 'Use a different passphrase for these files' }).click()
  await expect(page.getByText('Encrypted file uploaded successfully.')).toBeVisible()
  expect((await paidUser.client.call(listVaultFiles, {})).body.map(({ name }) => name)).toEqual([
    'notes.txt',
    'typo.txt',
  ])
  // The user has just confirmed that this is no typo.
  await expect(warning).toHaveCount(0)

  // Both passphrases are accepted now.
  for (const [passphrase, name] of [
    [PASSPHRASE, 'first.txt'],
    [OTHER, 'second.txt'],
  ] as const) {
    await passphraseField(page).fill(passphrase)
    await uploadEncrypted(page, 'File', note(name))
  }
})

test('sends nothing when the passphrase cannot be checked', async ({ page, paidUser }) => {
  await page.goto('/vault')
  await page.route('**/api/vault/samples', (route) => route.abort())
  const sent = recordUploads(page)
  await passphraseField(page).fill(PASSPHRASE)
  await chooseIn(page, 'File', note('notes.txt'))
  await uploadButton(page, 'File').click()
  await expect(page.getByRole('alert').filter({ hasText: "Couldn't check your passphrase" })).toBeVisible()
  expect(sent).toEqual([])
  expect((await paidUser.client.call(listVaultFiles, {})).body).toEqual([])
})

test('asks for the passphrase on the account page again after a wrong one', async ({
  page,
  product,
  paidUser: { id, client },
}) => {
  await client.upload('notes.txt', seal(Buffer.from('x')), { isEncrypted: 'true' })
  const { db } = product.services
  await db.updateTable('users').set({ plan_id: 0, plan_name: 'free' }).where('id', '=', id).execute()
  await page.goto('/account')
  const download = page.getByRole('button', { name: 'Decrypt and Download' })
  const dialog = page.getByRole('dialog', { name: 'Enter Passphrase' })
  await download.click()
  await dialog.getByLabel('Passphrase', { exact: true }).fill(OTHER)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Decryption failed. Possibly wrong passphrase.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await download.click()
  await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(saved.suggestedFilename()).toBe('Vault.zip')
})
