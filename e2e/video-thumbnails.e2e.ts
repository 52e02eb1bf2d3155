import { recordVideo, withFfmpeg } from '@alcove/server/testing/factories/videos'
import { expect, expectAccessible, test, waitUntilQuiet } from './fixtures.ts'
import { chooseView, tileOf } from './users.ts'

test('shows a frame of a video as its thumbnail in the grid and in the list', async ({ page, user }) => {
  test.skip(!withFfmpeg, 'ffmpeg is not on PATH')
  const film = await recordVideo('mp4', [], 'testsrc2=s=320x180:d=1')
  await user.client.upload('Last evening.mp4', new Uint8Array(film))
  await user.client.upload('Broken.mp4', new TextEncoder().encode('no video'))
  await page.goto('/profile')
  const tile = tileOf(page, 'Last evening.mp4')
  await expect(tile.locator('img')).toBeVisible()
  await expect(tile.getByText('MP4', { exact: true })).toBeVisible()
  await expect(tileOf(page, 'Broken.mp4')).toBeVisible()
  await expect(tileOf(page, 'Broken.mp4').locator('img')).toHaveCount(0)
  await expectAccessible(page)
  await chooseView(page, 'List')
  const row = page.getByRole('row', { name: /Last evening/ })
  await expect(row.locator('img')).toBeVisible()
  await expect(row.getByText('MP4', { exact: true })).toBeHidden()
  await expectAccessible(page)
})

test('does not request video thumbnails from a server without ffmpeg', async ({ page, user }) => {
  const requested: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/thumbnail/')) requested.push(request.url())
  })
  // The page of such a server contains this value.
  await page.route('**/profile', async (route) => {
    const response = await route.fetch()
    const pattern = /(name="alcove-video-thumbnails" content=")[^"]*/
    await route.fulfill({ response, body: (await response.text()).replace(pattern, '$1no') })
  })
  await user.client.upload('Last evening.mp4', new TextEncoder().encode('a video'))
  await page.goto('/profile')
  await expect(tileOf(page, 'Last evening.mp4')).toBeVisible()
  await waitUntilQuiet(page)
  expect(requested).toEqual([])
})
