import { fetchFile } from '@alcove/contract/bytes'
import { createFolder, getFolder } from '@alcove/contract/files'
import { listNotices } from '@alcove/contract/notices'
import { updateProfile } from '@alcove/contract/profile'
import { listTrash } from '@alcove/contract/trash'
import { pollEverySecond } from '@alcove/server/testing/engines/poll-changes'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { type Browser, devices, type Page } from '@playwright/test'
import { expect, type Product, signInAs, test } from './fixtures.ts'
import { text } from './uploading.ts'
import { choose, tileOf } from './users.ts'

/** Opens a page in a browser of its own, for another user. */
async function openAs(browser: Browser, product: Product, user: TestUser): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: product.url })).newPage()
  await signInAs(page, user)
  return page
}

const kindsOf = async ({ client }: TestUser) =>
  (await client.call(listNotices, {})).body.notices.map(({ kind }) => kind).toSorted()

/** Returns the contents of the files in a folder, by name. */
async function contentsOf({ client }: TestUser, folderId: string): Promise<Record<string, string>> {
  const { files } = (await client.call(getFolder, { id: folderId })).body
  const contents = files.map(async ({ name: filename }) => {
    const { bytes } = await client.raw(fetchFile, { filename, folderId })
    return [filename, bytes.toString()] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

test('lets a stranger send files, and two people work in one folder until one of them loses access', async ({
  page,
  user,
  browser,
  product,
}) => {
  test.setTimeout(120_000)
  const stopPolling = await pollEverySecond(product.services)
  const { id } = (await user.client.call(createFolder, { folderName: 'Trip' })).body
  await user.client.call(updateProfile, { displayName: 'Mara' })
  await page.goto('/profile')

  // A stranger with a phone sends what was asked for.
  await tileOf(page, 'Trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Request files' }).click()
  const request = page.getByRole('dialog', { name: 'Request files' })
  await request.getByRole('button', { name: 'Create Link' }).click()
  const address = await request.getByLabel('Public link').inputValue()
  await page.keyboard.press('Escape')
  const phone = await (await browser.newContext({ ...devices['Pixel 7'] })).newPage()
  await phone.goto(address)
  await choose(phone, 'Choose files', [text('beach.txt', 'sand'), text('sea.txt', 'salt')])
  await expect(phone.getByText('2 files have arrived, 8 B.')).toBeVisible()
  await phone.context().close()
  await page.getByRole('button', { name: 'Notices, 1 unread' }).click()
  await page.getByText('2 files arrived in “Trip”').click()
  await expect(page).toHaveURL(`/profile?folder=${id}`)
  await tileOf(page, 'Visitor').dblclick()
  for (const name of ['beach.txt', 'sea.txt']) await expect(tileOf(page, name)).toBeVisible()

  // A second person accepts from the bell. Both change things, and each sees what the other does.
  const noel = await product.createUser()
  const other = await openAs(browser, product, noel)
  await other.goto('/profile')
  await page.goto('/profile')
  await tileOf(page, 'Trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share With People' }).click()
  const people = page.getByRole('dialog', { name: 'Share with people' })
  await people.getByLabel('Email').fill(noel.email)
  await people.getByLabel('Role', { exact: true }).selectOption('editor')
  await people.getByRole('button', { name: 'Invite' }).click()
  await other.getByRole('button', { name: 'Notices, 1 unread' }).click()
  await other.getByText('Mara wants to share “Trip” with you.').click()
  await other.getByRole('button', { name: 'Accept “Trip”' }).click()
  await other.getByRole('link', { name: 'Trip', exact: true }).click()
  await expect(tileOf(other, 'Visitor')).toBeVisible()
  await page.goto(`/profile?folder=${id}`)
  await choose(page, 'Upload File', [text('from Mara.txt', 'hello')])
  await expect(tileOf(other, 'from Mara.txt')).toBeVisible()
  await choose(other, 'Upload File', [text('from Noel.txt', 'hi')])
  await expect(tileOf(page, 'from Noel.txt')).toBeVisible()
  await tileOf(other, 'from Mara.txt').focus()
  await other.keyboard.press('Delete')
  await other.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(tileOf(page, 'from Mara.txt')).toHaveCount(0)
  await page.goto('/trash')
  await expect(page.getByText(`Deleted by ${noel.email}`)).toBeVisible()

  // The access ends at once, and nothing is lost.
  await page.goto('/profile')
  await tileOf(page, 'Trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share With People' }).click()
  await people.getByRole('button', { name: `Remove ${noel.email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(other.getByText('Unable to fetch files/folders.')).toBeVisible()
  await expect(tileOf(other, 'Visitor')).toHaveCount(0)
  stopPolling()

  expect((await noel.client.call(getFolder, { id })).status).toBe(404)
  const { subFolders } = (await user.client.call(getFolder, { id })).body
  expect(await contentsOf(user, subFolders[0]?.id as string)).toEqual({ 'beach.txt': 'sand', 'sea.txt': 'salt' })
  expect(await contentsOf(user, id)).toEqual({ 'from Noel.txt': 'hi' })
  const { body: trash } = await user.client.call(listTrash, {})
  expect(trash.files).toMatchObject([{ name: 'from Mara.txt', size: 5, deletedBy: noel.email }])
  expect(await kindsOf(user)).toEqual(['files_received'])
  expect(await kindsOf(noel)).toEqual(['share_offered'])
  await other.context().close()
})
