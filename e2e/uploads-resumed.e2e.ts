import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { getFolder, listFiles, listRootFolders } from '@alcove/contract/files'
import { TEST_PASSWORD, type TestUser } from '@alcove/server/testing/factories/users'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { holdChunksAfter, longText, makeDirectory, readStore, tray, waitForResumableChunks } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const MEBIBYTE = 1024 * 1024

/** Opens another signed-in page in the same browser, like a second tab or a page after a crash. */
async function openAnotherPage(context: BrowserContext, user: TestUser): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/login')
  await page.evaluate(
    ([token, email]) => {
      localStorage.setItem('token', token as string)
      localStorage.setItem('email', email as string)
      localStorage.setItem('planName', 'free')
    },
    [user.token, user.email],
  )
  await page.goto('/profile')
  return page
}

test('offers unfinished uploads after a crash, and resumes several files chosen at once', async ({
  page,
  user,
  product,
  context,
}) => {
  test.setTimeout(120_000)
  const directory = await makeDirectory()
  const paths = ['one.bin', 'two.bin'].map((name) => join(directory, name))
  for (const [index, path] of paths.entries()) await writeFile(path, Buffer.alloc(110 * MEBIBYTE, `film ${index} `))
  await page.goto('/profile')
  await holdChunksAfter(page, 3)
  await choose(page, 'Upload File', paths)
  await waitForResumableChunks(page, product, 3)

  // While the first tab is open, other tabs do not show its uploads.
  const second = await openAnotherPage(context, user)
  await expect(tileOf(second, 'one.bin')).toHaveCount(0)
  await second.waitForTimeout(500)
  await expect(tray(second)).toHaveCount(0)
  await page.close({ runBeforeUnload: false })
  await expect(tray(second).getByRole('heading', { name: '2 unfinished uploads' })).toBeVisible()
  await expectAccessible(second)

  let sent = 0
  second.on('request', (request) => {
    if (request.url().endsWith('/api/upload-chunk')) sent += 1
  })
  await choose(second, 'Choose files', paths)
  await expect(tray(second).getByRole('heading', { name: '2 of 2 stored' })).toBeVisible({ timeout: 60_000 })
  expect(sent).toBeLessThan(6)
  const { files } = (await user.client.call(listFiles, {})).body
  expect(files.map(({ name, size }) => [name, size]).toSorted()).toEqual([
    ['one.bin', 110 * MEBIBYTE],
    ['two.bin', 110 * MEBIBYTE],
  ])
  await rm(directory, { recursive: true })
})

test('restarts an upload with a message when the file has changed since it began', async ({
  page,
  user,
  product,
  context,
}) => {
  test.setTimeout(120_000)
  const directory = await makeDirectory()
  const path = join(directory, 'film.bin')
  const date = new Date(1_750_000_000_000)
  await writeFile(path, Buffer.alloc(120 * MEBIBYTE, 'film '))
  await utimes(path, date, date)
  await page.goto('/profile')
  await holdChunksAfter(page, 2)
  await choose(page, 'Upload File', path)
  await waitForResumableChunks(page, product, 2)
  await page.close({ runBeforeUnload: false })

  // The bytes differ, but the size and the date are the same.
  const changed = Buffer.alloc(120 * MEBIBYTE, 'film ')
  for (const offset of [20 * MEBIBYTE, 70 * MEBIBYTE, 110 * MEBIBYTE]) changed.write('cut', offset)
  await writeFile(path, changed)
  await utimes(path, date, date)
  const second = await openAnotherPage(context, user)
  await expect(tray(second).getByRole('heading', { name: '1 unfinished upload' })).toBeVisible()
  await choose(second, /^Choose film.bin again/, path)
  await expect(
    second.getByRole('alert').filter({ hasText: 'film.bin has changed, so its upload starts again.' }),
  ).toBeVisible({ timeout: 30_000 })
  await expect(tray(second).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible({ timeout: 30_000 })
  const { bytes } = await user.client.raw(fetchFile, { filename: 'film.bin' })
  expect(bytes.equals(changed)).toBe(true)
  await rm(directory, { recursive: true })
})

test('resumes a folder upload with the remaining files after a reload', async ({ page, user }) => {
  const directory = await makeDirectory()
  const trip = join(directory, 'Trip')
  await mkdir(join(trip, 'day 1'), { recursive: true })
  for (let index = 0; index < 30; index++) {
    await writeFile(join(trip, 'day 1', `${index}.txt`), longText(`${index}`).buffer)
  }
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 10)
  await choose(page, 'Upload Folder', trip)
  await expect(tray(page)).toContainText('10 of 30 files')
  // The page forgets a stored file a little later.
  await expect.poll(async () => (await readStore(page, 'uploads')).length).toBe(20)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await release()
  await expect(tray(page)).toContainText('Choose the folder again to resume, 20 files left')
  await choose(page, 'Choose folder', trip)
  await expect(page.getByText('Folder uploaded successfully.')).toBeVisible()
  await expect(tray(page).getByRole('heading', { name: '20 of 20 stored' })).toBeVisible()
  const [folder] = (await user.client.call(listRootFolders, {})).body
  const inside = (await user.client.call(getFolder, { id: folder?.id ?? '' })).body
  const day = (await user.client.call(getFolder, { id: inside.subFolders[0]?.id ?? '' })).body
  expect(day.files).toHaveLength(30)
  await rm(directory, { recursive: true })
})

test('pauses uploads while the browser is offline, and resumes them automatically', async ({ page, user, context }) => {
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 1)
  await choose(
    page,
    'Upload File',
    Array.from({ length: 8 }, (_, index) => longText(`${index}.txt`)),
  )
  await expect(tray(page).getByRole('heading', { name: /^Uploading/ })).toBeVisible()
  await context.setOffline(true)
  await expect(tray(page)).toContainText('You are offline. Uploads resume automatically.')
  await release()
  await page.waitForTimeout(500)
  await context.setOffline(false)
  await expect(tray(page).getByRole('heading', { name: '8 of 8 stored' })).toBeVisible({ timeout: 20_000 })
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(8)
})

test('keeps running uploads and those of earlier versions when the user changes the email address', async ({
  page,
  user,
  product,
}) => {
  const directory = await makeDirectory()
  const paths = ['new.bin', 'old.bin'].map((name) => join(directory, name))
  for (const path of paths) await writeFile(path, Buffer.alloc(60 * MEBIBYTE, path))
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 2)
  await choose(page, 'Upload File', paths)
  await waitForResumableChunks(page, product, 2)
  // Earlier versions stored the address in place of the user's id.
  await page.evaluate(
    (address) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('alcove-uploads')
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('uploads', 'readwrite')
          const uploads = transaction.objectStore('uploads')
          const reading = uploads.getAll()
          reading.onsuccess = () => {
            const record = reading.result.find(({ name }) => name === 'old.bin')
            uploads.put({ ...record, owner: address })
          }
          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    user.email,
  )
  // The browser asks whether to leave uploads that are running.
  page.on('dialog', (question) => question.accept())
  await page.goto('/profile')
  await expect(tray(page).getByRole('heading', { name: '2 unfinished uploads' })).toBeVisible()

  await page.getByRole('link', { name: 'Account', exact: true }).click()
  const card = page.getByRole('region', { name: 'Update Email', exact: true })
  await card.getByLabel('New Email').fill(user.email.replace('@', '.new@'))
  await card.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  const reloaded = page.waitForEvent('load')
  await card.getByRole('button', { name: 'Update Email' }).click()
  await expect(card.getByRole('status')).toContainText('verify the new address')
  await expect(tray(page).getByRole('heading', { name: '2 unfinished uploads' })).toBeVisible()
  await reloaded
  await expect(tray(page).getByRole('heading', { name: '2 unfinished uploads' })).toBeVisible()
  await release()
  await choose(page, 'Choose files', paths)
  await expect(tray(page).getByRole('heading', { name: '2 of 2 stored' })).toBeVisible({ timeout: 60_000 })
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(2)
})

test('resumes uploads after signing in again when the session expired during them', async ({ page, user }) => {
  await page.goto('/profile')
  let isOver = true
  await page.route('**/api/upload-chunk', async (route) => {
    if (isOver)
      await route.fulfill({ status: 401, json: { error: 'Over.', message: 'Over.', code: 'unauthenticated' } })
    else await route.continue()
  })
  await choose(
    page,
    'Upload File',
    Array.from({ length: 8 }, (_, index) => longText(`${index}.txt`)),
  )
  await expect(page.getByText('Your session has expired.')).toBeVisible()
  await expect(page).toHaveURL('/', { timeout: 10_000 })
  isOver = false
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  // Other tests cover the login, so this one stores the session directly.
  await page.evaluate(([token]) => localStorage.setItem('token', token as string), [user.token])
  await page.evaluate(() => window.dispatchEvent(new StorageEvent('storage', { key: 'token' })))
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(tray(page).getByRole('heading', { name: '8 of 8 stored' })).toBeVisible()
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(8)
})
