import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, waitUntilQuiet } from './fixtures.ts'
import { makePng } from './sample-files.ts'
import { choose, tileOf } from './users.ts'

const photo = makePng(800, 600, [40, 120, 80])

function widthOf(page: Page, name: string): Promise<number> {
  return tileOf(page, name)
    .locator('img')
    .evaluate((image: HTMLImageElement) => image.naturalWidth)
}

test('shows a thumbnail in the tile of a picture, and an icon for a broken picture', async ({ page, user }) => {
  expect(user.id).toBeTruthy()
  await page.goto('/profile')
  await choose(page, 'Upload File', [
    { name: 'Miradouro.png', mimeType: 'image/png', buffer: photo },
    { name: 'Broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
    { name: 'Letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Inês') },
  ])
  await expect(tileOf(page, 'Miradouro.png').locator('img')).toBeVisible()
  expect(await widthOf(page, 'Miradouro.png')).toBeGreaterThan(200)
  await expect(tileOf(page, 'Miradouro.png').locator('img')).toHaveAttribute('alt', '')
  for (const name of ['Broken.jpg', 'Letter.txt']) {
    await expect(tileOf(page, name)).toBeVisible()
    await expect(tileOf(page, name).locator('img')).toHaveCount(0)
    await expect(tileOf(page, name).locator('svg').first()).toBeVisible()
  }
  await expectAccessible(page)
})

test('opens a picture whose thumbnail arrives during the double click', async ({ page, user }) => {
  await user.client.upload('Miradouro.png', new Uint8Array(photo))
  const arrival = Promise.withResolvers<void>()
  await page.route('**/thumbnail/**', async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.goto('/profile')
  const tile = tileOf(page, 'Miradouro.png')
  const sheet = await tile.locator('svg').first().boundingBox()
  if (!sheet) throw new Error('The tile shows no type.')
  await page.mouse.click(sheet.x + sheet.width / 2, sheet.y + sheet.height / 2)
  await page.mouse.down({ clickCount: 2 })
  arrival.resolve()
  await expect(tile.locator('img')).toBeVisible()
  await page.mouse.up({ clickCount: 2 })
  await expect(page.getByRole('dialog', { name: 'Preview of Miradouro.png' })).toBeVisible()
})

test('requests each thumbnail once, and skips items that are only scrolled past', async ({ page, user }) => {
  const names = Array.from({ length: 120 }, (_, index) => `${String(index).padStart(3, '0')}.png`)
  for (const [index, name] of names.entries())
    await user.client.upload(name, new Uint8Array(makePng(40, 30, [index, 99, 200])))
  const requested: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/thumbnail/')) requested.push(request.url())
  })
  await page.goto('/profile')
  await expect(tileOf(page, '000.png').locator('img')).toBeVisible()
  await waitUntilQuiet(page)
  const before = requested.length
  // Renders the middle once on the way. One call does all of it, because two calls may be far apart on a busy machine.
  await page.evaluate(async () => {
    window.scrollTo(0, document.documentElement.scrollHeight / 2)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    window.scrollTo(0, document.documentElement.scrollHeight)
  })
  await expect(tileOf(page, '119.png').locator('img')).toBeVisible()
  await waitUntilQuiet(page)
  // The middle of the list was only scrolled past.
  expect(requested.length - before).toBeLessThan(60)
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(tileOf(page, '000.png').locator('img')).toBeVisible()
  expect(new Set(requested).size).toBe(requested.length)
})
