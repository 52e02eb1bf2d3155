import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_SMALL_FILE } from '@alcove/contract/limits'
import type { Page } from '@playwright/test'

export const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
export const text = (name: string, content = name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
/** Too large to be sent together with others. */
export const longText = (name: string) => text(name, name.padEnd(MAX_SMALL_FILE + 1))

export async function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'alcove-e2e-'))
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
