import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Download, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'
import { countPrivateFiles, decryptButton, PASSPHRASE, passphraseField, seal } from './vaults.ts'

const MEBIBYTE = 1024 * 1024
/** Large enough to be kept outside memory until it is verified. */
const LARGE = 33 * MEBIBYTE + 5
const FAILED = 'Decryption failed. Possibly wrong passphrase.'

async function store(user: TestUser, files: Record<string, Buffer<ArrayBuffer>>): Promise<void> {
  for (const [name, envelope] of Object.entries(files)) {
    await user.client.upload(name, envelope, { isEncrypted: 'true' })
  }
}

async function openVault(page: Page): Promise<Download[]> {
  const saved: Download[] = []
  page.on('download', (download) => saved.push(download))
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)
  return saved
}

/** Tries to decrypt a file, expects an error message and dismisses it. */
async function expectRefused(page: Page, name: string, message: string): Promise<void> {
  await decryptButton(page, name).click()
  const alert = page.getByRole('alert').filter({ hasText: message })
  await expect(alert).toBeVisible({ timeout: 60_000 })
  await expect(decryptButton(page, name)).toBeVisible()
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await expect(alert).toHaveCount(0)
}

/** Returns a copy of an envelope with one bit flipped. A negative position counts from the end. */
function flipBit(envelope: Buffer<ArrayBuffer>, position: number): Buffer<ArrayBuffer> {
  const changed = Buffer.from(envelope)
  const at = position < 0 ? changed.length + position : position
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

test('rejects damaged, truncated and foreign files with a message, and saves nothing of them', async ({
  page,
  paidUser,
}) => {
  test.setTimeout(240_000)
  const small = seal(randomBytes(100_000))
  const large = seal(randomBytes(LARGE))
  const files = {
    'header.bin': flipBit(small, 3),
    'start.bin': flipBit(small, 28),
    'middle.bin': flipBit(large, 16 * MEBIBYTE),
    'tag.bin': flipBit(large, -1),
    'cut.bin': large.subarray(0, LARGE - MEBIBYTE),
    'other.bin': randomBytes(5000),
    'tiny.bin': randomBytes(43),
  }
  await store(paidUser, files)
  const saved = await openVault(page)
  for (const name of Object.keys(files)) await expectRefused(page, name, FAILED)
  expect(saved).toEqual([])
  expect(await countPrivateFiles(page)).toBe(0)
})

test('shows an error and keeps nothing when the browser has no space for a decrypted file', async ({
  page,
  paidUser,
}) => {
  const film = randomBytes(LARGE)
  await store(paidUser, { 'film.bin': seal(film) })
  const saved = await openVault(page)
  const devtools = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 10 * MEBIBYTE })
  await expectRefused(page, 'film.bin', 'This browser doesn’t have enough space for the decrypted file.')
  expect(await countPrivateFiles(page)).toBe(0)
  expect(saved).toEqual([])
  await devtools.send('Storage.overrideQuotaForOrigin', { origin })
  await decryptButton(page, 'film.bin').click()
  await expect.poll(() => saved.length, { timeout: 60_000 }).toBe(1)
  expect((await readFile((await saved[0]?.path()) ?? '')).equals(film)).toBe(true)
})

test('opens a large file even in a browser without a private file system', async ({ page, paidUser }) => {
  const film = randomBytes(LARGE)
  const envelope = seal(film)
  await store(paidUser, { 'film.bin': envelope, 'broken.bin': flipBit(envelope, -1) })
  await page.addInitScript(() => {
    navigator.storage.getDirectory = () => Promise.reject(new DOMException('Not here.', 'SecurityError'))
  })
  const saved = await openVault(page)
  await expectRefused(page, 'broken.bin', FAILED)
  expect(saved).toEqual([])
  await decryptButton(page, 'film.bin').click()
  await expect.poll(() => saved.length, { timeout: 60_000 }).toBe(1)
  expect((await readFile((await saved[0]?.path()) ?? '')).equals(film)).toBe(true)
  await expect(tileOf(page, 'film.bin')).toBeVisible()
})
