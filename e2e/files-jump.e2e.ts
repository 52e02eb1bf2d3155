import { createFolder } from '@alcove/contract/files'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, type Product, test } from './fixtures.ts'
import { tileOf } from './users.ts'

const COUNT = 20_000

/**
 * Opens a long folder and holds all pages that are requested by cursor until `release` is called. Records the offsets
 * of the pages that are requested by offset.
 */
async function openLongFolder(page: Page, product: Product, user: TestUser) {
  const { id: folderId } = (await user.client.call(createFolder, { folderName: 'Long' })).body
  const names = Array.from({ length: COUNT }, (_one, number) => `photo ${number}.jpg`)
  await addManyItems(product.services, { ownerId: user.id, folderId, names })
  const released = Promise.withResolvers<void>()
  const offsets: number[] = []
  await page.route(/\/api\/items\?/, async (route) => {
    const { searchParams } = new URL(route.request().url())
    const offset = searchParams.get('offset')
    if (offset !== null) offsets.push(Number(offset))
    if (searchParams.has('cursor')) await released.promise
    // The page may have aborted the request in the meantime.
    await route.continue().catch(() => {})
  })
  await page.goto(`/profile?folder=${folderId}`)
  await expect(tileOf(page, 'photo 0.jpg')).toBeVisible()
  return { offsets, release: () => released.resolve() }
}

const scrollTo = (page: Page, fraction: number) =>
  page.evaluate((share) => window.scrollTo(0, document.documentElement.scrollHeight * share), fraction)

interface Shown {
  readonly index: number
  readonly name: string
}

/** Waits until all rendered tiles have loaded, and returns the index and the name of each tile in view. */
async function readShown(page: Page): Promise<Shown[]> {
  let shown: Shown[] = []
  await expect(async () => {
    expect(await page.locator('[data-index][aria-busy="true"]').count()).toBe(0)
    shown = await page.locator('[data-item-id]').evaluateAll((tiles) =>
      tiles
        .map((tile) => ({ tile, box: tile.getBoundingClientRect() }))
        .filter(({ box }) => box.top > 120 && box.bottom < innerHeight)
        .map(({ tile }) => ({
          index: Number((tile as HTMLElement).dataset.index),
          name: tile.ariaLabel?.split(',')[0] ?? '',
        })),
    )
    expect(shown.length).toBeGreaterThan(3)
  }).toPass()
  return shown
}

test('shows items far down a long folder at once, and can select and delete them', async ({ page, product, user }) => {
  const { offsets, release } = await openLongFolder(page, product, user)
  await scrollTo(page, 0.5)
  const shown = await readShown(page)
  expect(shown[0]?.index).toBeGreaterThan(COUNT / 3)
  expect(shown).toEqual(shown.map(({ index }) => ({ index, name: `photo ${index}.jpg` })))
  expect(offsets).toHaveLength(1)

  const [first, second, third] = shown as [Shown, Shown, Shown]
  const onName = { position: { x: 90, y: 12 } }
  await tileOf(page, first.name).click(onName)
  await tileOf(page, third.name).click({ ...onName, modifiers: ['Shift'] })
  await expect(page.getByRole('status').filter({ hasText: '3 items selected' })).toBeAttached()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  for (const { name } of [first, second, third]) await expect(tileOf(page, name)).toHaveCount(0)
  // While the dialog fades out, it still receives the keys.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const after = await readShown(page)
  expect(after.find(({ index }) => index === first.index)?.name).toBe(`photo ${third.index + 1}.jpg`)
  // Keys pressed before the focus has moved would scroll the page.
  await expect(page.locator(`[data-index="${third.index}"]`)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('status').filter({ hasText: '19,997 items selected' })).toBeAttached()
  await page.keyboard.press('Escape')

  // A range selection has to load every item in between. Each one counts once.
  release()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('Shift+ControlOrMeta+End')
  await expect(page.getByRole('status').filter({ hasText: '19,997 items selected' })).toBeAttached({ timeout: 30_000 })
  await expect(tileOf(page, `photo ${COUNT - 1}.jpg`)).toBeVisible()
})

test('focuses the item whose name is typed, even far away in a long folder', async ({ page, product, user }) => {
  const { release } = await openLongFolder(page, product, user)
  await tileOf(page, 'photo 0.jpg').focus()
  await page.keyboard.press('ControlOrMeta+End')
  await expect(tileOf(page, `photo ${COUNT - 1}.jpg`)).toBeFocused()
  await page.keyboard.type('photo 19999')
  await expect(tileOf(page, `photo ${COUNT - 1}.jpg`)).toBeFocused()
  // Letters typed after a pause start a new name. Its item is further up and has to be loaded first.
  await page.waitForTimeout(800)
  await page.keyboard.type('photo 700.')
  release()
  await expect(tileOf(page, 'photo 700.jpg')).toBeFocused({ timeout: 30_000 })
})

test('does not request items that are only scrolled past', async ({ page, product, user }) => {
  const { offsets } = await openLongFolder(page, product, user)
  await page.evaluate(() => {
    for (let step = 1; step <= 40; step += 1) {
      window.scrollTo(0, (document.documentElement.scrollHeight * step) / 50)
      window.dispatchEvent(new Event('scroll'))
    }
  })
  const [first] = await readShown(page)
  expect(first?.index).toBeGreaterThan(COUNT / 2)
  // Two for the last place. A slow device may have shown one or two of the forty before it for long enough.
  expect(offsets.length).toBeLessThanOrEqual(4)
})
