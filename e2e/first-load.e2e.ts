import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createFolder } from '@alcove/contract/files'
import { expect, test, webDirectory } from './fixtures.ts'

const MOST_JAVASCRIPT = 250_000
const MOST_SHIFT = 0.05

test('the files show after at most 250 KB of JavaScript, and nothing moves when the rest comes', async ({
  page,
  user,
}) => {
  await user.client.call(createFolder, { folderName: 'Trip' })
  await page.addInitScript(() => {
    const win = window as unknown as { shownAt: number; shift: number }
    win.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) win.shift += entry.value
      }
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-item-id]')) return
      observer.disconnect()
      win.shownAt = performance.now()
    }).observe(document, { childList: true, subtree: true })
  })

  await page.goto('/profile')
  await expect(page.getByRole('gridcell', { name: /Trip/ }).first()).toBeVisible()
  await page.waitForLoadState('networkidle')

  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(
        ({ name, startTime }) =>
          name.endsWith('.js') && startTime <= (window as unknown as { shownAt: number }).shownAt,
      )
      .map(({ name }) => new URL(name).pathname),
  )
  expect(scripts).not.toEqual([])
  const sizes = await Promise.all(
    scripts.map(async (path) => [path, gzipSync(await readFile(join(webDirectory, path))).length] as const),
  )
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  test.info().annotations.push({ type: 'JavaScript', description: `${total} bytes in ${scripts.length} files` })
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(MOST_JAVASCRIPT)
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(MOST_SHIFT)
})
