import { createFolder } from '@alcove/contract/files'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test, waitUntilQuiet } from './fixtures.ts'
import { makePng } from './sample-files.ts'
import { tileOf } from './users.ts'

const SCREENS = [
  '',
  'profile',
  'vault',
  'favorites',
  'trash',
  'shared-links',
  'shared-with-me',
  'music',
  'video',
  'account',
  'subscriptions',
  'login',
]

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

for (const { device, width, height, fontSize } of [
  { device: 'a phone 320 px wide', width: 320, height: 640, fontSize: 16 },
  { device: 'a phone in landscape', width: 844, height: 390, fontSize: 16 },
  { device: 'a phone with text at twice its size', width: 390, height: 844, fontSize: 32 },
]) {
  test.describe(device, () => {
    test.use({ viewport: { width, height }, hasTouch: true, isMobile: true })

    test('fits every page to the screen width', async ({ page, paidUser }) => {
      test.slow() // visits twelve screens
      await paidUser.client.call(createFolder, { folderName: 'Spring in Lisbon with everyone' })
      await paidUser.client.upload('A long name of a picture that goes on.png', makePng(80, 60, [220, 150, 80]))
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: fontSize } })
      for (const screen of SCREENS) {
        await page.goto(`/${screen}`)
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
        await waitUntilQuiet(page)
        expect(await widthOf(page), `/${screen}`).toBe(width)
      }
    })
  })
}

test('keeps the beginning of a long name in large text on a narrow tile', async ({ page, user }) => {
  const name = 'A long name of a picture that goes on.png'
  await user.client.upload(name, makePng(80, 60, [220, 150, 80]))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/profile')
  const shown = tileOf(page, name).locator('bdi').first()
  await expect(shown).toHaveAttribute('data-shortened', '')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await page.reload()
  await expect(shown).toBeVisible()
  await expect(shown).not.toHaveAttribute('data-shortened')
})

test.describe('a phone in landscape', () => {
  test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true })

  test('shows the files of the vault without scrolling', async ({ page, paidUser: _ }) => {
    await page.goto('/vault')
    await expect(page.getByText('Current Folder: Root')).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  test('shows the first items of a folder without scrolling', async ({ page, user }) => {
    await user.client.call(createFolder, { folderName: 'Trips' })
    await page.goto('/profile')
    await expect(tileOf(page, 'Trips')).toBeInViewport({ ratio: 1 })
  })
})

for (const width of [390, 700]) {
  test(`the buttons of a folder leave its name in view, with a mouse in a window ${width} px wide`, async ({
    page,
    user,
  }) => {
    await user.client.call(createFolder, { folderName: 'Trip' })
    await page.setViewportSize({ width, height: 700 })
    await page.goto('/profile')
    const tile = tileOf(page, 'Trip')
    await tile.hover()
    const name = await tile.getByText('Trip', { exact: true }).boundingBox()
    const button = await tile.getByRole('button', { name: 'More actions for Trip' }).boundingBox()
    if (!name || !button) throw new Error('The name or the button is hidden.')
    expect(name.width).toBeGreaterThan(20)
    const hasRename = await tile.getByRole('button', { name: 'Rename Trip' }).isVisible()
    expect(hasRename).toBe(width === 700)
    expect(name.x + name.width).toBeLessThanOrEqual(button.x)
  })
}

for (const width of [360, 580, 720, 1000, 1280]) {
  test(`a double click in the middle of a tile opens it in a window ${width} px wide`, async ({ page, user }) => {
    await user.client.call(createFolder, { folderName: 'Trip' })
    await user.client.upload('plan.txt', 'Seven days in Lisbon')
    await page.setViewportSize({ width, height: 700 })
    await page.goto('/profile')
    await tileOf(page, 'plan.txt').dblclick()
    await expect(page.getByText('Seven days in Lisbon')).toBeVisible()
    await page.keyboard.press('Escape')
    await tileOf(page, 'Trip').dblclick()
    await expect(page).toHaveURL(/folder=/)
  })
}
