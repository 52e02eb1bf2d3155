import { updatePublicLink } from '@alcove/contract/sharing'
import { readAllMedia } from '@alcove/server/testing/engines/test-app'
import { recordVideo, withFfmpeg } from '@alcove/server/testing/factories/videos'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { player, seconds } from './media-screen.ts'
import { tileOf } from './users.ts'

// Skipped on machines without ffmpeg. Transcoding runs at the lowest priority, so the timeouts are long.
const ffmpegTest = withFfmpeg ? test : test.skip
test.describe.configure({ timeout: 120_000 })
const SOON = { timeout: 40_000 }

const SOUND = ['-f', 'lavfi', '-i', 'sine=440:d=30', '-map', '0:v', '-map', '1:a']
const PICTURES = 'testsrc2=s=320x180:d=30:r=25'
const timeOf = (page: Page) => page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime)
const seekTo = (page: Page, time: number) =>
  page.locator('video').evaluate((element: HTMLVideoElement, seconds) => {
    element.currentTime = seconds
  }, time)

/** Returns whether the browser has decoded both video and audio. */
const hasDecodedMedia = (page: Page) =>
  page.locator('video').evaluate((element: HTMLVideoElement) => {
    const { webkitVideoDecodedByteCount: pictures, webkitAudioDecodedByteCount: sound } = element as unknown as Record<
      string,
      number
    >
    return (pictures ?? 0) > 0 && (sound ?? 0) > 0
  })

ffmpegTest(
  'transcodes a video that no browser can play, and seeks to a part that was not played yet',
  async ({ page, paidUser }) => {
    const avi = await recordVideo('avi', [...SOUND, '-c:v', 'mpeg4', '-c:a', 'mp3'], PICTURES)
    await paidUser.client.upload('Super 8, 1974.avi', new Uint8Array(avi))
    // Its name suggests a playable file, so the browser tries it, fails and switches to the playlist.
    const hidden = await recordVideo('mp4', ['-c:v', 'mpeg4'], 'testsrc2=s=320x180:d=10:r=25')
    await paidUser.client.upload('Super 8, 1975.mp4', new Uint8Array(hidden))
    await page.goto('/video')
    await page.getByRole('button', { name: 'play', exact: true }).click()
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(0.5)
    const length = page.locator('video').evaluate((element: HTMLVideoElement) => Math.round(element.duration))
    expect(await length).toBe(30)
    await seekTo(page, 25)
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(25.3)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => timeOf(page), SOON).toBeLessThan(9)
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(0.5)
    await expect(page.getByRole('alert')).toBeHidden()
  },
)

/** Records the `way` of each segment that a page requests. */
function recordWays(page: Page): string[] {
  const ways: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.includes('/segments/')) ways.push(url.searchParams.get('way') ?? '')
  })
  return ways
}

ffmpegTest(
  'remuxes video that the browser supports, and transcodes it when the remuxed segments fail',
  async ({ page, paidUser, product }) => {
    const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '60', '-bf', '2']
    const mkv = await recordVideo('mkv', [...SOUND, ...h264, '-c:a', 'ac3'], PICTURES)
    await paidUser.client.upload('Alentejo.mkv', new Uint8Array(mkv))
    const ways = recordWays(page)
    await readAllMedia(product)
    await page.goto('/video')
    await page.getByRole('button', { name: 'play', exact: true }).click()
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(0.3)
    await seekTo(page, 21)
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(21.5)
    expect(await hasDecodedMedia(page)).toBe(true)
    expect(new Set(ways)).toEqual(new Set(['copy']))
    // The only video in the list is also the next one, so it does not stop at its end.
    const ended = page
      .locator('video')
      .evaluate(
        (video) => new Promise<void>((resolve) => video.addEventListener('ended', () => resolve(), { once: true })),
      )
    await seekTo(page, 28)
    await ended

    // If remuxed segments do not play, the whole video is transcoded.
    await page.route(/segments\/.*way=copy/, (route) =>
      route.fulfill({ body: 'no segment', contentType: 'video/mp2t' }),
    )
    await page.reload()
    await page.getByRole('button', { name: 'play', exact: true }).click()
    await seekTo(page, 3)
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(3.5)
    expect(ways.at(-1)).toBe('encode')
    await expect(page.getByRole('alert')).toBeHidden()
  },
)

ffmpegTest('plays music in formats that the browser does not support, and seeks in it', async ({ page, paidUser }) => {
  for (const [name, codec] of [
    ['1 Fado.m4a', 'alac'],
    ['2 Guitarra.wma', 'wmav2'],
  ] as const) {
    const sound = ['-f', 'lavfi', '-i', 'sine=440:d=30', '-map', '1:a', '-c:a', codec]
    await paidUser.client.upload(name, new Uint8Array(await recordVideo(name.slice(-3), sound)))
  }
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  for (const place of [1, 2]) {
    await expect(player(page)).toContainText(`${place}/2`)
    await expect.poll(() => seconds(player(page)), SOON).toBeGreaterThan(0)
    await expect(player(page).getByRole('slider', { name: 'Seek' })).toHaveAttribute(
      'aria-valuemax',
      /^(30|29\.9\d*|30\.\d+)$/,
    )
    // Near the end, playback continues with the next track.
    await player(page).getByRole('slider', { name: 'Seek' }).focus()
    await page.keyboard.press('End')
    for (let times = 0; times < 2; times++) await page.keyboard.press('ArrowLeft')
  }
  await expect(player(page)).toContainText('1/2', SOON)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

ffmpegTest(
  'shows an error and a Download button when the segments of a video cannot be created',
  async ({ page, paidUser }) => {
    const avi = await recordVideo('avi', ['-c:v', 'mpeg4'], 'testsrc2=s=320x180:d=10:r=25')
    await paidUser.client.upload('Torn.avi', new Uint8Array(avi))
    // The response of the server when ffmpeg has crashed or was killed.
    await page.route(/segments\//, (route) => route.fulfill({ status: 415, json: { code: 'not_playable' } }))
    await page.goto('/video')
    await expect(page.getByRole('alert')).toContainText('This browser can’t play this video.', SOON)
    await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  },
)

test('shows an error and a Download button for a track that cannot be played', async ({ page, paidUser }) => {
  await paidUser.client.upload('Fado.wma', new TextEncoder().encode('no music at all'))
  await page.goto('/music')
  await expect(page.getByRole('alert')).toContainText('This track can’t be played here.')
  const download = page.waitForEvent('download')
  await player(page).getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('Fado.wma')
})

ffmpegTest(
  'plays unsupported video in the preview on the free plan and through a public link',
  async ({ page, user, browser }) => {
    const avi = await recordVideo('avi', [...SOUND, '-c:v', 'mpeg4', '-c:a', 'mp3'], PICTURES)
    const { id } = await user.client.upload('Super 8.avi', new Uint8Array(avi))
    await user.client.upload('Broken.avi', new TextEncoder().encode('no film at all'))
    await page.goto('/profile')
    await tileOf(page, 'Super 8.avi').dblclick()
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(0.5)
    await seekTo(page, 25)
    await expect.poll(() => timeOf(page), SOON).toBeGreaterThan(25.3)
    expect(await hasDecodedMedia(page)).toBe(true)
    await page.keyboard.press('Escape')
    await tileOf(page, 'Broken.avi').dblclick()
    await expect(page.getByRole('dialog')).toContainText('This browser cannot play this format.')

    const { link } = (await user.client.call(updatePublicLink, { id, enabled: true })).body
    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(link)
    const video = visitor.locator('video')
    await expect.poll(() => video.evaluate((element: HTMLVideoElement) => Math.round(element.duration)), SOON).toBe(30)
    await video.evaluate((element: HTMLVideoElement) => {
      element.currentTime = 20
      return element.play()
    })
    await expect.poll(() => timeOf(visitor), SOON).toBeGreaterThan(20.3)
    await visitor.context().close()
  },
)
