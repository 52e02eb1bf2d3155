import { addManyItems } from '@alcove/server/testing/factories/many-items'
import { expect, expectAccessible, test } from './fixtures.ts'
import {
  names,
  playback,
  player,
  pressMediaKey,
  queue,
  queued,
  recordPlayer,
  seconds,
  storeMusic,
  track,
} from './media-screen.ts'
import { drag } from './users.ts'

test('plays music through the queue and around, and reorders and shuffles the queue', async ({ page, paidUser }) => {
  await storeMusic(paidUser)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(player(page)).toContainText('1/4')
  await expect(player(page)).toContainText('Aurora.wav')
  // The page was opened by a click, so the browser allows autoplay.
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => seconds(player(page))).toBeGreaterThan(0)
  await expect(track(page, 'Aurora.wav')).toHaveAttribute('aria-current', 'true')

  // Prev wraps to the last track, and the end of the last track leads to the first.
  await player(page).getByRole('button', { name: 'Prev' }).click()
  await expect(player(page)).toContainText('4/4')
  await expect(player(page).getByRole('slider', { name: 'Seek' })).toHaveAttribute('aria-valuemax', '30')
  await player(page).getByRole('slider', { name: 'Seek' }).focus()
  await page.keyboard.press('End')
  await expect(player(page)).toContainText('1/4')
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  // Next wraps to the first track, too.
  await player(page).getByRole('button', { name: 'Prev' }).click()
  await expect(player(page)).toContainText('4/4')
  await player(page).getByRole('button', { name: 'Next' }).click()
  await expect(player(page)).toContainText('1/4')

  // The current track has no Remove button. Removing an earlier track moves the position down.
  await player(page).getByRole('button', { name: 'Next' }).click()
  await expect(player(page)).toContainText('2/4')
  await expect(queue(page).getByRole('button', { name: 'Remove Blue tiles.wav' })).toHaveCount(0)
  await queue(page).getByRole('button', { name: 'Remove Aurora.wav' }).click()
  await expect(player(page)).toContainText('1/3')
  await expect(player(page)).toContainText('Blue tiles.wav')
  await page.getByRole('button', { name: 'Add to Queue: Aurora.wav' }).click()
  expect(await queued(page)).toEqual([...names.slice(1), 'Aurora.wav'])

  // Reorders by keyboard and by mouse. The position follows the current track.
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

test('keeps playing while the user browses files, and restores the player after a reload', async ({
  page,
  paidUser,
}) => {
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

test('plays each track to its end and continues with the next one', async ({ page, paidUser }) => {
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
  // The URL of each track is fetched ahead, and only once.
  expect(requested.toSorted()).toEqual(ids.toSorted())
})

test('waits for Play and only logs a warning when the browser blocks autoplay', async ({ page, paidUser }) => {
  await storeMusic(paidUser, 3)
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  await page.goto('/music')
  await expect.poll(() => warnings.join()).toContain('The browser blocked autoplay of the music')
  await expect(player(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await player(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(() => seconds(player(page))).toBeGreaterThan(0)
})

test('controls the player by keyboard and media keys, and changes speed, volume and repeat', async ({
  page,
  paidUser,
}) => {
  await recordPlayer(page)
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
  await expect.poll(async () => (await playback(page))?.isMuted).toBe(true)
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await playback(page))?.time).toBeGreaterThan(4.9)

  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(names[0])
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.artwork.length)).toBe(1)
  await pressMediaKey(page, 'nexttrack')
  await expect(player(page)).toContainText('2/4')
  await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(names[1])
  await pressMediaKey(page, 'previoustrack')
  await expect(player(page)).toContainText('1/4')
  await pressMediaKey(page, 'seekto', { seekTime: 12 })
  await expect.poll(async () => (await playback(page))?.time).toBeGreaterThan(11.9)
  await pressMediaKey(page, 'pause')
  await expect(pause).toBeHidden()
  await pressMediaKey(page, 'play')
  await expect(pause).toBeVisible()

  await player(page).getByRole('button', { name: 'Speed: 1×' }).click()
  await page.getByRole('menuitemradio', { name: '2×' }).click()
  await expect.poll(async () => (await playback(page))?.speed).toBe(2)
  await player(page).getByRole('slider', { name: 'Volume' }).focus()
  for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await playback(page))?.volume).toBeCloseTo(0.8, 5)

  await player(page).getByRole('button', { name: 'Repeat this track: off' }).click()
  await player(page).getByRole('slider', { name: 'Seek' }).focus()
  await page.keyboard.press('End')
  await expect.poll(async () => (await playback(page))?.time).toBeLessThan(10)
  await expect(player(page)).toContainText('1/4')
})

test('renders only the visible tracks of a library of 20,000, and finds a track by name', async ({
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

test('the music screen is accessible when empty, in the dark scheme and at 360 px', async ({ page, paidUser }) => {
  await page.goto('/music')
  await expect(page.getByRole('heading', { name: 'No audio files available.' })).toBeVisible()
  await expect(page.getByText('No tracks in queue.')).toBeVisible()
  await expectAccessible(page)
  await storeMusic(paidUser)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await expect(player(page)).toContainText('1/4')
  // The grouping is remembered.
  await page.getByRole('button', { name: 'Sort by: File name. Groups: None' }).click()
  await page.getByRole('menuitemradio', { name: 'Artists' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No artist' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})
