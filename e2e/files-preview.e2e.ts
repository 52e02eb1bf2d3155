import { listFavorites } from '@alcove/contract/favorites'
import { listTrash } from '@alcove/contract/trash'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makePdf, makePng, makeWav, smallJpeg } from './sample-files.ts'
import { tileOf } from './users.ts'

const previewOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name: `Preview of ${name}` })

async function openPreview(page: Page, name: string): Promise<Locator> {
  await tileOf(page, name).dblclick()
  const preview = previewOf(page, name)
  await expect(preview).toBeVisible()
  return preview
}

/** Returns whether the browser has loaded and decoded a picture. */
const isDrawn = (picture: Locator) =>
  picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

test('covers the page, which is where it was afterwards', async ({ page, user }) => {
  for (let number = 10; number < 40; number++) await user.client.upload(`${number}.txt`, 'the text of a file')
  await page.goto('/profile')
  const tile = tileOf(page, '35.txt')
  await expect(tileOf(page, '10.txt')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(tile).toBeInViewport()
  const readPlace = () =>
    tile.evaluate((element) => [window.scrollY, ...Object.values(element.getBoundingClientRect().toJSON())])
  const before = await readPlace()
  expect(before[0]).toBeGreaterThan(0)
  await tile.dblclick()
  const preview = page.getByRole('dialog', { name: 'Preview of 35.txt' })
  await expect(preview.getByText('the text of a file')).toBeVisible()
  await expect(page.getByText('Your Storage Usage')).toBeHidden()
  await page.keyboard.press('Control+a')
  const selected = await page.evaluate(() => String(window.getSelection()))
  expect(selected).toContain('the text of a file')
  expect(selected).not.toContain('Your Storage Usage')
  await page.keyboard.press('PageDown')
  await page.mouse.wheel(0, 2000)
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await expect(page.getByText('Your Storage Usage')).toBeVisible()
  expect(await readPlace()).toEqual(before)
})

test('moves between pictures by keyboard, mouse and filmstrip, and closes with Escape or Back', async ({
  page,
  user,
}) => {
  for (const [index, name] of ['1.png', '2.png', '3.png'].entries()) {
    await user.client.upload(name, makePng(800, 500, [80 * index, 120, 90]))
  }
  await user.client.upload('4.jpg', smallJpeg)
  await user.client.upload('letter.docx', 'x')
  await page.goto('/profile')
  await openPreview(page, '2.png')
  await expect(page.getByText('2 of 4', { exact: true })).toBeVisible()
  await expect.poll(() => isDrawn(page.getByRole('img', { name: '2.png' }))).toBe(true)
  await expect(page).toHaveURL(/preview=[0-9a-f-]{36}$/)
  await expectAccessible(page)

  await page.keyboard.press('ArrowRight')
  await expect(previewOf(page, '3.png')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => isDrawn(page.getByRole('img', { name: '4.jpg' }))).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect(previewOf(page, '4.jpg')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(previewOf(page, '1.png')).toBeVisible()
  await page.getByRole('group', { name: 'Pictures' }).getByRole('button', { name: '3.png' }).click()
  await expect(previewOf(page, '3.png')).toBeVisible()

  // Tab keeps the focus inside the dialog.
  for (let step = 0; step < 14; step += 1) {
    await page.keyboard.press('Tab')
    await expect(previewOf(page, '3.png').locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/profile$/)
  await expect(tileOf(page, '3.png')).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(previewOf(page, '3.png')).toBeVisible()
  await expect(page).toHaveURL(/preview=/)
  await page.reload()
  await expect(previewOf(page, '3.png')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(tileOf(page, '3.png')).toBeVisible()
})

test('does not lose a second ArrowRight pressed while the URL is being updated', async ({ page, user }) => {
  const picture = makePng(80, 50, [20, 120, 90])
  for (const name of ['1.png', '2.png']) await user.client.upload(name, picture)
  const { id } = await user.client.upload('3.png', picture)
  await page.goto('/profile')
  await openPreview(page, '1.png')
  await page.evaluate(() => {
    const replaceState = history.replaceState
    history.replaceState = (...change) => {
      history.replaceState = replaceState
      history.replaceState(...change)
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
    }
  })
  await page.keyboard.press('ArrowRight')
  await expect(previewOf(page, '3.png')).toBeVisible()
  await expect(page).toHaveURL(`/profile?preview=${id}`)
  await page.reload()
  await expect(previewOf(page, '3.png')).toBeVisible()
})

test('zooms, pans and rotates a picture', async ({ page, user }) => {
  await user.client.upload('wide.png', makePng(3000, 1000, [20, 90, 70]))
  await page.goto('/profile')
  await openPreview(page, 'wide.png')
  const picture = page.getByRole('img', { name: 'wide.png' })
  await expect.poll(() => isDrawn(picture)).toBe(true)
  const width = async () => (await picture.boundingBox())?.width ?? 0
  const fitted = await width()
  expect(fitted).toBeLessThan(1440)
  await page.mouse.move(500, 400)
  await page.mouse.wheel(0, -400)
  await expect.poll(width).toBeGreaterThan(fitted * 1.5)
  const before = await picture.boundingBox()
  await page.mouse.down()
  await page.mouse.move(420, 400, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => (await picture.boundingBox())?.x).toBeLessThan((before?.x ?? 0) - 60)
  await page.keyboard.press('0')
  await expect.poll(width).toBeCloseTo(fitted, 0)
  await page.keyboard.press('+')
  await expect.poll(width).toBeGreaterThan(fitted * 1.2)
  await page.keyboard.press('r')
  await expect.poll(async () => ((await picture.boundingBox())?.height ?? 0) > (await width())).toBe(true)
})

test('adds a favorite, downloads a file and deletes it from the preview', async ({ page, user }) => {
  await user.client.upload('a.png', makePng(40, 30, [200, 90, 70]))
  await user.client.upload('b.png', makePng(40, 30, [20, 90, 70]))
  await page.goto('/profile')
  const preview = await openPreview(page, 'a.png')
  await preview.getByRole('button', { name: 'Favorite a.png' }).click()
  await expect(preview.getByRole('button', { name: 'Favorite a.png' })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await user.client.call(listFavorites, {})).body.length).toBe(1)
  const downloading = page.waitForEvent('download')
  await preview.getByRole('button', { name: 'Download a.png' }).click()
  expect((await downloading).suggestedFilename()).toBe('a.png')
  await preview.getByRole('button', { name: 'Delete a.png' }).click()
  await expect(page.getByText('Are you sure you want to delete this file?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(previewOf(page, 'b.png')).toBeVisible()
  expect((await user.client.call(listTrash, {})).body.files).toHaveLength(1)
})

test('shows a PDF, searches it and jumps to a page', async ({ page, user }) => {
  await user.client.upload('Book.pdf', makePdf(['One lamp', 'Two walls', 'Three Lamps'], 'https://example.com/'))
  await page.goto('/profile')
  const preview = await openPreview(page, 'Book.pdf')
  await expect(preview.getByText('One lamp')).toBeVisible()
  const link = preview.locator('a[href="https://example.com/"]')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await page.keyboard.press('Control+f')
  await page.getByRole('searchbox', { name: 'Search in this file' }).fill('LAMP')
  await expect(preview.getByText('1 of 2', { exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(preview.getByText('2 of 2', { exact: true })).toBeVisible()
  await expect(preview.getByText('Three Lamps')).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(preview).toBeVisible()
  await preview.getByRole('textbox', { name: 'Page, of 3' }).fill('1')
  await page.keyboard.press('Enter')
  await expect(preview.getByText('One lamp')).toBeInViewport()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('does not scroll a PDF back to a search result after the user has moved on', async ({ page, user }) => {
  await user.client.upload('Long.pdf', makePdf(['One lamp', ...Array.from({ length: 11 }, (_, i) => `Page ${i + 2}`)]))
  await page.goto('/profile')
  const preview = await openPreview(page, 'Long.pdf')
  await expect(preview.getByText('One lamp')).toBeVisible()
  await page.keyboard.press('Control+f')
  await page.getByRole('searchbox', { name: 'Search in this file' }).fill('lamp')
  await expect(preview.getByText('1 of 1', { exact: true })).toBeVisible()
  await preview.getByRole('textbox', { name: 'Page, of 12' }).fill('2')
  await page.keyboard.press('Enter')
  await expect(preview.getByText('Page 3')).toBeAttached()
  await expect(preview.getByText('Page 2')).toBeInViewport()
  await preview.getByRole('textbox', { name: 'Page, of 12' }).fill('9')
  await page.keyboard.press('Enter')
  await expect(preview.getByText('Page 9')).toBeInViewport()
  await page.getByRole('searchbox', { name: 'Search in this file' }).press('Enter')
  await expect(preview.getByText('One lamp')).toBeInViewport()
})

test('previews audio, text, code, HTML and Markdown without running scripts', async ({ page, user }) => {
  await user.client.upload('tone.wav', makeWav(2))
  await user.client.upload('notes.md', '# Notes\n\n**bold** <img src=x onerror="window.wasRun = true">\n')
  await user.client.upload('main.ts', 'const answer = 42 // why\n')
  await user.client.upload('page.html', '<h1>Hi</h1><script>window.wasRun = true</script>')
  await user.client.upload('long.txt', `${'A line of text.\n'.repeat(80_000)}the end`)
  await page.goto('/profile')
  const sound = await openPreview(page, 'tone.wav')
  await expect.poll(() => sound.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(2)
  await page.keyboard.press('Escape')

  const notes = await openPreview(page, 'notes.md')
  await expect(notes.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible()
  await expectAccessible(page)
  await notes.getByRole('button', { name: 'Source' }).click()
  await expect(notes.getByText('# Notes')).toBeVisible()
  await page.keyboard.press('Escape')

  const code = await openPreview(page, 'main.ts')
  await expect(code.locator('.hljs-keyword')).toHaveText('const')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  const html = await openPreview(page, 'page.html')
  await expect(html.getByText('<h1>Hi</h1>')).toBeVisible()
  await page.keyboard.press('Escape')

  const long = await openPreview(page, 'long.txt')
  await expect(long.getByText('These are the first 1 MB of 1.2 MB.')).toBeAttached()
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
})

test('shows a message for files without a preview, and runs no script in an SVG', async ({ page, user }) => {
  const hostile =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="parent.wasRun=1"><script>wasRun=1</script></svg>'
  await user.client.upload('drawing.svg', hostile)
  await user.client.upload('letter.docx', 'x')
  await user.client.upload('broken.png', 'no picture')
  await user.client.upload('broken.pdf', 'no pages')
  await user.client.upload('old.avi', 'no film')
  await page.goto('/profile')
  await openPreview(page, 'drawing.svg')
  await expect.poll(() => isDrawn(page.getByRole('img', { name: 'drawing.svg' }))).toBe(true)
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false)
  await page.keyboard.press('Escape')

  const letter = await openPreview(page, 'letter.docx')
  await expect(letter.getByText('Preview not available for this file type.')).toBeVisible()
  await expectAccessible(page)
  const downloading = page.waitForEvent('download')
  await letter.getByRole('button', { name: 'Download', exact: true }).click()
  await downloading
  await page.keyboard.press('Escape')

  for (const name of ['broken.png', 'broken.pdf', 'old.avi']) {
    const preview = await openPreview(page, name)
    await expect(preview.getByText(/cannot be shown|cannot play/)).toBeVisible()
    await expect(preview.getByRole('button', { name: 'Download', exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('retries a preview that failed to load', async ({ page, user }) => {
  await user.client.upload('a.txt', 'Dear reader')
  await page.goto('/profile')
  await page.route('**/api/download-url/**', (route) => route.abort())
  const preview = await openPreview(page, 'a.txt')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to preview file.' })).toBeVisible()
  await page.unroute('**/api/download-url/**')
  await preview.getByRole('button', { name: 'Retry' }).click()
  await expect(preview.getByText('Dear reader')).toBeVisible()
})

test('requests a new URL when the URL of a picture expires early', async ({ page, user, product }) => {
  await user.client.upload('1.png', makePng(600, 400, [200, 90, 70]))
  await page.goto('/profile')
  let expiredUrl: string | undefined
  await page.route('**/api/download-item/**', (route) => {
    expiredUrl ??= route.request().url()
    if (route.request().url() !== expiredUrl) return route.continue()
    // The next URL differs only if the clock has moved.
    product.clock.advance(1)
    return route.fulfill({ status: 403, json: { error: 'It has ended.', message: 'It has ended.', code: 'forbidden' } })
  })
  await openPreview(page, '1.png')
  await expect.poll(() => isDrawn(page.getByRole('img', { name: '1.png' }))).toBe(true)
  expect(expiredUrl).toBeDefined()
})

test.describe('on a phone in the dark scheme', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })

  test('swipes between pictures, zooms with two fingers and offers the actions in a menu', async ({ page, user }) => {
    for (const name of ['1.png', '2.png']) await user.client.upload(name, makePng(600, 400, [200, 90, 70]))
    await page.goto('/profile')
    await tileOf(page, '1.png').getByRole('button', { name: 'More actions for 1.png' }).tap()
    await page.getByText('Preview', { exact: true }).tap()
    const first = previewOf(page, '1.png')
    await expect.poll(() => isDrawn(page.getByRole('img', { name: '1.png' }))).toBe(true)
    await expect(first.getByText('· 1 of 2')).toBeVisible()
    await expectAccessible(page)
    await touch(page, [[300, 300]], [[90, 304]])
    await expect(previewOf(page, '2.png')).toBeVisible()
    await expect.poll(() => isDrawn(page.getByRole('img', { name: '2.png' }))).toBe(true)

    const picture = page.getByRole('img', { name: '2.png' })
    const fitted = (await picture.boundingBox())?.width ?? 0
    await touch(
      page,
      [
        [170, 300],
        [190, 300],
      ],
      [
        [80, 300],
        [280, 300],
      ],
    )
    await expect.poll(async () => (await picture.boundingBox())?.width ?? 0).toBeGreaterThan(fitted * 2)
    // A swipe on a zoomed picture pans it instead of opening another one.
    await touch(page, [[100, 300]], [[300, 300]])
    await expect(previewOf(page, '2.png')).toBeVisible()

    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Add to Favorites' }).tap()
    await expect(page.getByText('Added to favorites')).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).tap()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

type Point = readonly [x: number, y: number]

/** Moves one or more fingers from their start points to their end points. */
async function touch(page: Page, from: readonly Point[], to: readonly Point[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
  await send('touchStart', from)
  for (let step = 1; step <= 6; step += 1) {
    const between = from.map(([x, y], index) => {
      const [toX, toY] = to[index] ?? [x, y]
      return [x + ((toX - x) * step) / 6, y + ((toY - y) * step) / 6] as const
    })
    await send('touchMove', between)
  }
  // Resting the finger before lifting it prevents a fling. During a fling, the next tap would only stop it.
  await page.waitForTimeout(200)
  await send('touchMove', to)
  await send('touchEnd', [])
  await session.detach()
}
