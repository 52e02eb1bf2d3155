import { makeMp3 } from '@alcove/server/testing/factories/music'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

test('shows player controls, title, artist and album in the preview of a song', async ({ page, user }) => {
  await user.client.upload('song.mp3', makeMp3({ title: 'Dia de folga', artist: 'Ana Moura', album: 'Desfado' }, 30))
  await user.client.upload('tune.mp3', makeMp3({ title: 'Another' }, 30))
  await page.route('**/api/media/*/tags', (route) =>
    route.fulfill({ json: { title: 'Dia de folga', artist: 'Ana Moura', album: 'Desfado' } }),
  )
  await page.goto('/profile')
  await tileOf(page, 'song.mp3').dblclick()
  const preview = page.getByRole('dialog', { name: 'Preview of song.mp3' })
  await expect(preview).toContainText('Dia de folga')
  await expect(preview).toContainText('Ana Moura · Desfado')
  const seek = preview.getByRole('slider', { name: 'seek' })
  await expect(seek).toBeVisible()
  await expect(preview.getByRole('slider', { name: 'volume' })).toBeVisible()
  await expectAccessible(page)
  // Its arrow keys seek instead of opening another file.
  await seek.focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'Preview of song.mp3' })).toBeVisible()
})
