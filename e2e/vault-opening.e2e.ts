import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, webDirectory } from './fixtures.ts'
import { tone } from './sounds.ts'
import { tileOf } from './users.ts'
import { countPrivateFiles, decryptButton, PASSPHRASE, passphraseField, seal } from './vaults.ts'

/** Long enough to be played while it is still being decrypted. */
const SECONDS = 600

test('streams part of a long recording from the vault, and decrypts it offline with the saved page', async ({
  page,
  product,
  paidUser,
}) => {
  const sound = Buffer.from(tone(SECONDS))
  const envelope = seal(sound)
  await paidUser.client.upload('rain.wav', envelope, { isEncrypted: 'true' })
  // Starts on another screen, so that the page was not loaded at the URL of the vault.
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Vault' }).first().click()
  await passphraseField(page).fill(PASSPHRASE)
  let fetched = 0
  page.on('response', (response) => {
    if (response.url().startsWith(`${product.url}/api/`) && response.status() === 206) {
      fetched += Number(response.headers()['content-length'])
    }
  })
  await tileOf(page, 'rain.wav').dblclick()
  const player = page.locator('audio')
  await expect(player).toHaveJSProperty('duration', SECONDS)
  await expect(page.getByText('not fully verified yet')).toBeVisible()
  const heard = await player.evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true
    audio.currentTime = 550
    await audio.play()
    await new Promise((resolve) => audio.addEventListener('timeupdate', resolve, { once: true }))
    return audio.currentTime
  })
  expect(heard).toBeGreaterThanOrEqual(550)
  expect(fetched).toBeGreaterThan(0)
  expect(fetched).toBeLessThan(envelope.length)
  // The URL serves only the player, because the file as a whole has not been verified.
  const address = await player.evaluate((audio: HTMLAudioElement) => audio.src)
  expect(await page.evaluate(async (url) => (await fetch(url)).status, address)).toBe(403)
  expect((await page.request.get(address)).status()).not.toBe(206)
  expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(0)

  const folder = await mkdtemp(join(tmpdir(), 'alcove-vault-'))
  await writeFile(join(folder, 'rain.wav.encrypted'), envelope)
  await writeFile(join(folder, 'open.html'), await readFile(join(webDirectory, 'open-vault-file.html')))
  await page.goto(pathToFileURL(join(folder, 'open.html')).href)
  await page.getByLabel('Encrypted file').setInputFiles(join(folder, 'rain.wav.encrypted'))
  await page.getByLabel('Passphrase').fill('another one')
  await page.getByRole('button', { name: 'Decrypt' }).click()
  await expect(page.getByText('The passphrase is wrong, or the file is damaged.')).toBeVisible()
  await page.getByLabel('Passphrase').fill(PASSPHRASE)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Decrypt' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('rain.wav')
  expect((await readFile(await saved.path())).equals(sound)).toBe(true)
  await rm(folder, { recursive: true })
})

test('keeps a large file outside memory until it is verified, and removes it afterwards', async ({
  page,
  paidUser,
}) => {
  const film = randomBytes(33 * 1024 * 1024 + 5)
  const envelope = seal(film)
  await paidUser.client.upload('film.bin', envelope, { isEncrypted: 'true' })
  envelope[envelope.length - 1] = (envelope.at(-1) ?? 0) ^ 1
  await paidUser.client.upload('broken.bin', envelope, { isEncrypted: 'true' })
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)

  const saving = page.waitForEvent('download')
  await decryptButton(page, 'film.bin').click()
  const saved = await saving
  expect((await readFile(await saved.path())).equals(film)).toBe(true)
  expect(await countPrivateFiles(page)).toBe(1)

  await decryptButton(page, 'broken.bin').click()
  await expect(page.getByText('Decryption failed. Possibly wrong passphrase.')).toBeVisible()
  expect(await countPrivateFiles(page)).toBe(1)

  // The next page that opens the vault removes the files that this one left.
  await page.goto('about:blank')
  await page.goto('/vault')
  await expect.poll(() => countPrivateFiles(page)).toBe(0)
})

test('shows the progress of a decryption after one with a wrong passphrase has failed', async ({ page, paidUser }) => {
  const content = randomBytes(1024)
  await paidUser.client.upload('notes.bin', seal(content), { isEncrypted: 'true' })
  await page.goto('/vault')
  const held: (() => void)[] = []
  await page.route('**/api/download-item/**', async (route) => {
    // The first request of each decryption.
    if (held.length < 2) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  await passphraseField(page).fill('another one')
  await decryptButton(page, 'notes.bin').click()
  await expect.poll(() => held.length).toBe(1)
  await passphraseField(page).fill(PASSPHRASE)
  await tileOf(page, 'notes.bin').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Download', exact: true }).click()
  await expect.poll(() => held.length).toBe(2)
  held[0]?.()
  await expect(page.getByText('Decryption failed. Possibly wrong passphrase.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel the decryption of notes.bin' })).toBeVisible()
  const saving = page.waitForEvent('download')
  held[1]?.()
  expect((await readFile(await (await saving).path())).equals(content)).toBe(true)
})
