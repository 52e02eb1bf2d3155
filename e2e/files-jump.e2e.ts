import { createFolder } from '@alcove/contract/files'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, type Product, test } from './fixtures.ts'
import { tileOf } from './users.ts'

const COUNT = 20_000

/** Opens a long folder of which nothing but the first page comes one after the other, until `release` is called. */
async function openLongFolder(page: Page, product: Product, user: TestUser) {
  const { id: folderId } = (await user.client.call(createFolder, { folderName: 'Long' })).body
  const names = Array.from({ length: COUNT }, (_one, number) => `photo ${number}.jpg`)
  await addManyItems(product.services, { ownerId: user.id, folderId, names })
  const held = Promise.withResolvers<void>()
  const looks: number[] = []
  await page.route(/\/api\/items\?/, async (route) => {
    const { searchParams } = new URL(route.request().url())
    const offset = searchParams.get('offset')
    if (offset !== null) looks.push(Number(offset))
    if (searchParams.has('cursor')) await held.promise
    // What is no longer wanted may have been given up meanwhile.
    await route.continue().catch(() => {})
  })
  await page.goto(`/profile?folder=${folderId}`)
  await expect(tileOf(page, 'photo 0.jpg')).toBeVisible()
  return { looks, release: () => held.resolve() }
}

const scrollTo = (page: Page, part: number) =>
  page.evaluate((share) => window.scrollTo(0, document.documentElement.scrollHeight * share), part)

interface Shown {
  readonly index: number
  readonly name: string
}

/** Waits until everything drawn is there, and gives what is in view: its place in the list, and its name. */
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

test('a place far down a long folder shows at once, and what is there can be used', async ({ page, product, user }) => {
  const { looks, release } = await openLongFolder(page, product, user)
  await scrollTo(page, 0.5)
  const shown = await readShown(page)
  expect(shown[0]?.index).toBeGreaterThan(COUNT / 3)
  expect(shown).toEqual(shown.map(({ index }) => ({ index, name: `photo ${index}.jpg` })))
  expect(looks).toHaveLength(1)

  const [first, second, third] = shown as [Shown, Shown, Shown]
  const onName = { position: { x: 90, y: 12 } }
  await tileOf(page, first.name).click(onName)
  await tileOf(page, third.name).click({ ...onName, modifiers: ['Shift'] })
  await expect(page.getByRole('status').filter({ hasText: '3 items selected' })).toBeAttached()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  for (const { name } of [first, second, third]) await expect(tileOf(page, name)).toHaveCount(0)
  // While it fades, keys are the dialog's.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const after = await readShown(page)
  expect(after.find(({ index }) => index === first.index)?.name).toBe(`photo ${third.index + 1}.jpg`)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('status').filter({ hasText: '19,997 items selected' })).toBeAttached()
  await page.keyboard.press('Escape')

  // All that lies between comes in the end, each item once: a range is made of their names.
  release()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('Shift+ControlOrMeta+End')
  await expect(page.getByRole('status').filter({ hasText: '19,997 items selected' })).toBeAttached({ timeout: 30_000 })
  await expect(tileOf(page, `photo ${COUNT - 1}.jpg`)).toBeVisible()
})

test('letters typed far down a long folder lead on from there', async ({ page, product, user }) => {
  const { release } = await openLongFolder(page, product, user)
  await tileOf(page, 'photo 0.jpg').focus()
  await page.keyboard.press('ControlOrMeta+End')
  await expect(tileOf(page, `photo ${COUNT - 1}.jpg`)).toBeFocused()
  await page.keyboard.type('photo 19999')
  await expect(tileOf(page, `photo ${COUNT - 1}.jpg`)).toBeFocused()
  // Later letters are another name; what stands further up has to be loaded for it.
  await page.waitForTimeout(800)
  await page.keyboard.type('photo 700.')
  release()
  await expect(tileOf(page, 'photo 700.jpg')).toBeFocused({ timeout: 30_000 })
})

test('places that are only scrolled past are not asked for', async ({ page, product, user }) => {
  const { looks } = await openLongFolder(page, product, user)
  await page.evaluate(() => {
    for (let step = 1; step <= 40; step += 1) {
      window.scrollTo(0, (document.documentElement.scrollHeight * step) / 50)
      window.dispatchEvent(new Event('scroll'))
    }
  })
  const [first] = await readShown(page)
  expect(first?.index).toBeGreaterThan(COUNT / 2)
  expect(looks.length).toBeLessThanOrEqual(2)
})
