import { randomBytes } from 'node:crypto'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { listVaultFiles } from '@alcove/contract/vault'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, type Product, test } from './fixtures.ts'
import { holdChunksAfter, makeDirectory, tray } from './uploading.ts'
import {
  chooseIn,
  countPrivateFiles,
  openEnvelope,
  PASSPHRASE,
  passphraseField,
  sendFirst,
  uploadButton,
  uploadEncrypted,
} from './vaults.ts'

/** Eight chunks of 5 MiB. Two are sent and four more encrypted in the meantime, so some have not been read. */
const FILM = randomBytes(37 * 1024 * 1024 + 3)
const CHANGED = FILM.map((byte) => byte ^ 0x55)

let folder: string
let path: string
test.beforeEach(async () => {
  folder = await makeDirectory()
  path = join(folder, 'film.bin')
  await writeFile(path, FILM)
})
test.afterEach(() => rm(folder, { recursive: true }))

async function openVault(page: Page): Promise<void> {
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)
}

/** Counts the chunks that the server has of a user's unfinished uploads. Other tests may have left some on this server. */
async function countReceived({ services: { db } }: Product, { id }: TestUser): Promise<number> {
  const chunks = await db
    .selectFrom('upload_chunks')
    .innerJoin('uploads', 'uploads.id', 'upload_chunks.upload_id')
    .select('chunk_index')
    .where('uploads.owner_id', '=', id)
    .execute()
  return chunks.length
}

/** Uploads the film until the server has two chunks, and holds the others. */
async function sendHalf(page: Page, product: Product, user: TestUser): Promise<() => Promise<void>> {
  const release = await holdChunksAfter(page, 2)
  await chooseIn(page, 'File', path)
  await sendFirst(page, 'File')
  await expect.poll(() => countReceived(product, user), { timeout: 60_000 }).toBe(2)
  return release
}

async function storedEnvelope({ client }: TestUser): Promise<Buffer> {
  return (await client.call(fetchFile, { filename: 'film.bin', isEncrypted: true })).bytes
}

test('leaves no file behind when a tab closes during encryption, and resumes with the passphrase', async ({
  page,
  product,
  paidUser,
  context,
}) => {
  test.setTimeout(240_000)
  await openVault(page)
  // From the third chunk on, every request fails.
  let passed = 0
  await page.route('**/api/upload-chunk', (route) => {
    passed += 1
    return passed > 2 ? route.abort() : route.continue()
  })
  await chooseIn(page, 'File', path)
  await sendFirst(page, 'File')
  await expect.poll(() => countReceived(product, paidUser), { timeout: 60_000 }).toBe(2)
  // A second upload can't be started while this one is in progress.
  await expect(uploadButton(page, 'File')).toBeDisabled()
  await expect(uploadButton(page, 'Folder')).toBeDisabled()
  // Closing the tab would let an intercepted request through, so make sure that there is none.
  await page.evaluate(() => {
    XMLHttpRequest.prototype.send = () => {}
  })
  await page.waitForTimeout(500)
  await page.close({ runBeforeUnload: false })
  expect((await paidUser.client.call(listVaultFiles, {})).body).toEqual([])

  const next = await context.newPage()
  await next.goto('/vault')
  await expect(tray(next)).toContainText('film.bin')
  await expect(passphraseField(next)).toHaveValue('')
  expect(await countPrivateFiles(next)).toBe(0)
  let sent = 0
  next.on('request', (request) => {
    if (request.url().endsWith('/api/upload-chunk')) sent += 1
  })
  await passphraseField(next).fill(PASSPHRASE)
  await uploadEncrypted(next, 'File', path, { isFirst: true })
  expect(sent).toBe(6)
  expect(openEnvelope(await storedEnvelope(paidUser)).plain.equals(FILM)).toBe(true)
  expect(await countReceived(product, paidUser)).toBe(0)
})

test('fails when a file changes during encryption, and uses a new salt and IV when chosen again', async ({
  page,
  product,
  paidUser,
}) => {
  test.setTimeout(240_000)
  await openVault(page)
  const headers: Buffer[] = []
  page.on('request', (request) => {
    const body = request.url().endsWith('/api/upload-chunk') ? request.postDataBuffer() : null
    if (body?.includes('name="chunkIndex"\r\n\r\n0\r\n')) headers.push(body)
  })
  const release = await sendHalf(page, product, paidUser)
  await writeFile(path, CHANGED)
  await utimes(path, new Date(), new Date(Date.now() + 60_000))
  await release()
  // Which of the two messages appears depends on how far the file had been read.
  await expect(tray(page)).toContainText(
    /The file has changed (or can no longer be read|while it was being encrypted)\. Choose it again\./,
    { timeout: 60_000 },
  )
  expect((await paidUser.client.call(listVaultFiles, {})).body).toEqual([])

  await uploadEncrypted(page, 'File', path)
  const envelope = await storedEnvelope(paidUser)
  expect(openEnvelope(envelope).plain.equals(CHANGED)).toBe(true)
  expect(headers[0]?.includes(envelope.subarray(0, 28))).toBe(false)
})

test('rejects a file that exceeds the storage limit before sending any of it', async ({ page, product, paidUser }) => {
  const { db } = product.services
  await db.updateTable('users').set({ allocated_bytes: 1024 }).where('id', '=', paidUser.id).execute()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await openVault(page)
  await chooseIn(page, 'File', path)
  await sendFirst(page, 'File')
  await expect(tray(page)).toContainText('Not enough free space: "film.bin" needs 37 MB more.')
  expect(sent.filter((url) => url.includes('/upload'))).toEqual([])
  await expect(uploadButton(page, 'File')).toBeEnabled()
})
