import { addFavorite, listFavorites } from '@alcove/contract/favorites'
import { createFolder } from '@alcove/contract/files'
import { removeMember } from '@alcove/contract/members'
import { addTestMember } from '@alcove/server/testing/factories/shares'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { player, seconds, track } from './media-screen.ts'
import { tone } from './sounds.ts'
import { tileOf } from './users.ts'

const tiles = (page: Page) => page.getByRole('main').locator('[data-item-id]')

async function makeFolder({ client }: TestUser, folderName: string, parentFolderId?: string): Promise<string> {
  return (await client.call(createFolder, { folderName, parentFolderId })).body.id
}

test('finds what others share by search, and opens it in its folder', async ({ page, user, product }) => {
  const owner = await product.createUser()
  const trip = await makeFolder(owner, 'Trip')
  const lisbon = await makeFolder(owner, 'Lisbon', trip)
  await owner.client.upload('sunset.txt', 'x', { folderId: lisbon })
  await addTestMember(product, owner, trip, 'viewer', user)
  await page.goto('/profile')
  const box = page.getByRole('combobox', { name: 'Search files and folders' })
  await box.fill('sunset')
  const option = page.getByRole('option')
  await expect(option).toContainText(`File · /Trip/Lisbon/sunset.txt · Shared by ${owner.email}`)
  await expectAccessible(page)
  await option.click()
  await expect(page).toHaveURL(`/profile?folder=${lisbon}`)
  await expect(tileOf(page, 'sunset.txt')).toBeFocused()
  await box.fill('trip')
  await option.click()
  await expect(page).toHaveURL(`/profile?folder=${trip}`)
  await expect(tileOf(page, 'Lisbon')).toBeVisible()
})

test('keeps favorites of shared folders, with the actions of the role', async ({ page, user, product }) => {
  const owner = await product.createUser()
  const trip = await makeFolder(owner, 'Trip')
  const day = await makeFolder(owner, 'Day 1', trip)
  await owner.client.upload('plan.txt', 'x', { folderId: trip })
  const own = await user.client.upload('own.txt', 'x')
  await user.client.call(addFavorite, { itemType: 'file', itemId: own.id })
  const { memberId } = await addTestMember(product, owner, trip, 'viewer', user)
  await page.goto(`/profile?folder=${trip}`)
  for (const name of ['plan.txt', 'Day 1']) {
    await tileOf(page, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Add to Favorites' }).click()
    await expect(page.getByRole('button', { name: `Favorite ${name}` })).toHaveAttribute('aria-pressed', 'true')
  }
  expect((await owner.client.call(listFavorites, {})).body).toEqual([])

  await page.getByRole('link', { name: 'Favorites' }).click()
  await expect(tiles(page)).toHaveCount(3)
  await tileOf(page, 'plan.txt').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Preview' })).toBeVisible()
  for (const name of ['Rename', 'Delete', 'Public Link', 'Move', 'Cut']) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  }
  await page.getByRole('menuitem', { name: 'Details' }).click()
  await expect(page.getByText('Shared by')).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: owner.email })).toBeVisible()
  await expectAccessible(page)
  await tileOf(page, 'Day 1').dblclick()
  await expect(page).toHaveURL(`/profile?folder=${day}`)
  await page.getByRole('link', { name: 'Favorites' }).click()

  // Own and shared items together.
  await expect(tiles(page)).toHaveCount(3)
  await page.keyboard.press('ControlOrMeta+a')
  const bar = page.getByRole('toolbar', { name: 'Selected items' })
  await expect(bar.getByRole('button', { name: 'Delete 3 items' })).toHaveCount(0)
  await bar.getByRole('button', { name: 'Favorite 3 items' }).click()
  await expect(page.getByRole('heading', { name: 'Add Favorites' })).toBeVisible()
  expect((await user.client.call(listFavorites, {})).body).toEqual([])
  for (const [itemType, itemId] of [
    ['file', own.id],
    ['folder', day],
  ] as const)
    await user.client.call(addFavorite, { itemType, itemId })
  await page.reload()
  await expect(tiles(page)).toHaveCount(2)
  await owner.client.call(removeMember, { id: trip, memberId })
  await page.reload()
  await expect(tileOf(page, 'own.txt')).toBeVisible()
  await expect(tiles(page)).toHaveCount(1)
})

test('plays shared music until the membership ends', async ({ page, paidUser, product }) => {
  const owner = await product.createUser()
  const trip = await makeFolder(owner, 'Trip')
  await owner.client.upload('shared.wav', tone(30), { folderId: trip })
  await paidUser.client.upload('zebra.wav', tone(30))
  const { memberId } = await addTestMember(product, owner, trip, 'viewer', paidUser)
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Music' }).click()
  await expect(track(page, 'shared.wav')).toContainText(`Shared by ${owner.email}`)
  await expect(track(page, 'zebra.wav')).not.toContainText('Shared by')
  await expect(player(page)).toContainText('1/2')
  await expect.poll(() => seconds(player(page))).toBeGreaterThan(0)
  await expectAccessible(page)
  await owner.client.call(removeMember, { id: trip, memberId })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(track(page, 'shared.wav')).toHaveCount(0)
  await expect(player(page)).toContainText('zebra.wav')
})
