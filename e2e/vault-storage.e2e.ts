import { randomBytes } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { tray } from './uploading.ts'
import { chooseIn, openEnvelope, PASSPHRASE, passphraseField, sendFirst } from './vaults.ts'

const FILM = randomBytes(12 * 1024 * 1024)
const film = { name: 'film.bin', mimeType: 'application/octet-stream', buffer: FILM }

/** Makes the browser's storage fail as if it were full: it stores no digest and, without `deletes`, deletes nothing. */
async function breakStorage(page: Page, { deletes }: { deletes: boolean }): Promise<void> {
  await page.addInitScript((canDelete) => {
    const { put } = IDBObjectStore.prototype
    const full = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError')
    }
    IDBObjectStore.prototype.put = function (...values: Parameters<typeof put>) {
      return this.name === 'chunks' ? full() : put.apply(this, values)
    }
    if (!canDelete) IDBObjectStore.prototype.delete = full
  }, deletes)
}

function countStoredUploads(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('alcove-uploads', 1)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const counting = opening.result.transaction('uploads').objectStore('uploads').count()
          counting.onsuccess = () => resolve(counting.result)
          counting.onerror = () => reject(counting.error)
        }
      }),
  )
}

test('forgets an encrypted upload before its first chunk when its digests cannot be stored', async ({
  page,
  paidUser,
}) => {
  await breakStorage(page, { deletes: true })
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)
  const counts: number[] = []
  await page.route('**/api/upload-chunk', async (route) => {
    counts.push(await countStoredUploads(page))
    await route.continue()
  })
  await chooseIn(page, 'File', film)
  await sendFirst(page, 'File')
  await expect(page.getByText('Encrypted file uploaded successfully.')).toBeVisible({ timeout: 60_000 })
  expect(counts).toEqual([0, 0, 0])
  const stored = (await paidUser.client.call(fetchFile, { filename: film.name, isEncrypted: true })).bytes
  expect(openEnvelope(stored).plain.equals(FILM)).toBe(true)
})

test('sends nothing when the browser can neither store a digest nor forget the upload', async ({
  page,
  paidUser: _,
}) => {
  await breakStorage(page, { deletes: false })
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)
  let chunks = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/upload-chunk')) chunks += 1
  })
  await chooseIn(page, 'File', film)
  await sendFirst(page, 'File')
  await expect(tray(page)).toContainText("This browser's storage failed, so the encrypted upload was stopped.")
  expect(chunks).toBe(0)
})
