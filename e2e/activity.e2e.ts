import { createFolder, moveFile, renameFolder } from '@alcove/contract/files'
import { removeMember } from '@alcove/contract/members'
import { pollEverySecond } from '@alcove/server/testing/engines/poll-changes'
import { addTestMember } from '@alcove/server/testing/factories/shares'
import { expect, expectAccessible, signInAs, test } from './fixtures.ts'
import { tileOf } from './users.ts'

test('lists what the owner and a member did in a shared folder, and what happens meanwhile', async ({
  page,
  user,
  browser,
  product,
}) => {
  const make = async (folderName: string, parentFolderId?: string) =>
    (await user.client.call(createFolder, { folderName, parentFolderId })).body.id
  const secret = await make('Private')
  const trip = await make('Trip')
  const file = await user.client.upload('plan.txt', 'x', { folderId: trip })
  const guest = await addTestMember(product, user, trip, 'editor')
  const arabic = 'صور العائلة من الرحلة الطويلة إلى الجبال '.repeat(3).trim()
  await make(arabic, trip)

  const other = await (
    await browser.newContext({ baseURL: product.url, viewport: { width: 360, height: 740 } })
  ).newPage()
  await signInAs(other, guest)
  await other.goto(`/activity?folder=${trip}`)
  const rows = other.getByRole('list', { name: 'Jan 15, 2026' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(`${user.email} added 2 items to Trip`)
  await expect(rows).toContainText('plan.txt, ')
  await expectAccessible(other)
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await page.goto('/profile')
  await tileOf(page, 'Trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page).toHaveURL(`/activity?folder=${trip}`)
  const own = page.getByRole('listitem').filter({ hasText: 'Trip' })
  await expect(own.filter({ hasText: 'You added 2 items to Trip' })).toBeVisible()
  // The page learns of what a member does without a reload.
  await guest.client.upload('from the guest.txt', 'x', { folderId: trip })
  await expect(own.filter({ hasText: `${guest.email} added from the guest.txt to Trip` })).toBeVisible()
  await expectAccessible(page)

  await user.client.call(moveFile, { fileId: file.id, targetFolderId: secret })
  await user.client.call(renameFolder, { id: trip, newName: 'Journey' })
  await other.reload()
  await expect(rows.filter({ hasText: 'moved plan.txt out of' })).toBeVisible()
  await expect(other.getByRole('link', { name: 'plan.txt' })).toHaveCount(0)
  await expect(other.getByRole('main')).not.toContainText('Private')

  await page.getByRole('link', { name: 'All activity' }).click()
  await expect(page).toHaveURL('/activity')
  await expect(page.getByText('You renamed Trip to Journey in Root')).toBeVisible()
  await page.getByRole('link', { name: 'plan.txt' }).first().click()
  await expect(page).toHaveURL(`/profile?folder=${secret}`)
  await expect(tileOf(page, 'plan.txt')).toBeFocused()
  await other.context().close()
})

test('is reached from the account menu, says that there is nothing, and tries again', async ({ page, user }) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: `Signed in as ${user.email}` }).click()
  await page.route('**/api/activity*', (route) => route.fulfill({ status: 500, json: { error: 'broken' } }))
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page.getByText('Unable to fetch the activity.')).toBeVisible()
  await page.unroute('**/api/activity*')
  await page
    .getByRole('button', { name: 'Try again' })
    .or(page.getByRole('button', { name: 'Retry' }))
    .click()
  await expect(page.getByRole('heading', { name: 'No activity yet' })).toBeVisible()
  await expectAccessible(page)
})

test('says that a folder is gone, whose activity cannot be shown by trying again', async ({ page, user, product }) => {
  const owner = await product.createUser()
  const trip = (await owner.client.call(createFolder, { folderName: 'Trip' })).body.id
  await owner.client.upload('plan.txt', 'x', { folderId: trip })
  const { memberId } = await addTestMember(product, owner, trip, 'editor', user)
  await page.goto(`/activity?folder=${trip}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'plan.txt' })).toBeVisible()
  await expect.poll(() => product.services.events.listeners().some(([, { userId }]) => userId === user.id)).toBe(true)
  const stopPolling = await pollEverySecond(product.services)
  await owner.client.call(removeMember, { id: trip, memberId })
  await expect(page.getByRole('heading', { name: 'Folder not found' })).toBeVisible()
  stopPolling()
  await expect(page.getByRole('main')).not.toContainText('Trip')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All activity' }).click()
  await expect(page).toHaveURL('/activity')
})
