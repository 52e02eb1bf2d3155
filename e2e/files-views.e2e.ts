import { createFolder } from '@alcove/contract/files'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test } from './fixtures.ts'
import { chooseView, tileOf } from './users.ts'

/** Returns the row of an item in the list view. */
function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row', { name: new RegExp(`^${name.replace(/[.]/g, '\\$&')}, `) })
}

/** Returns the names of the selected items, in order. */
async function selectedNames(page: Page): Promise<string[]> {
  const labels = await page
    .locator('[role="grid"] [aria-selected="true"]')
    .evaluateAll((cells) => cells.map((cell) => cell.ariaLabel?.split(',')[0] ?? ''))
  return labels
}

async function expectSelected(page: Page, ...names: string[]): Promise<void> {
  await expect.poll(() => selectedNames(page)).toEqual(names)
}

/** The position of a click on the name of a tile, away from its buttons. */
const onName = { position: { x: 90, y: 12 } }

async function fillFolder(product: Product, user: TestUser, count: number): Promise<string> {
  const folder = (await user.client.call(createFolder, { folderName: 'Large' })).body
  await user.client.upload('zebra', 'x', { folderId: folder.id })
  const { media: _computed, ...seed } = await product.services.db
    .selectFrom('items')
    .selectAll()
    .where('parent_id', '=', folder.id)
    .executeTakeFirstOrThrow()
  for (let start = 0; start < count; start += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => {
      const number = start + index
      const name = `photo ${number}.jpg`
      const sortKey = `photo ${String(number).length}${number}.jpg`
      return { ...seed, id: crypto.randomUUID(), name, sort_key: sortKey, size: number }
    })
    await product.services.db.insertInto('items').values(rows).execute()
    await product.services.db
      .updateTable('users')
      .set((eb) => ({ item_count: eb('item_count', '+', rows.length) }))
      .where('id', '=', user.id)
      .execute()
  }
  return folder.id
}

async function createSampleItems(user: TestUser): Promise<void> {
  for (const folderName of ['Alfama', 'Belém']) await user.client.call(createFolder, { folderName })
  for (const [name, size] of [
    ['a.txt', 30],
    ['b.txt', 10],
    ['c.txt', 20],
    ['d.txt', 40],
  ] as const)
    await user.client.upload(name, 'x'.repeat(size))
}

for (const view of ['Grid', 'List'] as const) {
  test(`selects items with the mouse and the keyboard in the ${view.toLowerCase()} view`, async ({ page, user }) => {
    await createSampleItems(user)
    await page.goto('/profile')
    await chooseView(page, view)
    const item = (name: string) => (view === 'Grid' ? tileOf(page, name) : rowOf(page, name))

    await item('a.txt').click(onName)
    await expectSelected(page, 'a.txt')
    await item('c.txt').click({ ...onName, modifiers: ['ControlOrMeta'] })
    await expectSelected(page, 'a.txt', 'c.txt')
    await item('d.txt').click({ ...onName, modifiers: ['Shift'] })
    await expectSelected(page, 'c.txt', 'd.txt')
    await item('Alfama').hover()
    await page.getByRole('checkbox', { name: 'Select Alfama' }).click()
    await expectSelected(page, 'Alfama', 'c.txt', 'd.txt')
    await item('Belém').click({ ...onName, button: 'right' })
    await expectSelected(page, 'Belém')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(item('Belém')).toBeFocused()

    await page.keyboard.press('ArrowRight')
    await expectSelected(page, 'a.txt')
    await page.keyboard.press('Shift+ArrowRight')
    await expectSelected(page, 'a.txt', 'b.txt')
    await page.keyboard.press('ControlOrMeta+ArrowRight')
    await expectSelected(page, 'a.txt', 'b.txt')
    await page.keyboard.press('Space')
    await expectSelected(page, 'a.txt', 'b.txt', 'c.txt')
    await page.keyboard.press('ControlOrMeta+a')
    await expect(page.getByRole('status').filter({ hasText: '6 items selected' })).toBeAttached()
    await page.keyboard.press('Space')
    await expect.poll(async () => (await selectedNames(page)).length).toBe(5)
    await page.keyboard.press('Escape')
    await expectSelected(page)

    await page.keyboard.type('be')
    await expect(item('Belém')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('An empty shelf')).toBeVisible()
    await page.keyboard.press('Alt+ArrowUp')
    await expect(item('Belém')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await expect(page.getByLabel('File Name')).toHaveValue('a')
    await expect(page.getByLabel('File Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(item('a.txt')).toBeFocused()
    await item('Alfama').dblclick(onName)
    await expect(page.getByText('An empty shelf')).toBeVisible()
  })
}

test('closes a menu with a key that is pressed in the moment it opens', async ({ page, user }) => {
  await createSampleItems(user)
  await page.goto('/profile')
  const opened = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector('[role="menu"]')) return
          observer.disconnect()
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
          resolve()
        }).observe(document.body, { childList: true, subtree: true })
      }),
  )
  await tileOf(page, 'a.txt').click({ ...onName, button: 'right' })
  await opened
  await expect(tileOf(page, 'a.txt')).toBeFocused()
  await expect(page.getByRole('menu')).toHaveCount(0)

  await page.getByRole('button', { name: 'More for this folder' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
})

test('selects items with a frame drawn with the mouse, and clears on a click in empty space', async ({
  page,
  user,
}) => {
  await createSampleItems(user)
  await page.goto('/profile')
  const [first, second] = [await tileOf(page, 'a.txt').boundingBox(), await tileOf(page, 'b.txt').boundingBox()]
  if (!first || !second) throw new Error('The tiles are not visible.')
  const below = first.y + first.height + 40
  await page.mouse.move(first.x + 20, below)
  await page.mouse.down()
  await page.mouse.move(second.x + 40, second.y + 60, { steps: 6 })
  await expectSelected(page, 'a.txt', 'b.txt')
  await page.mouse.up()
  await expectSelected(page, 'a.txt', 'b.txt')
  await page.mouse.click(first.x + 20, below)
  await expectSelected(page)
})

test('sorts the list by its column headers, and remembers the view and the order', async ({ page, user }) => {
  await createSampleItems(user)
  await page.goto('/profile')
  await chooseView(page, 'List')
  const size = page.getByRole('columnheader', { name: 'Size' })
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  const names = () =>
    page.locator('[role="row"][data-item-id]').evaluateAll((rows) => rows.map((row) => row.ariaLabel?.split(',')[0]))
  await size.getByRole('button').click()
  await expect.poll(names).toEqual(['Alfama', 'Belém', 'b.txt', 'c.txt', 'a.txt', 'd.txt'])
  await size.getByRole('button').click()
  await expect(size).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(names).toEqual(['Alfama', 'Belém', 'd.txt', 'a.txt', 'c.txt', 'b.txt'])
  await page.reload()
  await expect(size).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(names).toEqual(['Alfama', 'Belém', 'd.txt', 'a.txt', 'c.txt', 'b.txt'])
  await page.getByRole('button', { name: /^Sort by/ }).click()
  await page.getByRole('menuitemradio', { name: 'Name' }).click()
  await expect.poll(names).toEqual(['Belém', 'Alfama', 'd.txt', 'c.txt', 'b.txt', 'a.txt'])

  // A renamed item moves to its new position without another request.
  await rowOf(page, 'a.txt').click(onName)
  await page.keyboard.press('F2')
  await page.getByLabel('File Name').fill('cc')
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual(['Belém', 'Alfama', 'd.txt', 'cc.txt', 'c.txt', 'b.txt'])
})

test('renders few of 10,000 items, jumps to the end by key and restores the scroll position', async ({
  page,
  user,
  product,
}) => {
  const folderId = await fillFolder(product, user, 10_000)
  await page.goto(`/profile?folder=${folderId}`)
  await expect(tileOf(page, 'photo 0.jpg')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '10,001 items' })).toBeAttached()
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  const [initialHeight, cells] = [await height(), page.locator('[data-index]')]
  expect(initialHeight).toBeGreaterThan(300_000)

  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(tileOf(page, 'zebra')).toBeVisible()
  expect(await height()).toBe(initialHeight)
  expect(await cells.count()).toBeLessThan(150)

  await page.evaluate(() => window.scrollTo(0, 0))
  await tileOf(page, 'photo 0.jpg').click(onName)
  await page.keyboard.press('ControlOrMeta+End')
  await expect(tileOf(page, 'zebra')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('Shift+ControlOrMeta+End')
  await expect(page.getByRole('status').filter({ hasText: '10,001 items selected' })).toBeAttached()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('z')
  await expect(tileOf(page, 'zebra')).toBeFocused()
  const scrollTop = 200_000
  await page.evaluate((y) => window.scrollTo(0, y), scrollTop)
  const findVisibleIndex = () =>
    page.locator('[data-item-id]').evaluateAll((tiles) => {
      // Skips the active tile, which stays in the document even when it is out of view.
      const tile = tiles.find((each) => {
        const { top, bottom } = each.getBoundingClientRect()
        return top > 300 && bottom < window.innerHeight
      })
      return Number((tile as HTMLElement | undefined)?.dataset.index ?? 0)
    })
  await expect.poll(findVisibleIndex).toBeGreaterThan(1000)
  const index = await findVisibleIndex()
  const visibleTile = page.locator(`[data-item-id][data-index="${index}"]`)
  await expect(visibleTile).toBeInViewport()
  await page.reload()
  await expect(visibleTile).toBeInViewport()
  await page.getByRole('link', { name: 'Favorites' }).click()
  await expect(page.getByRole('heading', { name: 'Add Favorites' })).toBeVisible()
  await page.goBack()
  await expect(visibleTile).toBeInViewport()
  await expect.poll(async () => Math.abs((await page.evaluate(() => window.scrollY)) - scrollTop)).toBeLessThan(3)

  await chooseView(page, 'List')
  await expect(page.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(rowOf(page, 'zebra')).toBeVisible()
  expect(await cells.count()).toBeLessThan(150)
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('opens an item on tap, selects it on long press, and then toggles items on tap', async ({ page, user }) => {
    await createSampleItems(user)
    await page.goto('/profile')
    await tileOf(page, 'a.txt').scrollIntoViewIfNeeded()
    await longPress(page, tileOf(page, 'a.txt'))
    await expectSelected(page, 'a.txt')
    await tileOf(page, 'b.txt').tap(onName)
    await expectSelected(page, 'a.txt', 'b.txt')
    await page.getByRole('checkbox', { name: 'Select a.txt' }).tap()
    await expectSelected(page, 'b.txt')
    await expectAccessible(page)
    await tileOf(page, 'b.txt').tap(onName)
    await expectSelected(page)
    await tileOf(page, 'Alfama').tap(onName)
    await expect(page.getByText('An empty shelf')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

/** Presses an element with a finger long enough for a long press. */
async function longPress(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('The target is not visible.')
  const cdp = await page.context().newCDPSession(page)
  const touchPoints = [{ x: box.x + 60, y: box.y + 40 }]
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await page.waitForTimeout(700)
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

for (const scheme of ['light', 'dark'] as const) {
  for (const view of ['Grid', 'List'] as const) {
    test(`the ${view.toLowerCase()} view is accessible with a selection in the ${scheme} scheme, also at 360 px`, async ({
      page,
      user,
    }) => {
      await createSampleItems(user)
      await user.client.upload(`${'long name '.repeat(20)}.mp3`, 'x')
      await user.client.upload('שלום.docx', 'x')
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.goto('/profile')
      await chooseView(page, view)
      const item = (name: string) => (view === 'Grid' ? tileOf(page, name) : rowOf(page, name))
      await item('a.txt').click(onName)
      await item('Alfama').click({ ...onName, modifiers: ['ControlOrMeta'] })
      await expectAccessible(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    })
  }
}

test('keeps a shortened name findable as one text, and aligns right-to-left names with others', async ({
  page,
  user,
}) => {
  const name = 'Costa da Caparica in the summer of 2024 with everyone.jpg'
  const others = ['a.txt', 'תמונות.txt']
  for (const each of [name, ...others]) await user.client.upload(each, 'x')
  await page.goto('/profile')
  // What the page shows before it has started is replaced as a whole, so its elements can't be measured.
  await expect(page.locator('#first-look')).toHaveCount(0)
  const text = page.getByText(name, { exact: true })
  await expect(text).toBeVisible()
  const [shown, needed] = await text.evaluate((element) => [element.clientWidth, element.scrollWidth])
  expect(shown).toBeLessThan(needed as number)
  expect(await text.evaluate((element) => element.childNodes.length)).toBe(1)
  const find = (what: string) =>
    page.evaluate((wanted) => (window as never as { find(text: string): boolean }).find(wanted), what)
  expect(await find(name)).toBe(true)
  // The distance of each name from the left edge of its tile.
  const indents = await Promise.all(
    others.map(async (each) => {
      const tile = page.getByRole('gridcell', { name: each })
      const [outer, inner] = await Promise.all([
        tile.boundingBox(),
        page.getByText(each, { exact: true }).boundingBox(),
      ])
      return Math.round((inner?.x ?? 0) - (outer?.x ?? 0))
    }),
  )
  expect(indents[0]).toBe(indents[1])
})

test('clears the selection and updates the item count of a folder after going back from it', async ({ page, user }) => {
  const { id } = (await user.client.call(createFolder, { folderName: 'Trips' })).body
  await user.client.upload('a.txt', 'x', { folderId: id })
  await page.goto('/profile')
  const tile = page.getByRole('gridcell', { name: /^Trips, 1 item, / })
  await tile.dblclick()
  await expect(page).toHaveURL(/folder=/)
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await page.getByLabel('Folder Name').fill('Lisbon')
  await page.keyboard.press('Enter')
  await expect(tileOf(page, 'Lisbon')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('gridcell', { name: /^Trips, 2 items, / })).toBeVisible()
  await expect(page.locator('[aria-selected="true"]')).toHaveCount(0)
})

test('does not cover the text of a folder tile with the buttons shown on hover', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Spring in Lisbon with everyone' })
  await page.goto('/profile')
  const tile = tileOf(page, 'Spring in Lisbon with everyone')
  await tile.hover()
  const buttons = tile.getByRole('button')
  await expect(buttons.first()).toBeVisible()
  const label = await tile.getByText('Empty').boundingBox()
  const icons = await buttons.locator('svg').filter({ visible: true }).all()
  const boxes = await Promise.all(icons.map((icon) => icon.boundingBox()))
  expect(boxes.length).toBeGreaterThan(1)
  for (const box of boxes) {
    if (!box || !label) throw new Error('The icon or the label is not visible.')
    const isBeside = box.x >= label.x + label.width || box.x + box.width <= label.x
    const isAboveOrBelow = box.y >= label.y + label.height || box.y + box.height <= label.y
    expect(isBeside || isAboveOrBelow, JSON.stringify({ box, label })).toBe(true)
  }
})
