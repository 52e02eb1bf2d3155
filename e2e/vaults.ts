import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { waitForText } from './users.ts'

export const PASSPHRASE = 'a quiet room, with 1 door'

type Chosen = Parameters<Locator['setInputFiles']>[0]

export const passphraseField = (page: Page) => page.getByLabel('Master Passphrase')
export const decryptButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Download & Decrypt ${name}` })

/** Returns the upload button of a form on the vault screen. */
export const uploadButton = (page: Page, kind: 'File' | 'Folder') =>
  page.getByRole('button', { name: `Upload and Encrypt ${kind}` })

/** Chooses files in that form without opening the file chooser. */
export async function chooseIn(page: Page, kind: 'File' | 'Folder', files: Chosen): Promise<void> {
  await page
    .getByRole('form', { name: `Upload and Encrypt ${kind}` })
    .locator('input')
    .setInputFiles(files)
}

/** Returns the dialog that asks to confirm the first passphrase of an empty vault. */
export const firstPassphrase = (page: Page) => page.getByRole('dialog', { name: 'Set your passphrase' })

/** Starts an upload to an empty vault and confirms the passphrase. */
export async function sendFirst(page: Page, kind: 'File' | 'Folder', passphrase = PASSPHRASE): Promise<void> {
  await uploadButton(page, kind).click()
  await firstPassphrase(page).getByLabel('Confirm passphrase').fill(passphrase)
  await firstPassphrase(page).getByRole('button', { name: 'Set passphrase' }).click()
}

/** Starts an upload with a passphrase that differs from that of the vault's files, and confirms it. */
async function sendOther(page: Page, kind: 'File' | 'Folder', passphrase: string): Promise<void> {
  await uploadButton(page, kind).click()
  const dialog = page.getByRole('dialog', { name: 'This is not your passphrase' })
  await dialog.getByLabel('Confirm passphrase').fill(passphrase)
  await dialog.getByRole('button', { name: 'Use a different passphrase for these files' }).click()
}

/** Uploads files to the end. `isFirst` confirms the first passphrase of a vault, and `isOther` a different one. */
export async function uploadEncrypted(
  page: Page,
  kind: 'File' | 'Folder',
  files: Chosen,
  { isFirst = false, isOther = false, passphrase = PASSPHRASE } = {},
): Promise<void> {
  await chooseIn(page, kind, files)
  await waitForText(page, `Encrypted ${kind.toLowerCase()} uploaded successfully.`, () =>
    isFirst
      ? sendFirst(page, kind, passphrase)
      : isOther
        ? sendOther(page, kind, passphrase)
        : uploadButton(page, kind).click(),
  )
  await expect(uploadButton(page, kind)).toBeEnabled()
}

/** Creates an envelope with the crypto module of Node.js, without any code of the product. */
export function seal(plain: Uint8Array, passphrase = PASSPHRASE): Buffer<ArrayBuffer> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', pbkdf2Sync(passphrase, salt, 100_000, 32, 'sha256'), iv)
  return Buffer.concat([salt, iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Opens an envelope with the crypto module of Node.js, without any code of the product. */
export function openEnvelope(envelope: Buffer, passphrase = PASSPHRASE): { key: Buffer; plain: Buffer } {
  const key = pbkdf2Sync(passphrase, envelope.subarray(0, 16), 100_000, 32, 'sha256')
  const decipher = createDecipheriv('aes-256-gcm', key, envelope.subarray(16, 28))
  decipher.setAuthTag(envelope.subarray(-16))
  return { key, plain: Buffer.concat([decipher.update(envelope.subarray(28, -16)), decipher.final()]) }
}

/** Returns the number of vault files in the browser's private file system. */
export function countPrivateFiles(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('vault', { create: true })
    let count = 0
    for await (const _name of folder.keys()) count += 1
    return count
  })
}
