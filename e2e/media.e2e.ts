import { addManyItems } from '@alcove/server/testing/factories/many-items'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { names, player, queue, queued, seconds, storeMusic, track } from './media-screen.ts'
import { drag } from './users.ts'

test('music plays, goes on to the next track and around, and is put in order', async ({ page, paidUser }) => {
  await storeMusic(paidUser)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(player(page)).toContainText('1/4')
  await expect(player(page)).toContainText('Aurora.wav')
  // Reached by a click, so the browser lets it begin by itself.
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => seconds(player(page))).toBeGreaterThan(0)
  await expect(track(page, 'Aurora.wav')).toHaveAttribute('aria-current', 'true')

  // Prev wraps to the last, whose end leads to the first again.
  await player(page).getByRole('button', { name: 'Prev' }).click()
  await expect(player(page)).toContainText('4/4')
  await expect(player(page).getByRole('slider', { name: 'Seek' })).toHaveAttribute('aria-valuemax', '30')
  await player(page).getByRole('slider', { name: 'Seek' }).focus()
  await page.keyboard.press('End')
  await expect(player(page)).toContainText('1/4')
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  // Next wraps to the first as well.
  await player(page).getByRole('button', { name: 'Prev' }).click()
  await expect(player(page)).toContainText('4/4')
  await player(page).getByRole('button', { name: 'Next' }).click()
  await expect(player(page)).toContainText('1/4')

  // The current track has no button to remove it; removing an earlier one moves the position down.
  await player(page).getByRole('button', { name: 'Next' }).click()
  await expect(player(page)).toContainText('2/4')
  await expect(queue(page).getByRole('button', { name: 'Remove Blue tiles.wav' })).toHaveCount(0)
  await queue(page).getByRole('button', { name: 'Remove Aurora.wav' }).click()
  await expect(player(page)).toContainText('1/3')
  await expect(player(page)).toContainText('Blue tiles.wav')
  await page.getByRole('button', { name: 'Add to Queue: Aurora.wav' }).click()
  expect(await queued(page)).toEqual([...names.slice(1), 'Aurora.wav'])

  // By keyboard, and with the mouse; the position stays with what is played.
  await queue(page).getByRole('button', { name: 'Move Aurora.wav', exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByRole('status').filter({ hasText: 'Moved to 3 of 4' })).toBeAttached()
  await expect(queue(page).getByRole('button', { name: 'Move Aurora.wav', exact: true })).toBeFocused()
  await drag(page, queue(page).getByRole('listitem').first(), queue(page).getByRole('listitem').last())
  await expect.poll(() => queued(page)).toEqual([names[2], 'Aurora.wav', names[3], names[1]])
  await expect(player(page)).toContainText('4/4')

  await player(page).getByRole('button', { name: 'Shuffle Off' }).click()
  await expect(player(page)).toContainText('1/4')
  await player(page).getByRole('button', { name: 'Shuffle On' }).click()
  await expect.poll(() => queued(page)).toEqual(names)
  await expect(player(page)).toContainText('1/4')
})

test('music goes on while files are browsed, and comes back after a reload', async ({ page, paidUser }) => {
  await storeMusic(paidUser)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await track(page, names[2] as string).dblclick()
  await expect(player(page)).toContainText('3/4')
  await player(page).getByRole('slider', { name: 'Seek' }).focus()
  for (let times = 0; times < 8; times++) await page.keyboard.press('ArrowRight')
  await page.getByRole('link', { name: 'Profile' }).click()
  const bar = page.getByRole('region', { name: 'Now playing' })
  await expect(bar).toContainText('Fado at Mesa de Frades.wav')
  await expect(bar.getByRole('button', { name: 'Pause' })).toBeVisible()
  await bar.getByRole('button', { name: 'Pause' }).click()
  await page.reload()
  await expect(bar).toContainText('Fado at Mesa de Frades.wav')
  await expect(bar.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await bar.getByRole('link').click()
  await expect(player(page)).toContainText('3/4')
  expect(await seconds(player(page))).toBeGreaterThan(5)
  await page.getByRole('link', { name: 'Favorites' }).click()
  await bar.getByRole('button', { name: 'Close the player' }).click()
  await expect(bar).toBeHidden()
})

test('each track is heard to its end, and the one behind it follows by itself', async ({ page, paidUser }) => {
  const ids = await storeMusic(paidUser, 3)
  const requested: string[] = []
  page.on('request', (request) => {
    const id = /stream-url\/([\w-]+)/.exec(request.url())?.[1]
    if (id) requested.push(id)
  })
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  for (const place of [1, 2, 3, 4, 1]) {
    await expect(player(page)).toContainText(`${place}/4`)
    await expect.poll(() => seconds(player(page))).toBeGreaterThan(0)
  }
  // Each has an address of its own, fetched ahead, and once.
  expect(requested.toSorted()).toEqual(ids.toSorted())
})

test('music that the browser does not let begin by itself waits for its button, with a warning alone', async ({
  page,
  paidUser,
}) => {
  await storeMusic(paidUser, 3)
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  await page.goto('/music')
  await expect.poll(() => warnings.join()).toContain('The browser did not start the music by itself')
  await expect(player(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await player(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(() => seconds(player(page))).toBeGreaterThan(0)
})

/** What the page plays sound with, and what it has the keys of the system do. */
async function watchPlayer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { audios: [] as HTMLAudioElement[], keys: new Map<string, (details: object) => void>() }
    Object.assign(window, { seen })
    const Original = window.Audio
    window.Audio = class extends Original {
      constructor() {
        super()
        seen.audios.push(this)
      }
    }
    const set = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession)
    navigator.mediaSession.setActionHandler = (action, handler) => {
      seen.keys.set(action, handler as (details: object) => void)
      set(action, handler)
    }
  })
}

interface Seen {
  readonly seen: { readonly audios: HTMLAudioElement[]; readonly keys: Map<string, (details: object) => void> }
}
const heard = (page: Page) =>
  page.evaluate(() => {
    const audio = (window as unknown as Seen).seen.audios.find(({ paused }) => !paused)
    return audio && { speed: audio.playbackRate, volume: audio.volume, isMuted: audio.muted, time: audio.currentTime }
  })
const pressKey = (page: Page, key: string, details = {}) =>
  page.evaluate(([name, given]) => (window as unknown as Seen).seen.keys.get(name)?.(given), [key, details] as const)

test('keys of the keyboard and of the system drive the player; speed, volume and repeat', async ({
  page,
  paidUser,
}) => {
  await watchPlayer(page)
  await storeMusic(paidUser)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  const pause = player(page).getByRole('button', { name: 'Pause' })
  await expect(pause).toBeVisible()
  await page.getByRole('heading', { name: 'All Tracks' }).click()
  await page.keyboard.press(' ')
  await expect(pause).toBeHidden()
  await page.keyboard.press('k')
  await expect(pause).toBeVisible()
  await page.keyboard.press('m')
  await expect.poll(async () => (await heard(page))?.isMuted).toBe(true)
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await heard(page))?.time).toBeGreaterThan(4.9)

  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(names[0])
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.artwork.length)).toBe(1)
  await pressKey(page, 'nexttrack')
  await expect(player(page)).toContainText('2/4')
  await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(names[1])
  await pressKey(page, 'previoustrack')
  await expect(player(page)).toContainText('1/4')
  await pressKey(page, 'seekto', { seekTime: 12 })
  await expect.poll(async () => (await heard(page))?.time).toBeGreaterThan(11.9)
  await pressKey(page, 'pause')
  await expect(pause).toBeHidden()
  await pressKey(page, 'play')
  await expect(pause).toBeVisible()

  await player(page).getByRole('button', { name: 'Speed: 1×' }).click()
  await page.getByRole('menuitemradio', { name: '2×' }).click()
  await expect.poll(async () => (await heard(page))?.speed).toBe(2)
  await player(page).getByRole('slider', { name: 'Volume' }).focus()
  for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await heard(page))?.volume).toBeCloseTo(0.8, 5)

  await player(page).getByRole('button', { name: 'Repeat this track: off' }).click()
  await player(page).getByRole('slider', { name: 'Seek' }).focus()
  await page.keyboard.press('End')
  await expect.poll(async () => (await heard(page))?.time).toBeLessThan(10)
  await expect(player(page)).toContainText('1/4')
})

test('a library of 20,000 tracks is in the document only as far as it is seen, and found through', async ({
  page,
  paidUser,
  product,
}) => {
  const many = Array.from({ length: 20_000 }, (_, index) => `Track ${index + 1}.mp3`)
  await addManyItems(product.services, { ownerId: paidUser.id, names: many })
  await page.goto('/music')
  await expect(player(page)).toContainText('1/20,000')
  const rows = page.getByRole('list', { name: 'All Tracks' }).getByRole('listitem')
  await expect(rows.first()).toContainText('Track 1.mp3')
  expect(await rows.count()).toBeLessThan(60)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(track(page, 'Track 20000.mp3')).toBeVisible()
  expect(await page.locator('li').count()).toBeLessThan(200)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.getByPlaceholder('Find a track').fill('19999')
  await expect(rows).toHaveCount(1)
  await track(page, 'Track 19999.mp3').dblclick()
  await expect(player(page)).toContainText('19,999/20,000')
  await player(page).getByRole('button', { name: 'Shuffle Off' }).click()
  await expect(player(page)).toContainText('1/20,000')
})

test('music is accessible, also empty, in the dark and at 360 px', async ({ page, paidUser }) => {
  await page.goto('/music')
  await expect(page.getByRole('heading', { name: 'No audio files available.' })).toBeVisible()
  await expect(page.getByText('No tracks in queue.')).toBeVisible()
  await expectAccessible(page)
  await storeMusic(paidUser)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await expect(player(page)).toContainText('1/4')
  // Groups are remembered.
  await page.getByRole('button', { name: 'Sort by: File name. Groups: None' }).click()
  await page.getByRole('menuitemradio', { name: 'Artists' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No artist' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})
