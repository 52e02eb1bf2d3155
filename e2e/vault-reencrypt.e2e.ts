import { randomBytes } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import { listVaultFiles } from '@alcove/contract/vault'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'
import { openEnvelope, PASSPHRASE, passphraseField, uploadEncrypted } from './vaults.ts'

const OTHER = 'seven lamps on the old pier'
/** Large enough to be decrypted outside memory and uploaded in several chunks. */
const FILM = randomBytes(33 * 1024 * 1024 + 5)

test('marks a file with another passphrase, re-encrypts it in place and survives interruptions', async ({
  page,
  paidUser: { client },
}) => {
  test.setTimeout(180_000)
  await page.goto('/vault')
  const film = { name: 'film.bin', mimeType: 'application/octet-stream', buffer: FILM }
  await passphraseField(page).fill(OTHER)
  await uploadEncrypted(page, 'File', film, { isFirst: true, passphrase: OTHER })
  await passphraseField(page).fill(PASSPHRASE)
  await uploadEncrypted(
    page,
    'File',
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    { isOther: true },
  )

  const mark = tileOf(page, 'film.bin').getByRole('button', { name: 'Other passphrase: film.bin' })
  await page.reload()
  await expect(tileOf(page, 'film.bin')).toBeVisible()
  await expect(mark).toHaveCount(0)
  await passphraseField(page).fill(PASSPHRASE)
  await expect(mark).toBeVisible()
  await expect(page.getByRole('button', { name: 'Other passphrase: notes.txt' })).toHaveCount(0)
  await expectAccessible(page)
  const before = (await client.call(fetchFile, { filename: 'film.bin', isEncrypted: true })).bytes
  const [file] = (await client.call(listVaultFiles, {})).body

  await mark.click()
  const dialog = page.getByRole('dialog', { name: 'Other passphrase' })
  await expect(dialog).toContainText('links to it that carry the key (#key=…) stop working')
  await dialog.getByLabel('Other passphrase').fill('a third one')
  await dialog.getByRole('button', { name: 'Re-encrypt' }).click()
  await expect(dialog).toContainText('Decryption failed. Possibly wrong passphrase.')
  await expectAccessible(page)

  // An interruption during the upload changes nothing.
  const reached = page.waitForRequest('**/api/upload-chunk')
  await page.route('**/api/upload-chunk', () => {})
  await dialog.getByLabel('Other passphrase').fill(OTHER)
  await dialog.getByRole('button', { name: 'Re-encrypt' }).click()
  await reached
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await page.unroute('**/api/upload-chunk')
  expect((await client.call(fetchFile, { filename: 'film.bin', isEncrypted: true })).bytes.equals(before)).toBe(true)

  await mark.click()
  await dialog.getByLabel('Other passphrase').fill(OTHER)
  await dialog.getByRole('button', { name: 'Re-encrypt' }).click()
  await expect(page.getByText('File re-encrypted with your passphrase.')).toBeVisible({ timeout: 60_000 })
  await expect(mark).toHaveCount(0)
  const after = (await client.call(fetchFile, { filename: 'film.bin', isEncrypted: true })).bytes
  expect(openEnvelope(after).plain.equals(FILM)).toBe(true)
  expect(after.subarray(0, 28).equals(before.subarray(0, 28))).toBe(false)
  const files = (await client.call(listVaultFiles, {})).body
  expect(files).toMatchObject([{ id: file?.id, name: 'film.bin', modifiedAt: file?.modifiedAt }, { name: 'notes.txt' }])
})

test('re-encrypts with the passphrase that was in the field, even if a new session clears it', async ({
  page,
  paidUser: { client, email },
}) => {
  const content = Buffer.from('The spare key lies under the third pot.')
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: content }
  await page.goto('/vault')
  await passphraseField(page).fill(OTHER)
  await uploadEncrypted(page, 'File', notes, { isFirst: true, passphrase: OTHER })
  await passphraseField(page).fill(PASSPHRASE)
  await uploadEncrypted(page, 'File', { ...notes, name: 'more.txt' }, { isOther: true })
  await page.reload()
  await passphraseField(page).fill(PASSPHRASE)
  await tileOf(page, 'notes.txt').getByRole('button', { name: 'Other passphrase: notes.txt' }).click()
  const dialog = page.getByRole('dialog', { name: 'Other passphrase' })
  await dialog.getByLabel('Other passphrase').fill(OTHER)

  // The user signs in again in another tab.
  const login = await page.request.post('/api/login', { data: { email, password: TEST_PASSWORD } })
  const { token } = (await login.json()) as { token: string }
  const other = await page.context().newPage()
  await other.goto('/terms-of-service')
  await other.evaluate((next) => localStorage.setItem('token', next), token)
  await expect(passphraseField(page)).toHaveValue('')
  await dialog.getByRole('button', { name: 'Re-encrypt' }).click()
  await expect(page.getByText('File re-encrypted with your passphrase.')).toBeVisible()
  const envelope = (await client.call(fetchFile, { filename: 'notes.txt', isEncrypted: true })).bytes
  expect(openEnvelope(envelope).plain.equals(content)).toBe(true)
})
