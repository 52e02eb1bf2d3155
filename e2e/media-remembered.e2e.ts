import { trashFile } from '@alcove/contract/files'
import type { Page } from '@playwright/test'
import { expect, test, waitUntilQuiet } from './fixtures.ts'
import { bar, names, player, queue, seconds, storeMusic, track } from './media-screen.ts'

/** Plays the first track and pauses it, so that the player remembers it. */
async function rememberTrack(page: Page): Promise<void> {
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.getByRole('link', { name: 'Favorites' }).click()
  await bar(page).getByRole('button', { name: 'Pause' }).click()
  await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
}

/** Records every layout shift of the page from its first paint on. */
async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { layoutShifts: [] })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & { value: number; sources: { node?: Element }[] }
        const moved = shift.sources.map(({ node }) => node?.closest('[class]')?.className)
        ;(window as unknown as { layoutShifts: unknown[] }).layoutShifts.push({ by: shift.value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

const layoutShifts = (page: Page) =>
  page.evaluate(() => (window as unknown as { layoutShifts: unknown[] }).layoutShifts)

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1440, height: 900 }],
] as const) {
  test(`shows a remembered song without layout shifts and fetches no audio before Play on a ${device}`, async ({
    page,
    paidUser,
  }) => {
    await storeMusic(paidUser)
    await rememberTrack(page)
    await page.setViewportSize(viewport)
    await recordLayoutShifts(page)
    const media: string[] = []
    page.on('request', (request) => {
      if (/\/api\/(stream|stream-url|playback|files?\/.*\/content)/.test(request.url())) media.push(request.url())
      else if (request.resourceType() === 'media') media.push(request.url())
    })
    for (const path of ['/profile', '/favorites', '/trash', '/music']) {
      await page.goto(path)
      const place = path === '/music' ? player(page) : bar(page)
      await expect(place.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
      if (path === '/music') await expect(queue(page).getByRole('listitem')).toHaveCount(4)
      await waitUntilQuiet(page)
      expect(media, path).toEqual([])
      expect(await layoutShifts(page), path).toEqual([])
    }
    await player(page).getByRole('button', { name: 'Play', exact: true }).click()
    await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
    expect(media.length).toBeGreaterThan(0)
  })
}

test('keeps the seek and volume sliders visible and usable in forced colors mode', async ({ page, paidUser }) => {
  await storeMusic(paidUser)
  await page.emulateMedia({ forcedColors: 'active' })
  await rememberTrack(page)
  await page.goto('/music')
  await player(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await player(page).getByRole('button', { name: 'Pause' }).click()
  for (const name of ['Seek', 'Volume']) {
    const slider = player(page).getByRole('slider', { name })
    const painted = await slider.evaluate((thumb) => {
      const track = thumb.parentElement?.querySelector('[class*="Slider-bar"]') as HTMLElement
      const canvas = getComputedStyle(document.body).backgroundColor
      return { canvas, thumb: getComputedStyle(thumb).backgroundColor, bar: getComputedStyle(track).backgroundColor }
    })
    expect(painted.thumb).not.toBe(painted.canvas)
    expect(painted.bar).not.toBe(painted.canvas)
    const before = await slider.getAttribute('aria-valuenow')
    await slider.focus()
    await page.keyboard.press(name === 'Volume' ? 'ArrowLeft' : 'ArrowRight')
    await expect(slider).not.toHaveAttribute('aria-valuenow', before ?? '')
  }
})

test('limits every animation to one millisecond when reduced motion is preferred', async ({ page, paidUser }) => {
  await storeMusic(paidUser)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of ['/profile', '/music', '/vault', '/account']) {
    await page.goto(path)
    await expect(page.getByRole('main')).not.toBeEmpty()
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((element) =>
        [undefined, '::before', '::after'].flatMap((pseudo) => {
          const style = getComputedStyle(element, pseudo)
          const longest = Math.max(
            ...`${style.transitionDuration}, ${style.animationDuration}`
              .split(', ')
              .map((time) => Number.parseFloat(time)),
          )
          return longest > 0.001 ? [`${element.tagName}.${element.className} ${pseudo ?? ''} ${longest}`] : []
        }),
      ),
    )
    expect(moving, path).toEqual([])
  }
})

test('resumes the same song after a reload when other songs were added and trashed', async ({ page, paidUser }) => {
  const ids = await storeMusic(paidUser)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await track(page, names[2] as string).dblclick()
  await expect(player(page)).toContainText('3/4')
  await expect.poll(() => seconds(player(page))).toBeGreaterThan(1)
  await player(page).getByRole('button', { name: 'Pause' }).click()
  await page.goto('about:blank')
  await paidUser.client.call(trashFile, { id: ids[0] as string })
  await paidUser.client.call(trashFile, { id: ids[1] as string })
  await page.goto('/music')
  await expect(player(page)).toContainText('1/2')
  await expect(player(page)).toContainText(names[2] as string)
  expect(await seconds(player(page))).toBeGreaterThan(1)
})

test('keeps the player of a tab that sounds when another tab closes its own', async ({ page, context, paidUser }) => {
  await storeMusic(paidUser)
  await rememberTrack(page)
  await bar(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect(bar(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/favorites')
  await bar(other).getByRole('button', { name: 'Close the player' }).click()
  await expect(bar(other)).toBeHidden()
  // The tab that sounds remembers the next track, which the other one must not show.
  await bar(page).getByRole('button', { name: 'Next' }).click()
  await expect(bar(page)).toContainText(names[1] as string)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('player'))).toBe('yes')
  await expect(bar(other)).toBeHidden()
  await bar(page).getByRole('button', { name: 'Close the player' }).click()
  await expect(bar(page)).toBeHidden()
})
