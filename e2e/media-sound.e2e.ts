import { expect, test } from './fixtures.ts'
import { player, recordPlayer, sounding, storeMusic } from './media-screen.ts'

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
