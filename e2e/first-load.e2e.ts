import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createFolder } from '@alcove/contract/files'
import { expect, test, waitUntilQuiet, webDirectory } from './fixtures.ts'

const MAX_JAVASCRIPT = 250_000
const MAX_SHIFT = 0.02

test('shows the files after at most 250 KB of JavaScript and without layout shifts', async ({ page, user }) => {
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
  await waitUntilQuiet(page)

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
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(MAX_JAVASCRIPT)
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(MAX_SHIFT)
})

test('requests the list of files once, before the scripts of the screen run', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Trip' })
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const early = page.waitForResponse(/\/api\/items\?/)
  await page.goto('/profile', { waitUntil: 'commit' })
  expect((await early).status()).toBe(200)
  resolve()
  await expect(page.getByRole('gridcell', { name: /Trip/ }).first()).toBeVisible()
  await waitUntilQuiet(page)
  for (const path of ['/api/items', '/api/storage']) expect(requested.filter((name) => name === path)).toHaveLength(1)
})

test('lists every script of the files screen in its HTML, so that all of them load in parallel', async ({
  page,
  user,
}) => {
  // An empty folder would fetch an additional picture.
  await user.client.call(createFolder, { folderName: 'Trip' })
  const html = await (await page.request.get('/profile', { headers: { accept: 'text/html' } })).text()
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path)
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[class*="_shell_"]')) return
      observer.disconnect()
      Object.assign(window, { shownAt: performance.now() })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeAttached()
  const fetched = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(
        ({ name, startTime }) => name.endsWith('.js') && startTime < (window as unknown as { shownAt: number }).shownAt,
      )
      .map(({ name }) => new URL(name).pathname),
  )
  expect(fetched.filter((path) => path !== '/before-paint.js' && !named.includes(path))).toEqual([])
})

/** Limits for the scripts that a screen starts with: their number, and their bytes with gzip. */
const MAX = { '/': [13, 215_000], '/login': [25, 245_000], '/profile': [9, 250_000] } as const

for (const [path, [max, bytes]] of Object.entries(MAX)) {
  test(`${path} starts with at most ${max} scripts and ${bytes / 1000} KB`, async ({ page }) => {
    const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text()
    const named = new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, script = '']) => script))
    const sizes = await Promise.all(
      [...named].map(async (script) => gzipSync(await readFile(join(webDirectory, script))).length),
    )
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(named.size, [...named].join(' ')).toBeLessThanOrEqual(max)
    expect(total, `${total} bytes`).toBeLessThanOrEqual(bytes)
  })
}
