import { trashFile } from '@alcove/contract/files'
import { createPlaylist, listPlaylists, updatePlaylist } from '@alcove/contract/media'
import { expect, expectAccessible, test } from './fixtures.ts'
import { names, player, queued, storeMusic, track } from './media-screen.ts'
import { drag } from './users.ts'

test('creates, plays, renames and deletes a playlist', async ({ page, paidUser }) => {
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

test('reorders and removes the tracks of a playlist, and skips a trashed track on playback', async ({
  page,
  paidUser,
}) => {
  const ids = await storeMusic(paidUser)
  await paidUser.client.call(createPlaylist, { name: 'Lisbon evenings', track_ids: ids })
  await paidUser.client.call(trashFile, { id: ids[1] as string })
  await page.goto('/music')
  const playlists = page.getByRole('region', { name: 'Your Playlists' })
  await playlists.getByRole('button', { name: 'More for Lisbon evenings' }).click()
  await page.getByRole('menuitem', { name: 'Edit tracks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lisbon evenings' })
  const rows = dialog.getByRole('list', { name: 'Tracks of Lisbon evenings' }).getByRole('listitem')
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(1)).toContainText('In the trash')
  await expectAccessible(page)
  const kept = async () => (await paidUser.client.call(listPlaylists, {})).body[0]?.track_ids

  await dialog.getByRole('button', { name: `Move ${names[3]}`, exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(kept).toEqual([ids[0], ids[1], ids[3], ids[2]])
  await drag(page, rows.first(), rows.last())
  await expect.poll(kept).toEqual([ids[1], ids[3], ids[2], ids[0]])
  await dialog.getByRole('button', { name: `Remove ${names[2]}` }).click()
  await expect.poll(kept).toEqual([ids[1], ids[3], ids[0]])
  await page.keyboard.press('Escape')

  // The queue follows the order of the playlist and skips the track in the trash.
  await playlists.getByRole('button', { name: 'Play Lisbon evenings' }).click()
  await expect(player(page)).toContainText('1/2')
  await expect.poll(() => queued(page)).toEqual([names[3], names[0]])
})

test('keeps the tracks that another device adds to a playlist while its tracks are edited', async ({
  page,
  paidUser,
}) => {
  const ids = (await storeMusic(paidUser)) as [string, string, string, string]
  const { id } = (await paidUser.client.call(createPlaylist, { name: 'Porto', track_ids: ids.slice(0, 2) })).body
  // Nothing tells the page of the change, as while it is offline.
  await page.route('**/api/events', (route) => route.abort())
  await page.goto('/music')
  await page.getByRole('button', { name: 'More for Porto' }).click()
  await page.getByRole('menuitem', { name: 'Edit tracks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Porto' })
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  const kept = async () => (await paidUser.client.call(listPlaylists, {})).body[0]?.track_ids
  await paidUser.client.call(updatePlaylist, { id, track_ids: ids.slice(0, 3) })
  // Another track is added after the page has read the list, and before it sends its own.
  let isFirst = true
  await page.route(`**/api/playlists/${id}`, async (route) => {
    if (isFirst) await paidUser.client.call(updatePlaylist, { id, track_ids: ids })
    isFirst = false
    await route.continue()
  })
  await dialog.getByRole('button', { name: `Remove ${names[0]}` }).click()
  await expect.poll(kept).toEqual(ids.slice(1))
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
})
