import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_SMALL_FILE } from '@alcove/contract/limits'
import { expect, type Page } from '@playwright/test'
import type { Product } from './fixtures.ts'

export const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
export const text = (name: string, content = name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
/** Too large to be sent together with others. */
export const longText = (name: string) => text(name, name.padEnd(MAX_SMALL_FILE + 1))

export async function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'alcove-e2e-'))
}

/**
 * Waits until the server has so many chunks, or more, and the page has noted a digest of each: were it closed now, they
 * could be proved.
 */
export async function untilProvable(page: Page, product: Product, count: number): Promise<void> {
  await expect(async () => {
    const received = await product.services.db.selectFrom('upload_chunks').selectAll().execute()
    expect(received.length).toBeGreaterThanOrEqual(count)
    const noted = await readStore(page, 'chunks')
    expect(noted).toEqual(expect.arrayContaining(received.map((one) => [one.upload_id, one.chunk_index])))
  }).toPass()
}

/** The keys of what the page keeps about unfinished uploads. */
export function readStore(page: Page, name: 'uploads' | 'chunks'): Promise<unknown[]> {
  return page.evaluate(
    (store) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('alcove-uploads')
        // The page has not made it yet, and is not kept from doing so.
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

/** Lets no more than so many chunks through; the others hang until the page goes or the returned function is called. */
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
