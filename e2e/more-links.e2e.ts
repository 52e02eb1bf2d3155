import { createFolder } from '@alcove/contract/files'
import { createLink, listItemLinks, updateLink } from '@alcove/contract/links'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

async function makeFolder(user: TestUser, folderName: string) {
  return (await user.client.call(createFolder, { folderName })).body
}

const linksOf = async (user: TestUser, id: string) =>
  (await user.client.call(listItemLinks, { id })).body.links.filter(({ isFirst }) => !isFirst)

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

async function openMoreLinks(page: Page, name: string) {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Public Link' }).click()
  await dialogOf(page, 'Public Link').getByRole('button', { name: 'More links' }).click()
  return dialogOf(page, 'More links')
}

test('creates a link with a password and a download limit, edits and deletes it by keyboard', async ({
  page,
  user,
  browser,
}) => {
  const file = await user.client.upload('Letter.txt', 'Dear Inês')
  await page.goto('/profile')
  const links = await openMoreLinks(page, 'Letter.txt')
  await expectAccessible(page)
  await links.getByRole('button', { name: 'New link' }).click()
  const form = dialogOf(page, 'New link')
  await expect(form.getByLabel('Label')).toBeFocused()
  await page.keyboard.type('For Ana')
  // Visitors can't send files to a file.
  await expect(form.getByRole('radio')).toHaveCount(2)
  await form.getByRole('checkbox', { name: 'Ask for a password' }).check()
  await form.getByRole('button', { name: 'Limits' }).click()
  await form.getByLabel('Number of downloads').fill('none')
  await page.keyboard.press('Enter')
  await expect(form.getByText('The password cannot be empty.')).toBeVisible()
  await expect(form.getByText('Enter a whole number from 1, or leave it empty.')).toBeVisible()
  await expect(form.getByLabel('Password', { exact: true })).toBeFocused()
  await form.getByLabel('Password', { exact: true }).fill('sesame')
  await form.getByLabel('Number of downloads').fill('1')
  await expectAccessible(page)
  // A double submission creates one link.
  await form.getByRole('button', { name: 'Create Link' }).dblclick()
  const address = await dialogOf(page, 'Link created').getByLabel('Public link').inputValue()
  await page.keyboard.press('Escape')
  await expect(links.getByRole('button', { name: 'New link' })).toBeFocused()
  await expect(links.getByRole('listitem')).toHaveCount(1)
  expect(await linksOf(user, file.id)).toMatchObject([
    { label: 'For Ana', right: 'view', hasPassword: true, maxDownloads: 1, enabled: true, link: address },
  ])

  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(address)
  await visitor.getByLabel('Password', { exact: true }).fill('sesame')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Letter.txt' })).toBeVisible()
  await expect(visitor.getByText('Dear Inês')).toHaveCount(0)
  const [download] = await Promise.all([
    visitor.waitForEvent('download'),
    visitor.getByRole('link', { name: 'Download', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Letter.txt')
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Nothing is shared here' })).toBeVisible()

  await page.keyboard.press('Escape')
  await dialogOf(page, 'Public Link').getByRole('button', { name: 'More links (1)' }).click()
  await expect(links.getByText('Used up')).toBeVisible()
  await links.getByRole('button', { name: 'Edit link “For Ana”' }).click()
  const edit = dialogOf(page, 'Edit link')
  await edit.getByRole('radio', { name: 'View only' }).check()
  await edit.getByRole('checkbox', { name: 'Ask for a password' }).uncheck()
  await edit.getByLabel('Label').press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Link saved.' })).toBeVisible()
  await expect(links.getByRole('button', { name: 'Edit link “For Ana”' })).toBeFocused()
  await visitor.reload()
  await expect(visitor.getByText('Dear Inês')).toBeVisible()
  await expect(visitor.getByText('View only')).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Download', exact: true })).toHaveCount(0)

  await links.getByRole('button', { name: 'Delete link “For Ana”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(links.getByRole('listitem')).toHaveCount(0)
  expect(await linksOf(user, file.id)).toEqual([])
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Nothing is shared here' })).toBeVisible()
  await visitor.context().close()
})

test('keeps what was typed with an error when a link can’t be saved', async ({ page, user }) => {
  await makeFolder(user, 'Photos')
  await page.goto('/profile')
  await (await openMoreLinks(page, 'Photos')).getByRole('button', { name: 'New link' }).click()
  const form = dialogOf(page, 'New link')
  await form.getByLabel('Label').fill('Kept')
  await page.context().setOffline(true)
  await page.keyboard.press('Enter')
  await expect(form.getByRole('alert')).toHaveText('Couldn’t save the link. Check your connection, then try again.')
  await page.context().setOffline(false)
  await expect(form.getByLabel('Label')).toHaveValue('Kept')
  await form.getByRole('button', { name: 'Create Link' }).click()
  await expect(dialogOf(page, 'Link created')).toBeVisible()
})

test('offers only viewing and downloading for a link of the vault, and says why', async ({ page, paidUser }) => {
  await paidUser.client.call(createFolder, { folderName: 'Papers', isEncrypted: true } as never)
  await page.goto('/vault')
  await (await openMoreLinks(page, 'Papers')).getByRole('button', { name: 'New link' }).click()
  const form = dialogOf(page, 'New link')
  await expect(form.getByText(/They can’t send files to the vault/)).toBeVisible()
  await expect(form.getByRole('radio')).toHaveCount(0)
  await form.getByRole('button', { name: 'Create Link' }).click()
  await expect(dialogOf(page, 'Link created')).toBeVisible()
})

test('lists each link of an item with its state, and disables, enables, edits and deletes it', async ({
  page,
  user,
}) => {
  const { id } = await makeFolder(user, 'Photos')
  await user.client.call(createLink, { id, label: 'Guests', right: 'upload', maxFiles: 9 })
  await user.client.call(createLink, { id, label: 'Family' })
  await page.goto('/profile')
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Shared links' }).click()
  await expect(page.getByText('2 links', { exact: true })).toBeVisible()
  // Away from the row that is now below the pointer, which would show a tooltip.
  await page.mouse.move(0, 0)
  const row = (label: string) => page.getByRole('listitem').filter({ hasText: label })
  await expect(row('Guests').getByText('0 of 9', { exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Disable link “Guests” of Photos' }).click()
  await expect(row('Guests').getByText('Disabled')).toBeVisible()
  await expect.poll(async () => (await linksOf(user, id)).map(({ enabled }) => enabled)).toEqual([false, true])
  await page.getByRole('button', { name: 'Enable link “Guests” of Photos' }).click()
  await expect(row('Guests').getByText('Active')).toBeVisible()

  await page.getByRole('button', { name: 'Settings of the link “Family” of Photos' }).click()
  await dialogOf(page, 'Edit link').getByLabel('Label').fill('Cousins')
  await page.keyboard.press('Enter')
  await expect(row('Cousins')).toBeVisible()
  await page.getByRole('button', { name: 'Delete link “Cousins” of Photos' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('1 link', { exact: true })).toBeVisible()
  expect((await linksOf(user, id)).map(({ label }) => label)).toEqual(['Guests'])
})

test('says that nothing is shared if a link has ended while its page was open, and saves no error', async ({
  user,
  browser,
}) => {
  const folder = (await user.client.call(createFolder, { folderName: 'Trip' })).body
  const file = await user.client.upload('notes.txt', 'We climbed all day.', { folderId: folder.id })
  const visitor = await (await browser.newContext()).newPage()
  const saved: string[] = []
  visitor.on('download', (download) => saved.push(download.suggestedFilename()))
  const missing = visitor.getByRole('heading', { name: 'Nothing is shared here' })

  const once = { maxDownloads: 1 }
  await visitor.goto((await user.client.call(createLink, { id: folder.id, ...once })).body.link)
  const zip = visitor.getByRole('link', { name: 'Download as ZIP' })
  await zip.click()
  await expect.poll(() => saved).toEqual(['Trip.zip'])
  await visitor.getByRole('button', { name: /^notes.txt/ }).click()
  await expect(missing).toBeFocused()

  await visitor.goto((await user.client.call(createLink, { id: file.id, ...once })).body.link)
  const download = visitor.getByRole('link', { name: 'Download', exact: true })
  await download.dblclick()
  await expect.poll(() => saved).toEqual(['Trip.zip', 'notes.txt'])
  await expect(download).toBeVisible()
  await download.press('Enter')
  await expect(missing).toBeFocused()

  const { id, link } = (await user.client.call(createLink, { id: file.id })).body
  await visitor.goto(link)
  await expect(visitor.getByText('We climbed all day.')).toBeVisible()
  await user.client.call(updateLink, { linkId: id, enabled: false })
  await download.click()
  await expect(missing).toBeFocused()
  expect(saved).toEqual(['Trip.zip', 'notes.txt'])
  await visitor.context().close()
})
