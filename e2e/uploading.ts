import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_SMALL_FILE } from '@alcove/contract/limits'
import { expect, type Page } from '@playwright/test'
import type { Product } from './fixtures.ts'

export const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
export const text = (name: string, content = name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
/** Creates a text file that is too large to be sent together with others. */
export const longText = (name: string) => text(name, name.padEnd(MAX_SMALL_FILE + 1))

export async function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'alcove-e2e-'))
}

/**
 * Waits until the server has at least `count` chunks and the page has stored the digest of each, so that the upload
 * could be resumed from them if the page closed now.
 */
export async function waitForResumableChunks(page: Page, product: Product, count: number): Promise<void> {
  await expect(async () => {
    const stored = (await readStore(page, 'chunks')) as [uploadId: string, index: number][]
    const received = await product.services.db
      .selectFrom('upload_chunks')
      .selectAll()
      // Other tests share this server, and may have left unfinished uploads on it.
      .where('upload_id', 'in', [...new Set(stored.map(([uploadId]) => uploadId))])
      .execute()
    expect(received.length).toBeGreaterThanOrEqual(count)
    expect(stored).toEqual(expect.arrayContaining(received.map((one) => [one.upload_id, one.chunk_index])))
  }).toPass()
}

/** Returns the keys of one of the page's stores for unfinished uploads. */
export function readStore(page: Page, name: 'uploads' | 'chunks'): Promise<unknown[]> {
  return page.evaluate(
    (store) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('alcove-uploads')
        // The page has not created the database yet. Aborting leaves that to the page.
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const reading = opening.result.transaction(store).objectStore(store).getAllKeys()
          reading.onsuccess = () => resolve(reading.result)
          reading.onerror = () => reject(reading.error)
          opening.result.close()
        }
      }),
    name,
  )
}

/** Lets `count` chunks through. The others wait until the page closes or the returned function is called. */
export async function holdChunksAfter(page: Page, count: number): Promise<() => Promise<void>> {
  let passed = 0
  const held: (() => void)[] = []
  const pattern = '**/api/upload-chunk'
  await page.route(pattern, async (route) => {
    passed += 1
    if (passed > count) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue().catch(() => {})
  })
  return async () => {
    await page.unroute(pattern)
    for (const release of held) release()
  }
}
