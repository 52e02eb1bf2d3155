import { createFolder, getFolder, getStorage } from '@alcove/contract/files'
import { inviteMember, listMembers, listSharedWithMe, offerHandOver, removeMember } from '@alcove/contract/members'
import { pollEverySecond } from '@alcove/server/testing/engines/poll-changes'
import { addTestMember } from '@alcove/server/testing/factories/shares'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, type Product, signInAs, test } from './fixtures.ts'
import { text } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Share with people' })

async function makeFolder(user: TestUser, folderName = 'Trip', place: object = {}) {
  return (await user.client.call(createFolder, { folderName, ...place })).body
}

/** Opens a page in a browser of its own, for another user. */
async function openAs(browser: Browser, product: Product, user: TestUser, options: object = {}): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: product.url, ...options })).newPage()
  await signInAs(page, user)
  return page
}

async function openDialog(page: Page, name: string) {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share With People' }).click()
  return dialogOf(page)
}

test('shares a folder with someone, who accepts, uploads, and loses access when removed', async ({
  page,
  user,
  browser,
  product,
}) => {
  const { id } = await makeFolder(user)
  const guest = await product.createUser()
  await page.goto('/profile')
  const dialog = await openDialog(page, 'Trip')
  await expect(dialog.getByText('Everything in this folder counts toward your storage.')).toBeVisible()
  const email = dialog.getByLabel('Email')
  await expect(email).toBeFocused()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Invalid email format')).toBeVisible()
  await expect(email).toBeFocused()
  await email.fill(user.email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('You can’t invite yourself.')).toBeVisible()
  await email.fill(guest.email)
  await dialog.getByLabel('Role', { exact: true }).selectOption('contributor')
  // A double submission sends one invitation, and no error.
  await dialog.getByRole('button', { name: 'Invite' }).dblclick()
  const row = dialog.getByRole('listitem').filter({ hasText: guest.email })
  await expect(row.getByText('Invited')).toBeVisible()
  await expect(email).toHaveValue('')
  await expect(email).toBeFocused()
  await expect(dialog.getByText(/has been invited to this folder already/)).toHaveCount(0)
  await expectAccessible(page)

  const other = await openAs(browser, product, guest, { viewport: { width: 360, height: 740 } })
  await other.goto('/shared-with-me')
  await expect(other.getByText('Contributor: You can view, download and add.')).toBeVisible()
  await expectAccessible(other)
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await other.getByRole('button', { name: 'Accept “Trip”' }).dblclick()
  await expect(other.getByRole('heading', { name: 'Invitations' })).toHaveCount(0)
  await expect(other.getByText(`Owner: ${user.email} · 0 items`)).toBeVisible()
  await expectAccessible(other)
  await other.setViewportSize({ width: 1280, height: 800 })
  await other.getByRole('link', { name: 'Trip' }).click()
  await expect(other).toHaveURL(`/profile?folder=${id}`)
  await choose(other, 'Upload File', [text('from the guest.txt')])
  await expect(tileOf(other, 'from the guest.txt')).toBeVisible()
  await tileOf(other, 'from the guest.txt').click({ button: 'right' })
  await expect(other.getByRole('menuitem', { name: 'Download' })).toBeVisible()
  for (const name of ['Rename', 'Delete', 'Public Link', 'Move']) {
    await expect(other.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  }
  await other.keyboard.press('Escape')
  expect((await user.client.call(getFolder, { id })).body.files).toMatchObject([{ name: 'from the guest.txt' }])

  const stopPolling = await pollEverySecond(product.services)
  await page.getByRole('button', { name: `Remove ${guest.email}` }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Take Back|Remove/ })
    .click()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByRole('heading', { name: 'People with access' })).toBeFocused()
  await expect(other.getByText('Unable to fetch files/folders.')).toBeVisible()
  stopPolling()
  await expect(tileOf(other, 'from the guest.txt')).toHaveCount(0)
  await other.goto('/shared-with-me')
  await expect(other.getByRole('heading', { name: 'Nothing is shared with you' })).toBeVisible()
  await other.context().close()
})

test('shows the owner and a member at once what the other changes', async ({ page, user, browser, product }) => {
  const { id } = await makeFolder(user)
  const guest = await addTestMember(product, user, id, 'editor')
  await page.goto(`/profile?folder=${id}`)
  const other = await openAs(browser, product, guest, { viewport: { width: 390, height: 800 }, hasTouch: true })
  await other.goto(`/profile?folder=${id}`)
  const streams = () => product.services.events.listeners().map(([, { userId }]) => userId)
  await expect.poll(() => streams().filter((of) => of === user.id || of === guest.id)).toHaveLength(2)
  // Polling finds no new version, whatever happens.
  for (const [one, { client }] of [
    [page, user],
    [other, guest],
  ] as const) {
    const { body: json } = await client.call(getStorage, {})
    await one.route('**/api/storage*', (route) => route.fulfill({ json }))
  }
  const stopPolling = await pollEverySecond(product.services)
  await choose(page, 'Upload File', [text('from the owner.txt')])
  await expect(tileOf(other, 'from the owner.txt')).toBeVisible()
  await guest.client.upload('from the guest.txt', 'x', { folderId: id })
  for (const one of [page, other]) await expect(tileOf(one, 'from the guest.txt')).toBeVisible()
  stopPolling()
  await other.context().close()
})

test('changes the role of a member, who can then only view', async ({ page, user, browser, product }) => {
  const { id } = await makeFolder(user)
  await user.client.upload('a.txt', 'a', { folderId: id })
  const guest = await addTestMember(product, user, id, 'editor')
  await page.goto('/profile')
  const dialog = await openDialog(page, 'Trip')
  await dialog.getByLabel(`Role of ${guest.email}`).focus()
  await dialog.getByLabel(`Role of ${guest.email}`).selectOption('viewer')
  await expect
    .poll(async () => (await user.client.call(listMembers, { id })).body.members.map(({ role }) => role))
    .toEqual(['viewer'])
  await expect(dialog.getByLabel(`Role of ${guest.email}`)).toHaveValue('viewer')
  await expect(dialog.getByLabel(`Role of ${guest.email}`)).toBeFocused()

  const other = await openAs(browser, product, guest)
  await other.goto(`/profile?folder=${id}`)
  await expect(tileOf(other, 'a.txt')).toBeVisible()
  for (const name of ['Upload File', 'Create Folder', 'Rename a.txt', 'Delete a.txt']) {
    await expect(other.getByRole('button', { name, exact: true })).toHaveCount(0)
  }
  await other.getByRole('link', { name: 'Shared with me' }).last().click()
  await other.getByRole('button', { name: 'People in “Trip”' }).click()
  await expect(dialogOf(other).getByText('Everything in this folder counts toward the owner’s storage.')).toBeVisible()
  await expect(dialogOf(other).getByLabel('Email')).toHaveCount(0)
  await expectAccessible(other)
  await other.context().close()
})

test('shows no members any more to a manager who is removed while looking at them', async ({ page, user, product }) => {
  const owner = await product.createUser()
  const { id } = await makeFolder(owner)
  const { memberId } = await addTestMember(product, owner, id, 'manager', user)
  const secret = await addTestMember(product, owner, id, 'viewer')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/shared-with-me')
  await page.getByRole('button', { name: 'People in “Trip”' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Email').fill('someone@exa')
  await expect(dialog.getByText(secret.email)).toBeVisible()
  const stopPolling = await pollEverySecond(product.services)
  await owner.client.call(removeMember, { id, memberId })
  await expect(dialog.getByRole('alert')).toContainText('This folder was deleted, or is no longer shared with you.')
  stopPolling()
  await expect(dialog.getByText(secret.email)).toHaveCount(0)
  await expect(dialog.getByLabel('Email')).toHaveCount(0)
  await expectAccessible(page)
})

test('shows invitations and offers on the open page as soon as they are made', async ({ page, user, product }) => {
  const owner = await product.createUser()
  const { id } = await makeFolder(owner)
  await page.goto('/shared-with-me')
  await expect(page.getByRole('heading', { name: 'Nothing is shared with you' })).toBeVisible()
  await expect.poll(() => product.services.events.listeners().some(([, { userId }]) => userId === user.id)).toBe(true)
  const stopPolling = await pollEverySecond(product.services)
  const { body } = await owner.client.call(inviteMember, { id, email: user.email, role: 'viewer' })
  await page.getByRole('button', { name: 'Accept “Trip”' }).click()
  await expect(page.getByRole('link', { name: 'Trip' })).toBeVisible()
  const memberId = 'id' in body ? body.id : ''
  await owner.client.call(offerHandOver, { id, memberId })
  const offer = page.getByText(`${owner.email} wants to make you the owner.`)
  await expect(offer).toBeVisible()
  stopPolling()
  await page.getByRole('button', { name: 'Decline to own “Trip”' }).press('Enter')
  await expect(offer).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'What others share with you' })).toBeFocused()
})

test('declines an invitation and leaves a folder, and shows long and right-to-left names', async ({
  page,
  user,
  product,
}) => {
  const owner = await product.createUser()
  const long = 'צילומים '.repeat(12).trim()
  const [first, second] = [await makeFolder(owner, long), await makeFolder(owner, 'Plans')]
  for (const { id } of [first, second])
    await owner.client.call(inviteMember, { id, email: user.email, role: 'manager' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/shared-with-me')
  await page.getByRole('button', { name: `Accept “${long}”` }).click()
  await page.getByRole('button', { name: 'Decline “Plans”' }).click()
  await expect(page.getByRole('heading', { name: 'Invitations' })).toHaveCount(0)
  // The focus stays in the list.
  await expect(page.getByRole('region', { name: 'What others share with you' })).toBeFocused()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBe(360)
  await page.getByRole('button', { name: `People in “${long}”` }).hover()
  await expect(page.getByRole('tooltip', { name: `People in “${long}”` })).toBeInViewport({ ratio: 1 })
  expect(await width()).toBe(360)
  // Away from the button that is now below the pointer, which would show a tooltip.
  await page.mouse.move(0, 0)
  await expectAccessible(page)
  await page.getByRole('button', { name: `Leave “${long}”` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is shared with you' })).toBeVisible()
  expect((await user.client.call(listSharedWithMe, {})).body).toEqual({ folders: [], invitations: [] })
})

test('offers Retry when the list can’t be loaded, and no sharing with people in the vault', async ({
  page,
  paidUser,
}) => {
  await page.route('**/api/shared-with-me', (route) => route.fulfill({ status: 400, json: { message: 'no' } }))
  await page.goto('/shared-with-me')
  await expect(page.getByRole('alert')).toContainText('Unable to fetch shared folders.')
  await page.unroute('**/api/shared-with-me')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is shared with you' })).toBeVisible()
  await makeFolder(paidUser, 'Papers', { isEncrypted: true })
  await page.goto('/vault')
  await tileOf(page, 'Papers').click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Public Link' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Share With People' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Public Link' }).click()
  await expect(page.getByRole('dialog').getByText(/^Nobody else can change this folder: /)).toBeVisible()
})
