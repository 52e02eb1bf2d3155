import type { TestUser } from '@alcove/server/testing/factories'
import { recordVideo, withFfmpeg } from '@alcove/server/testing/videos'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { drag } from './people.ts'
import { tone } from './sounds.ts'

const names = ['Aurora.wav', 'Blue tiles.wav', 'Fado at Mesa de Frades.wav', 'Night bus, 10.wav']

async function storeMusic(user: TestUser, seconds = 30) {
  for (const [index, name] of names.entries()) await user.client.upload(name, tone(seconds, 300 + 50 * index))
}

const player = (page: Page) => page.getByRole('region', { name: 'Player' })
const queue = (page: Page) => page.getByRole('list', { name: 'Queue' })
const queued = (page: Page) =>
  queue(page)
    .getByRole('listitem')
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => row.querySelector('bdi')?.title),
    )
const seconds = async (where: Locator) =>
  Number(
    (
      await where
        .getByText(/^\d+:\d\d$/)
        .first()
        .innerText()
    ).split(':')[1],
  )
const track = (page: Page, name: string) => page.getByRole('list', { name: 'All Tracks' }).getByRole('group', { name })

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

test('playlists are made, played, renamed and deleted', async ({ page, paidUser }) => {
  await storeMusic(paidUser)
  await page.goto('/music')
  await expect(page.getByText('Right-click on tracks to create playlists.')).toBeVisible()
  await track(page, 'Aurora.wav').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Add to Playlist' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to Playlist' })
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog).toContainText('Playlist name cannot be empty.')
  await dialog.getByPlaceholder('New playlist name').fill('Lisbon evenings')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  const playlists = page.getByRole('region', { name: 'Your Playlists' })
  await expect(playlists).toContainText('Lisbon evenings1 track')

  await page.getByRole('button', { name: 'More for Night bus, 10.wav' }).click()
  await page.getByRole('menuitem', { name: 'Add to Playlist' }).click()
  await dialog.getByRole('button', { name: /Lisbon evenings/ }).click()
  await expect(playlists).toContainText('2 tracks')
  await playlists.getByRole('button', { name: 'Play Lisbon evenings' }).click()
  await expect(player(page)).toContainText('1/2')
  await expect.poll(() => queued(page)).toEqual([names[0], names[3]])

  await playlists.getByText('Lisbon evenings').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Playlist Name').fill('Porto mornings')
  await page.keyboard.press('Enter')
  await expect(playlists).toContainText('Porto mornings')
  await playlists.getByRole('button', { name: 'More for Porto mornings' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(playlists.getByText('Porto mornings')).toBeHidden()
})

/** A film made by the browser itself, of a square that goes across. */
async function recordFilm(page: Page, milliseconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const base64 = await page.evaluate(async (length) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 90 })
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => (recorder.onstop = resolve))
    const began = performance.now()
    const timer = setInterval(() => {
      context.fillStyle = '#133e32'
      context.fillRect(0, 0, 160, 90)
      context.fillStyle = '#fcc35d'
      context.fillRect(((performance.now() - began) / length) * 140, 35, 20, 20)
    }, 40)
    recorder.start()
    await new Promise((resolve) => setTimeout(resolve, length))
    recorder.stop()
    await stopped
    clearInterval(timer)
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }, milliseconds)
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

test('videos play to the end and lead to the next; what cannot be played can be downloaded', async ({
  page,
  paidUser,
}) => {
  await page.goto('/video')
  await expect(page.getByRole('heading', { name: 'No videos yet' })).toBeVisible()
  await expectAccessible(page)
  const film = await recordFilm(page, 1500)
  await paidUser.client.upload('Last evening.webm', film)
  await paidUser.client.upload('Night in the dunes.webm', film)
  await paidUser.client.upload('Sintra, walking.mp4', new TextEncoder().encode('no film at all'))
  await page.reload()
  const main = page.getByRole('main')
  await expect(main).toContainText('1/3')
  await expectAccessible(page)
  const video = page.locator('video')
  const timeOf = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  await page.getByRole('button', { name: 'play', exact: true }).click()
  await expect.poll(timeOf).toBeGreaterThan(0.3)
  // Looked for with every picture: the second film is short too.
  await page.waitForFunction(() => document.querySelector('main')?.textContent.includes('2/3'))
  await expect(page.getByRole('alert')).toContainText('This browser cannot play this video.')
  await expect(main).toContainText('3/3')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('Sintra, walking.mp4')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(main).toContainText('1/3')
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(main).toContainText('3/3')
  await page.getByRole('button', { name: 'Shuffle Off' }).click()
  await expect(page.getByRole('button', { name: 'Shuffle On' })).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(main).not.toContainText('3/3')
})

const film = withFfmpeg ? test : test.skip
film(
  'a video that no browser plays is made playable, and a seek goes where it was never played',
  async ({ page, paidUser }) => {
    // Skipped where the machine has no ffmpeg.
    const sound = ['-f', 'lavfi', '-i', 'sine=440:d=30', '-map', '0:v', '-map', '1:a', '-c:v', 'mpeg4', '-c:a', 'mp3']
    const avi = await recordVideo('avi', sound, 'testsrc2=s=320x180:d=30:r=25')
    await paidUser.client.upload('Super 8, 1974.avi', new Uint8Array(avi))
    // By its name it is what browsers play: they fail, and go over to the playlist.
    const hidden = await recordVideo('mp4', ['-c:v', 'mpeg4'], 'testsrc2=s=320x180:d=10:r=25')
    await paidUser.client.upload('Super 8, 1975.mp4', new Uint8Array(hidden))
    await page.goto('/video')
    const video = page.locator('video')
    const timeOf = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
    await page.getByRole('button', { name: 'play', exact: true }).click()
    await expect.poll(timeOf, { timeout: 20_000 }).toBeGreaterThan(0.5)
    expect(await video.evaluate((element: HTMLVideoElement) => Math.round(element.duration))).toBe(30)
    await video.evaluate((element: HTMLVideoElement) => {
      element.currentTime = 25
    })
    await expect.poll(timeOf, { timeout: 20_000 }).toBeGreaterThan(25.3)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(timeOf, { timeout: 20_000 }).toBeLessThan(9)
    await expect.poll(timeOf, { timeout: 20_000 }).toBeGreaterThan(0.5)
    await expect(page.getByRole('alert')).toBeHidden()
  },
)

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
