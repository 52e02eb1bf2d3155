import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listItems } from '@alcove/contract/item-calls'
import { MEBIBYTE } from '@alcove/contract/limits'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makeDirectory, tray } from './uploading.ts'
import { choose, tileOf, waitForText } from './users.ts'

const DATES = {
  'old.txt': new Date('2011-05-06T12:08:09.125Z'),
  'older.txt': new Date('1999-12-30T12:00:00.000Z'),
}

/** Creates files with these dates in a new directory. Returns their paths. */
async function createFiles(names: readonly (keyof typeof DATES)[] = ['old.txt', 'older.txt']): Promise<string[]> {
  const directory = await makeDirectory()
  return Promise.all(
    names.map(async (name) => {
      const path = join(directory, name)
      await writeFile(path, name)
      await utimes(path, DATES[name], DATES[name])
      return path
    }),
  )
}

/** Returns the names of the items in the grid, in order. */
function namesOn(page: Page): Promise<string[]> {
  return page
    .locator('[role="grid"] [data-shape]')
    .evaluateAll((items) => items.map((item) => item.ariaLabel?.split(',')[0] ?? ''))
}

test('keeps, shows and sorts by the dates of uploaded files, and stores them in ZIPs', async ({ page, user }) => {
  await user.client.upload('new.txt', 'x')
  await page.goto('/profile')
  const paths = await createFiles()
  await waitForText(page, 'File uploaded successfully.', () => choose(page, 'Upload file', paths))
  await expect(tileOf(page, 'old.txt')).toContainText('2011')
  await expect(tileOf(page, 'older.txt')).toContainText('1999')
  const { items } = (await user.client.call(listItems, {})).body
  for (const [name, date] of Object.entries(DATES)) {
    expect(items).toContainEqual(expect.objectContaining({ name, modifiedAt: date.toISOString() }))
  }

  await page.getByRole('button', { name: /^Sort by: Name/ }).click()
  await page.getByRole('menuitemradio', { name: 'Modified' }).click()
  await expect.poll(() => namesOn(page)).toEqual(['older.txt', 'old.txt', 'new.txt'])
  await page.reload()
  await expect.poll(() => namesOn(page)).toEqual(['older.txt', 'old.txt', 'new.txt'])

  // A rename changes neither the date nor the place.
  await tileOf(page, 'old.txt').click()
  await page.keyboard.press('F2')
  await page.getByLabel('File Name').fill('a')
  await page.keyboard.press('Enter')
  await expect(tileOf(page, 'a.txt')).toContainText('2011')
  await expect.poll(() => namesOn(page)).toEqual(['older.txt', 'a.txt', 'new.txt'])

  await tileOf(page, 'a.txt').click()
  await page.keyboard.press('ControlOrMeta+i')
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details).toContainText(/Modified[^U]*2011/)
  await expect(details).toContainText(/Uploaded[^L]*2026/)
  await expectAccessible(page)

  await page.keyboard.press('ControlOrMeta+a')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download 3 items' }).click()
  const zip = await readFile(await (await downloading).path())
  // The extended time follows the name in the local header.
  const name = zip.indexOf('a.txt')
  expect(zip.toString('latin1', name + 5, name + 7)).toBe('UT')
  expect(zip.readInt32LE(name + 5 + 5)).toBe(Math.floor(DATES['old.txt'].getTime() / 1000))
})

test('sorts by date if the browser remembers that order from before files had dates', async ({ page, user }) => {
  for (const [name, date] of Object.entries(DATES)) {
    await user.client.upload(name, 'x', { lastModified: date.toISOString() })
  }
  await user.client.upload('a.txt', 'x')
  await page.addInitScript(() => localStorage.setItem('fileSort', 'updatedAt-desc'))
  const lists: string[] = []
  page.on('request', (request) => request.url().includes('/api/items?') && lists.push(request.url()))
  await page.goto('/profile')
  await expect.poll(() => namesOn(page)).toEqual(['a.txt', 'old.txt', 'older.txt'])
  // The list is requested once, before the program has loaded.
  expect(lists).toHaveLength(1)
})

test('keeps the dates of the files of a folder, small and large', async ({ page, user }) => {
  const folder = join(await makeDirectory(), 'Trip')
  await mkdir(folder)
  const date = DATES['old.txt']
  for (const [name, size] of [
    ['small.txt', 5],
    ['large.bin', 6 * MEBIBYTE],
  ] as const) {
    await writeFile(join(folder, name), Buffer.alloc(size))
    await utimes(join(folder, name), date, date)
  }
  await page.goto('/profile')
  await waitForText(page, 'Folder uploaded successfully.', () => choose(page, 'Upload folder', folder))
  const [trip] = (await user.client.call(listItems, {})).body.items
  const { items } = (await user.client.call(listItems, { folderId: trip?.id })).body
  expect(items).toMatchObject([
    { name: 'large.bin', modifiedAt: date.toISOString() },
    { name: 'small.txt', modifiedAt: date.toISOString() },
  ])
})

test('compares both files of a taken name by their own dates', async ({ page, user }) => {
  await user.client.upload('old.txt', 'x', { lastModified: '2003-02-01T12:00:00.000Z' })
  await page.goto('/profile')
  await choose(page, 'Upload file', await createFiles(['old.txt']))
  await expect(tray(page).getByRole('listitem')).toContainText(/Yours7 B, .*2011.*In Alcove1 B, .*2003/)
})

test.describe('a phone 390 px wide', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  for (const view of ['grid', 'list']) {
    test(`shows the date of an old file in the ${view} view`, async ({ page, user }) => {
      await user.client.upload('old.txt', 'x', { lastModified: '2011-05-06T12:08:09.125Z' })
      await page.addInitScript((chosen) => localStorage.setItem('fileView', chosen), view)
      await page.goto('/profile')
      await expect(page.getByRole('grid').getByText(/^1 B · .*2011$/)).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    })
  }
})
