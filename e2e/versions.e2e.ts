import { readFile } from 'node:fs/promises'
import { fetchFile } from '@alcove/contract/bytes'
import { listVersions } from '@alcove/contract/versions'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { text, tray } from './uploading.ts'
import { choose, tileOf } from './users.ts'
import { PASSPHRASE, passphraseField, seal } from './vaults.ts'

const history = (page: Page) => page.getByRole('dialog', { name: 'Version history' })
const rowsIn = (dialog: Locator) => dialog.getByRole('list', { name: 'Earlier versions' }).getByRole('listitem')

/** Uploads a file and replaces it, so that it has `count - 1` earlier versions. Each has its own date. */
async function uploadVersions(user: TestUser, name: string, count: number): Promise<string> {
  let id = ''
  for (let version = 1; version <= count; version++) {
    const lastModified = `2020-01-${String(version).padStart(2, '0')}T12:00:00.000Z`
    const fields = { onConflict: 'replace', keepReplaced: true, lastModified }
    id = (await user.client.upload(name, `This is version ${version}.`, fields)).id
  }
  return id
}

async function openHistory(page: Page, name: string): Promise<Locator> {
  await tileOf(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Version history' }).click()
  await expect(history(page).getByText('Current version')).toBeVisible()
  return history(page)
}

/** Uploads a file whose name is taken, and replaces the old one. */
async function replaceByUpload(page: Page, name: string, content: string): Promise<void> {
  await choose(page, 'Upload File', [text(name, content)])
  const row = tray(page).getByRole('listitem').filter({ hasText: 'already exists here' })
  await expect(row).toContainText('Replace keeps the old file as an earlier version.')
  await row.getByRole('button', { name: 'Replace' }).click()
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  await tray(page).getByRole('button', { name: 'Close uploads' }).click()
}

const read = async (user: TestUser, filename: string) =>
  (await user.client.raw(fetchFile, { filename })).bytes.toString()

test('keeps each replaced file, and previews, restores, names and deletes versions', async ({ page, user }) => {
  const id = await uploadVersions(user, 'notes.txt', 9)
  await page.goto('/profile')
  // Within a minute, from one browser: the server would take replacements that nobody chose for one.
  await replaceByUpload(page, 'notes.txt', 'This is version 10.')
  await replaceByUpload(page, 'notes.txt', 'This is version 11.')

  const dialog = await openHistory(page, 'notes.txt')
  await expect(rowsIn(dialog)).toHaveCount(10)
  await expect(rowsIn(dialog).nth(2)).toContainText(/modified .*8.* 2020|modified .*2020.*8/)
  await expectAccessible(page)
  await rowsIn(dialog)
    .nth(2)
    .getByRole('button', { name: /^Preview/ })
    .click()
  const preview = page.getByRole('dialog', { name: /notes\.txt/ })
  await expect(preview.getByText('This is version 8.')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await expect(
    rowsIn(dialog)
      .nth(2)
      .getByRole('button', { name: /^Preview/ }),
  ).toBeFocused()

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    rowsIn(dialog)
      .nth(2)
      .getByRole('button', { name: /^Download/ })
      .click(),
  ])
  expect(await readFile(await saved.path(), 'utf8')).toBe('This is version 8.')

  await rowsIn(dialog)
    .nth(2)
    .getByRole('button', { name: /^Restore/ })
    .dblclick()
  await expect(dialog.getByText('Version restored.')).toBeVisible()
  await expect.poll(() => read(user, 'notes.txt')).toBe('This is version 8.')
  await expect(rowsIn(dialog)).toHaveCount(10)
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByText('The file has its later content again.')).toBeVisible()
  expect(await read(user, 'notes.txt')).toBe('This is version 11.')
  await expect(rowsIn(dialog)).toHaveCount(10)

  await rowsIn(dialog).nth(3).getByRole('button', { name: /^Name/ }).click()
  await page.keyboard.type('discarded')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect(rowsIn(dialog).nth(3).getByRole('button', { name: /^Name/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('before the rewrite')
  await page.keyboard.press('Enter')
  await expect(rowsIn(dialog).nth(3).getByText('before the rewrite')).toBeVisible()

  await rowsIn(dialog)
    .nth(0)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByRole('dialog', { name: 'Delete this version?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('Version deleted.')).toBeVisible()
  await expect(rowsIn(dialog)).toHaveCount(9)
  await expect(
    rowsIn(dialog)
      .nth(0)
      .getByRole('button', { name: /^Restore/ }),
  ).toBeFocused()

  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(tileOf(page, 'notes.txt')).toBeFocused()
  await page.getByRole('button', { name: 'Free up the space of earlier versions' }).click()
  const question = page.getByRole('dialog', { name: 'Delete all earlier versions?' })
  await expect(question).toContainText('Named versions stay')
  await question.getByRole('button', { name: 'Delete Versions' }).click()
  await expect(page.getByText(/^\d+ B freed\.$/)).toBeVisible()
  const { body } = await user.client.call(listVersions, { id })
  expect(body.versions.map(({ name }) => name)).toEqual(['before the rewrite'])
  await tileOf(page, 'notes.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Show history' }).click()
  await expect(rowsIn(dialog)).toHaveCount(1)
})

test('says why a version cannot be restored, and leaves the others usable', async ({ page, user, product }) => {
  const id = await uploadVersions(user, 'a.txt', 4)
  const { body } = await user.client.call(listVersions, { id })
  const [gone, damaged] = body.versions
  const { db } = product.services
  const blob = db
    .selectFrom('versions')
    .select('blob_key')
    .where('id', '=', damaged?.id as string)
  await db.updateTable('blobs').set({ damaged_at: 1 }).where('key', '=', blob).execute()
  await page.goto('/profile')
  const dialog = await openHistory(page, 'a.txt')
  const broken = rowsIn(dialog).nth(1)
  await expect(broken).toContainText("Damaged: its stored bytes can't be read.")
  for (const action of ['Preview', 'Download', 'Restore'])
    await expect(broken.getByRole('button', { name: new RegExp(`^${action}`) })).toBeDisabled()
  await expectAccessible(page)

  // Deleted by a call, the row would disappear from the page, now and then in the middle of the click.
  await db
    .deleteFrom('versions')
    .where('id', '=', gone?.id as string)
    .execute()
  await rowsIn(dialog)
    .nth(0)
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(dialog.getByText('This version no longer exists.')).toBeVisible()
  await expect(rowsIn(dialog)).toHaveCount(2)

  await page.context().setOffline(true)
  await rowsIn(dialog)
    .nth(1)
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(dialog.getByText("Couldn't restore this version. Check your connection")).toBeVisible()
  await page.context().setOffline(false)
  await rowsIn(dialog)
    .nth(1)
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(dialog.getByText('Version restored.')).toBeVisible()
  expect(await read(user, 'a.txt')).toBe('This is version 1.')
})

test('says that a file has no earlier versions, and retries after a failure', async ({ page, user }) => {
  await user.client.upload('new.txt', 'x')
  await page.goto('/profile')
  await page.route('**/versions?*', (route) => route.fulfill({ status: 400, json: {} }))
  const dialog = await openHistory(page, 'new.txt')
  await expect(dialog.getByText("Couldn't load the versions of this file.")).toBeVisible()
  await page.unroute('**/versions?*')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog.getByText('No earlier versions yet.')).toBeVisible()
})

test('decrypts earlier versions of vault files', async ({ page, paidUser: user }) => {
  const vault = { isEncrypted: true, onConflict: 'replace', keepReplaced: true }
  for (const content of ['First draft', 'Second draft', 'Final'])
    await user.client.upload('diary.txt', seal(Buffer.from(content)), vault)
  await page.goto('/vault')
  const dialog = await openHistory(page, 'diary.txt')
  await expect(rowsIn(dialog)).toHaveCount(2)
  await expect(rowsIn(dialog).nth(1)).toContainText('11 B')
  await rowsIn(dialog)
    .nth(1)
    .getByRole('button', { name: /^Preview/ })
    .click()
  const question = page.getByRole('dialog', { name: 'Enter Passphrase' })
  await question.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
  await question.getByRole('button', { name: 'Submit' }).click()
  const preview = page.getByRole('dialog', { name: /diary\.txt/ })
  await expect(preview.getByText('First draft')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await expect(dialog).toBeVisible()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    rowsIn(dialog)
      .nth(0)
      .getByRole('button', { name: /^Download/ })
      .click(),
  ])
  expect(await readFile(await saved.path(), 'utf8')).toBe('Second draft')

  // Restoring needs no passphrase.
  await rowsIn(dialog)
    .nth(1)
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(dialog.getByText('Version restored.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(passphraseField(page)).toHaveValue(PASSPHRASE)
  await tileOf(page, 'diary.txt').dblclick()
  await expect(page.getByRole('dialog', { name: 'Preview of diary.txt' }).getByText('First draft')).toBeVisible()
})

test('says which versions made way for an upload, and offers to free the rest', async ({ page, user, product }) => {
  const { db } = product.services
  await user.client.upload('old.txt', 'x'.repeat(3000))
  await user.client.upload('old.txt', 'y', { onConflict: 'replace', keepReplaced: true })
  // Versions of the last 24 hours don't make way.
  await db.updateTable('versions').set({ created_at: 1 }).where('owner_id', '=', user.id).execute()
  await db.updateTable('users').set({ allocated_bytes: 4000 }).where('id', '=', user.id).execute()
  await page.goto('/profile')
  await expect(page.getByText('Earlier versions: 3 KB')).toBeVisible()
  await choose(page, 'Upload File', [text('new.txt', 'z'.repeat(2000))])
  const sentence = '3 KB of earlier versions was removed to make space.'
  await expect(page.getByRole('status').filter({ hasText: sentence })).toBeVisible()
  await expect(tray(page).getByRole('listitem').filter({ hasText: 'new.txt' })).toContainText(sentence)
  await expect(page.getByText('Earlier versions: 3 KB')).toHaveCount(0)

  await user.client.upload('new.txt', 'w'.repeat(1000), { onConflict: 'replace', keepReplaced: true })
  await page.reload()
  await choose(page, 'Upload File', [text('large.txt', 'z'.repeat(3500))])
  await tray(page).getByRole('button', { name: 'Delete earlier versions to free up to 2 KB' }).click()
  await page.getByRole('button', { name: 'Delete Versions' }).click()
  await expect(page.getByText('2 KB freed.')).toBeVisible()
})

test('includes earlier versions in the data export if the user wants them', async ({ page, user }) => {
  await uploadVersions(user, 'a.txt', 2)
  await page.goto('/account')
  await page.getByLabel('Include earlier versions').check()
  const [request] = await Promise.all([
    page.waitForRequest('**/api/account/data-url'),
    page.waitForEvent('download').then((file) => file.cancel()),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(request.postDataJSON()).toEqual({ history: true })
})

test.describe('on a phone in the dark scheme', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, colorScheme: 'dark' })

  test('fills the screen with the versions, and has their actions in a menu', async ({ page, user }) => {
    const name = `${'A long name '.repeat(8)}.txt`
    const id = await uploadVersions(user, name, 11)
    await page.goto('/profile')
    await page.getByRole('button', { name: /^More actions for A long name/ }).tap()
    await page.getByRole('button', { name: 'Version history' }).tap()
    const dialog = history(page)
    await expect(dialog.getByRole('list', { name: 'Earlier versions' })).toBeVisible()
    await expect(rowsIn(dialog).first()).toHaveAttribute('aria-setsize', '10')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await expectAccessible(page)

    const choose = async (row: number, choice: string) => {
      await rowsIn(dialog)
        .nth(row)
        .getByRole('button', { name: /^Actions for/ })
        .tap()
      await page.getByRole('menuitem', { name: choice }).tap()
    }
    await choose(1, 'Name')
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('שלום')
    await dialog.getByRole('button', { name: 'Save the name' }).tap()
    await expect(rowsIn(dialog).nth(1).getByText('שלום')).toBeVisible()
    await choose(2, 'Preview')
    await expect(page.getByText('This is version 8.')).toBeVisible()
    await page.getByRole('button', { name: 'Restore this version' }).tap()
    await expect(dialog.getByText('Version restored.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Undo' }).tap()
    await expect(dialog.getByText('The file has its later content again.')).toBeVisible()
    await page.goBack()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: /^More actions for A long name/ }).tap()
    await page.getByRole('button', { name: 'Details', exact: true }).tap()
    await page.getByRole('button', { name: 'Show history' }).tap()
    await expect(page.getByRole('dialog', { name: 'Details' })).toHaveCount(0)
    await expect(rowsIn(dialog).first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).tap()
    await expect(dialog).toHaveCount(0)
    expect((await user.client.call(listVersions, { id })).body.total).toBe(10)
  })
})

test('scrolls through a thousand versions', async ({ page, user, product }) => {
  const id = await uploadVersions(user, 'a.txt', 2)
  const { db } = product.services
  const [one] = await db.selectFrom('versions').selectAll().where('item_id', '=', id).execute()
  if (!one) throw new Error('The file has no version.')
  const copies = Array.from({ length: 999 }, (_, index) => ({
    ...one,
    id: `${id.slice(0, -4)}${String(index).padStart(4, '0')}`,
    created_at: index + 1,
  }))
  await db.insertInto('versions').values(copies).execute()
  await page.goto('/profile')
  const dialog = await openHistory(page, 'a.txt')
  await expect(rowsIn(dialog).first()).toHaveAttribute('aria-setsize', '1000')
  await rowsIn(dialog)
    .first()
    .getByRole('button', { name: /^Restore/ })
    .focus()
  // Each End goes to the last version that has loaded, and more load meanwhile.
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(rowsIn(dialog).last()).toHaveAttribute('aria-posinset', '1000', { timeout: 300 })
  }).toPass({ intervals: [50] })
  expect(await rowsIn(dialog).count()).toBeLessThan(60)
})
