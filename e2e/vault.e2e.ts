import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { getVaultFolder, listVaultFiles, listVaultFolders } from '@alcove/contract/vault'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makePng } from './sample-files.ts'
import { recordTraffic } from './traffic.ts'
import { choose, tileOf } from './users.ts'
import {
  chooseIn,
  decryptButton,
  firstPassphrase,
  openEnvelope,
  PASSPHRASE,
  passphraseField,
  uploadButton,
  uploadEncrypted,
} from './vaults.ts'

/** Long enough for several chunks, without repeated content. */
const FILM = randomBytes(6 * 1024 * 1024 + 7)
const NOTES = Buffer.from('The spare key lies under the third pot.\n'.repeat(40))

async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

const decrypt = (page: Page, name: string) => download(page, () => decryptButton(page, name).click())

async function chooseInMenu(page: Page, name: string, choice: string) {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: choice, exact: true }).click()
}

/** Returns the encodings in which a secret might leave the browser. */
function encodingsOf(secret: Buffer): Buffer[] {
  const texts = [secret.toString('hex'), secret.toString('base64').replace(/=+$/, ''), secret.toString('base64url')]
  return [secret, ...[...texts, encodeURIComponent(secret.toString())].map((text) => Buffer.from(text))]
}

test('encrypts, decrypts and shares files without sending the passphrase, the key or any content', async ({
  page,
  product,
  paidUser: user,
  browser,
}) => {
  test.setTimeout(120_000)
  const traffic = await recordTraffic(product.url)
  const otherOrigins: string[] = []
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== traffic.url) otherOrigins.push(request.url())
  })
  await page.goto(`${traffic.url}/vault`)
  await expect(page.getByRole('heading', { name: 'Encrypted Vault' })).toBeVisible()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()

  // An upload needs a passphrase and a file.
  await chooseIn(page, 'File', { name: 'notes.txt', mimeType: 'text/plain', buffer: NOTES })
  await uploadButton(page, 'File').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Select a file and enter a passphrase' })).toBeVisible()
  await passphraseField(page).fill(PASSPHRASE)
  await uploadButton(page, 'Folder').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Select a folder and enter a passphrase' })).toBeVisible()

  const picture = makePng(300, 200, [200, 90, 30])
  await uploadEncrypted(
    page,
    'File',
    [
      { name: 'notes.txt', mimeType: 'text/plain', buffer: NOTES },
      { name: 'film.bin', mimeType: 'application/octet-stream', buffer: FILM },
      { name: 'beach.png', mimeType: 'image/png', buffer: picture },
    ],
    { isFirst: true },
  )
  const folder = await mkdtemp(join(tmpdir(), 'alcove-vault-'))
  await mkdir(join(folder, 'Papers/2024'), { recursive: true })
  await writeFile(join(folder, 'Papers/2024/will.txt'), NOTES)
  await uploadEncrypted(page, 'Folder', join(folder, 'Papers'))
  await rm(folder, { recursive: true })

  // The stored envelope has the specified format, so another program can open it.
  const envelope = (await user.client.call(fetchFile, { filename: 'film.bin', isEncrypted: true })).bytes
  const opened = openEnvelope(envelope)
  expect(opened.plain.equals(FILM)).toBe(true)
  const [papers] = (await user.client.call(listVaultFolders, {})).body
  const { subFolders } = (await user.client.call(getVaultFolder, { folderId: papers?.id ?? '' })).body
  expect(subFolders).toMatchObject([{ name: '2024', isEncrypted: true }])

  await test.step('rejects a wrong passphrase and decrypts with the right one', async () => {
    await page.reload()
    await decryptButton(page, 'notes.txt').click()
    await expect(page.getByText('Please enter your passphrase.')).toBeVisible()
    await passphraseField(page).fill('another one')
    await decryptButton(page, 'notes.txt').click()
    await expect(page.getByText('Decryption failed. Possibly wrong passphrase.')).toBeVisible()
    // A banner warns about the wrong passphrase before anything is encrypted with it.
    await expect(page.getByRole('status').filter({ hasText: 'This passphrase does not open' })).toBeVisible()
    await passphraseField(page).fill(PASSPHRASE)
    const film = await decrypt(page, 'film.bin')
    expect(film.name).toBe('film.bin')
    expect(film.bytes.equals(FILM)).toBe(true)
  })

  await test.step('hides a picture until its preview has decrypted it', async () => {
    await expect(tileOf(page, 'beach.png').locator('img')).toHaveCount(0)
    await tileOf(page, 'beach.png').dblclick()
    const shown = page.getByRole('dialog', { name: 'Preview of beach.png' }).getByRole('img', { name: 'beach.png' })
    await expect(shown).toHaveJSProperty('naturalWidth', 300)
    await page.keyboard.press('Escape')
    await expect(tileOf(page, 'beach.png').locator('img')).toHaveJSProperty('naturalWidth', 300)
  })

  await test.step('opens folders, and renames and deletes files', async () => {
    await tileOf(page, 'Papers').dblclick()
    await expect(page.getByText(`Current Folder: ${papers?.id}`)).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByText('Current Folder: Root')).toBeVisible()
    await chooseInMenu(page, 'notes.txt', 'Rename')
    await page.getByLabel('File Name').fill('secrets')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await expect(page.getByText('File renamed successfully.')).toBeVisible()
    await chooseInMenu(page, 'beach.png', 'Delete')
    await expect(page.getByText('Are you sure you want to delete this file?')).toBeVisible()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('File deleted', { exact: true })).toBeVisible()
    const names = (await user.client.call(listVaultFiles, {})).body.map(({ name }) => name)
    expect(names).toEqual(['film.bin', 'secrets.txt'])
  })

  await test.step('opens a shared file for a visitor with the key in the link or with the passphrase', async () => {
    await chooseInMenu(page, 'film.bin', 'Public Link')
    const dialog = page.getByRole('dialog', { name: 'Public Link' })
    await dialog.getByRole('checkbox', { name: 'Enabled' }).click()
    await dialog.getByRole('button', { name: 'Create a Link With the Key' }).click()
    const link = await dialog.getByLabel('Public link with the key').inputValue()
    expect(link).toContain(`#key=${opened.key.toString('base64url')}`)
    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(link.replace(product.url, traffic.url))
    const film = await download(visitor, () => visitor.getByRole('button', { name: 'Download & Decrypt' }).click())
    expect(film.bytes.equals(FILM)).toBe(true)
    await visitor.goto('about:blank')
    await visitor.goto(link.replace(product.url, traffic.url).replace(/#.*/, ''))
    await visitor.getByLabel('Passphrase', { exact: true }).fill('another one')
    await visitor.getByRole('button', { name: 'Download & Decrypt' }).click()
    await expect(visitor.getByText('Decryption failed. Possibly wrong passphrase.')).toBeVisible()
    await visitor.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    const again = await download(visitor, () => visitor.getByRole('button', { name: 'Download & Decrypt' }).click())
    expect(again.bytes.equals(FILM)).toBe(true)
    await visitor.context().close()
  })

  const sent = traffic.sent()
  // The proxy recorded the upload: its bytes include the stored envelope and the file name.
  expect(sent.includes(envelope.subarray(1000, 1400))).toBe(true)
  expect(sent.includes('film.bin')).toBe(true)
  for (const secret of [...encodingsOf(Buffer.from(PASSPHRASE)), ...encodingsOf(opened.key)]) {
    expect(sent.includes(secret)).toBe(false)
  }
  for (const plain of [FILM, NOTES, picture]) {
    const places = Array.from({ length: 61 }, (_, index) => Math.floor((index / 60) * (plain.length - 16)))
    for (const at of places) expect(sent.includes(plain.subarray(at, at + 16))).toBe(false)
  }
  expect(otherOrigins).toEqual([])
  await traffic.stop()
})

test('uses the vault on a phone and by keyboard, and exports it after the paid plan has ended', async ({
  page,
  product,
  paidUser: user,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await choose(page, 'Upload and Encrypt File', [
    { name: 'notes.txt', mimeType: 'text/plain', buffer: NOTES },
    { name: 'beach.png', mimeType: 'image/png', buffer: makePng(300, 200, [200, 90, 30]) },
  ])
  await firstPassphrase(page).getByLabel('Confirm passphrase').fill(PASSPHRASE)
  await firstPassphrase(page).getByRole('button', { name: 'Set passphrase' }).click()
  await expect(tileOf(page, 'notes.txt')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await expect(tileOf(page, 'notes.txt')).toBeVisible()
  await expectAccessible(page)

  // Uses only the keyboard: the menu of the tile, and the passphrase dialog.
  await tileOf(page, 'notes.txt').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Download', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Enter Passphrase' })
  await expect(dialog.getByLabel('Passphrase', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter your passphrase.')).toBeVisible()
  await page.keyboard.type(PASSPHRASE)
  expect((await download(page, () => page.keyboard.press('Enter'))).bytes.equals(NOTES)).toBe(true)
  await expect(passphraseField(page)).toHaveValue(PASSPHRASE)

  // After the plan has ended, the screen is gone, but the files can still be downloaded.
  const { db } = product.services
  await db.updateTable('users').set({ plan_id: 0, plan_name: 'free' }).where('id', '=', user.id).execute()
  await page.evaluate(() => localStorage.setItem('planName', 'free'))
  await page.goto('/vault')
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('link', { name: 'Vault' })).toHaveCount(0)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Decrypt and Download' }).click()
  await page.getByRole('dialog').getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  const zip = await download(page, () => page.getByRole('button', { name: 'Submit' }).click())
  expect(zip.name).toBe('Vault.zip')
  expect(zip.bytes.includes(NOTES)).toBe(true)
})
