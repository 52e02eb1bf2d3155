import { trashFile } from '@alcove/contract/files'
import { addManyItems } from '@alcove/server/testing/factories/many-items'
import { recordVideo, withFfmpeg } from '@alcove/server/testing/factories/videos'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'

/** Records a video of a moving square in the browser. */
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

test('plays videos one after the other, and offers a download for one that cannot be played', async ({
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
  // Checks in every frame, because the second film is short too.
  await page.waitForFunction(() => document.querySelector('main')?.textContent.includes('2/3'))
  await expect(page.getByRole('alert')).toContainText('This browser can’t play this video.')
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

test('shows subtitles and pictures above the seek bar, and resumes a video where it was left', async ({
  page,
  paidUser,
}) => {
  test.skip(!withFfmpeg, 'ffmpeg is not on PATH')
  const film = await recordVideo('mp4', ['-pix_fmt', 'yuv420p', '-g', '25'], 'testsrc2=s=320x180:d=60:r=25')
  await paidUser.client.upload('Sintra.mp4', new Uint8Array(film))
  const subtitles = '1\r\n00:00:01,000 --> 00:00:59,000\r\nThe palace, at last.\r\n'
  await paidUser.client.upload('Sintra.en.srt', new TextEncoder().encode(subtitles))
  await paidUser.client.upload(
    'Sintra.pt.vtt',
    new TextEncoder().encode('WEBVTT\n\n00:01.000 --> 00:59.000\nO palácio.\n'),
  )
  await page.goto('/video')
  const video = page.locator('video')
  const timeOf = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  const texts = () =>
    video.evaluate((element: HTMLVideoElement) =>
      [...element.textTracks].filter(({ kind }) => kind === 'subtitles').map(({ label }) => label),
    )
  await expect.poll(texts).toEqual(['en', 'pt'])
  await video.evaluate((element: HTMLVideoElement) => {
    element.currentTime = 30
  })
  await page.getByRole('switch', { name: 'closed captions' }).click()
  const shown = () =>
    video.evaluate((element: HTMLVideoElement) => {
      const track = [...element.textTracks].find(({ mode, kind }) => mode === 'showing' && kind === 'subtitles')
      return [...(track?.activeCues ?? [])].map((cue) => (cue as VTTCue).text)
    })
  await expect.poll(shown).toEqual(['The palace, at last.'])
  await expectAccessible(page)

  const sheet = page.waitForResponse((response) => response.url().includes('/sheets/'), { timeout: 30_000 })
  const bar = page.locator('media-time-range')
  const box = await bar.boundingBox()
  if (!box) throw new Error('The seek bar is not visible.')
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2)
  expect((await sheet).status()).toBe(200)
  const preview = bar.locator('media-preview-thumbnail img')
  await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800)
  await expect(preview).toBeVisible()

  await page.getByRole('button', { name: 'play', exact: true }).click()
  await expect.poll(timeOf).toBeGreaterThan(30.2)
  await page.getByRole('button', { name: 'pause', exact: true }).click()
  await page.reload()
  await expect.poll(timeOf).toBeGreaterThan(29.9)
})

test('shows the next video before the end of the current one, and plays it on click', async ({ page, paidUser }) => {
  test.skip(!withFfmpeg, 'ffmpeg is not on PATH')
  const film = await recordVideo('mp4', ['-pix_fmt', 'yuv420p', '-g', '25'], 'testsrc2=s=320x180:d=60:r=25')
  for (const name of ['First swim.mp4', 'Slow lake, seen from the other side of the bay.mp4'])
    await paidUser.client.upload(name, new Uint8Array(film))
  await page.goto('/video')
  const video = page.locator('video')
  const seek = (seconds: number) =>
    video.evaluate((element: HTMLVideoElement, time) => {
      element.currentTime = time
    }, seconds)
  const card = page.getByRole('button', { name: /^Next up Slow lake, .*\.mp4$/ })
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(0)
  await seek(40)
  await expect(page.getByText('0:40 / 1:00')).toBeVisible()
  await expect(card).toHaveCount(0)
  await seek(50)
  await expect(card).toBeVisible()
  await expectAccessible(page)
  // The card stays visible while the controls are hidden.
  await page.getByRole('button', { name: 'play', exact: true }).click()
  await page.mouse.move(5, 5)
  await page.waitForTimeout(3000)
  await expect(card).toBeVisible()
  await card.click()
  await expect(page.getByRole('main')).toContainText('2/2')
  await expect(card).toHaveCount(0)
})

test('renders only the visible entries of 10,000 videos', async ({ page, paidUser, product }) => {
  const names = Array.from({ length: 10_000 }, (_, index) => `Clip ${index + 1}.mp4`)
  await addManyItems(product.services, { ownerId: paidUser.id, names })
  await page.goto('/video')
  await expect(page.getByRole('main')).toContainText('1/10,000')
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(page.getByRole('main')).toContainText('10,000/10,000')
  await expect(page.getByRole('button', { name: 'Clip 10000.mp4' })).toBeVisible()
  expect(await page.locator('li').count()).toBeLessThan(60)
})

test('waits at the next video when the current one is trashed on another device', async ({ page, paidUser }) => {
  await page.goto('/video')
  const film = await recordFilm(page, 1500)
  const ids: string[] = []
  for (const name of ['A.webm', 'B.webm', 'C.webm', 'D.webm']) ids.push((await paidUser.client.upload(name, film)).id)
  await page.reload()
  const main = page.getByRole('main')
  const isPaused = () => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)
  await expect(async () => {
    await page.getByRole('button', { name: 'C.webm' }).click({ timeout: 1000 })
    await expect(main).toContainText('3/4', { timeout: 1000 })
  }).toPass()
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.loop = true
  })
  await expect.poll(isPaused).toBe(false)
  await paidUser.client.call(trashFile, { id: ids[2] as string })
  await expect(main).toContainText('3/3')
  await expect(main.getByRole('heading', { level: 2, name: 'D.webm' })).toBeVisible()
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThan(0)
  expect(await isPaused()).toBe(true)
})
