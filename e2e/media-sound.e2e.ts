import { recordVideo, withFfmpeg } from '@alcove/server/testing/factories/videos'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { bar, names, player, pressMediaKey, recordPlayer, sounding, storeMusic } from './media-screen.ts'
import { tileOf } from './users.ts'

const titleShown = (page: Page) => page.evaluate(() => navigator.mediaSession.metadata?.title)
const pauseButton = (page: Page) => bar(page).getByRole('button', { name: 'Pause', includeHidden: true })

/** Plays the first track, then opens another page, where the music continues. */
async function playMusicOn(page: Page, link: string): Promise<void> {
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.getByRole('link', { name: link }).click()
  await expect(pauseButton(page)).toHaveCount(1)
}

test('pauses the music when a song plays in the preview, and gives the media keys back after it', async ({
  page,
  paidUser,
}) => {
  await recordPlayer(page)
  await storeMusic(paidUser)
  await playMusicOn(page, 'Profile')
  await tileOf(page, names[1] as string).dblclick()
  await expect(pauseButton(page)).toHaveCount(0)
  await expect.poll(() => titleShown(page)).toBe(names[1])
  expect(await sounding(page)).toBe(1)
  await pressMediaKey(page, 'pause')
  await expect.poll(() => sounding(page)).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => titleShown(page)).toBe(names[0])
  await pressMediaKey(page, 'play')
  await expect(pauseButton(page)).toHaveCount(1)
})

test('plays either a film or the music, and lets the media keys control the one that plays', async ({
  page,
  paidUser,
}) => {
  test.skip(!withFfmpeg, 'ffmpeg is not on PATH')
  await recordPlayer(page)
  await storeMusic(paidUser)
  const film = await recordVideo('mp4', ['-pix_fmt', 'yuv420p', '-g', '25'], 'testsrc2=s=320x180:d=60:r=25')
  for (const name of ['First swim.mp4', 'Slow lake.mp4']) await paidUser.client.upload(name, new Uint8Array(film))
  await playMusicOn(page, 'Video')
  const isFilmPaused = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)
  await page.getByRole('main').getByRole('button', { name: 'play', exact: true }).click()
  await expect(pauseButton(page)).toHaveCount(0)
  expect(await isFilmPaused()).toBe(false)
  await expect.poll(() => titleShown(page)).toBe('First swim.mp4')

  await bar(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(isFilmPaused).toBe(true)
  await expect.poll(() => titleShown(page)).toBe(names[0])
  await expect.poll(() => sounding(page)).toBe(1)

  await page.getByRole('main').getByRole('button', { name: 'play', exact: true }).click()
  await expect(pauseButton(page)).toHaveCount(0)
  await pressMediaKey(page, 'pause')
  await expect.poll(isFilmPaused).toBe(true)
  await pressMediaKey(page, 'nexttrack')
  await expect(page.getByRole('main')).toContainText('2/2')
  await expect.poll(() => titleShown(page)).toBe('Slow lake.mp4')
  expect(await sounding(page)).toBe(1)

  await page.getByRole('link', { name: 'Favorites' }).click()
  await expect.poll(() => titleShown(page)).toBe(names[0])
})

test('stops the song before while the next one loads, and does not start it after Pause', async ({
  page,
  paidUser,
}) => {
  await recordPlayer(page)
  const ids = await storeMusic(paidUser)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => sounding(page)).toBe(1)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/api/stream-url/${ids[1]}`, async (route) => {
    await promise
    await route.continue()
  })
  await player(page).getByRole('button', { name: 'Next' }).click()
  await expect(player(page)).toContainText('2/4')
  await expect.poll(() => sounding(page)).toBe(0)
  await player(page).getByRole('button', { name: 'Pause' }).click()
  const found = page.waitForResponse(`**/api/stream-url/${ids[1]}`)
  resolve()
  await (await found).finished()
  await page.waitForTimeout(500)
  await expect(player(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  expect(await sounding(page)).toBe(0)
  await player(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(player(page)).toContainText('2/4')
})

async function trash(page: Page, name: string): Promise<void> {
  await tileOf(page, name).focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(tileOf(page, name)).toHaveCount(0)
}

test('the small player follows when the playing song is renamed or trashed in the files', async ({
  page,
  paidUser,
}) => {
  await recordPlayer(page)
  await storeMusic(paidUser)
  await paidUser.client.upload('Notes.txt', 'x')
  let lists = 0
  page.on('request', (request) => request.url().endsWith('/media/audio') && lists++)
  await playMusicOn(page, 'Profile')
  await page.getByRole('button', { name: `Rename ${names[0]}` }).click()
  await page.getByLabel('File Name').fill('Aubade')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(bar(page)).toContainText('Aubade.wav')
  await expect.poll(() => titleShown(page)).toBe('Aubade.wav')

  await expect(page.getByRole('dialog')).toHaveCount(0)
  await trash(page, 'Aubade.wav')
  await expect(bar(page)).toContainText(names[1] as string)
  await expect(bar(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  // A file that isn't music doesn't refetch the list, which may be long.
  const before = lists
  await trash(page, 'Notes.txt')
  await bar(page).getByRole('button', { name: 'Prev' }).click()
  await expect(bar(page)).toContainText(names[3] as string)
  expect(lists).toBe(before)
})
