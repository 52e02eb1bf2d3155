import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { listFiles, renameFile } from '@alcove/contract/files'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makeDirectory, text, tray } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const MEBIBYTE = 1024 * 1024

test('shows both files for a taken name, and resolves conflicts one by one or all at once', async ({ page, user }) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await user.client.upload(name, 'old')
  await page.goto('/profile')
  await choose(
    page,
    'Upload File',
    ['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((name) => text(name, `new ${name}`)),
  )
  await expect(tray(page).getByRole('heading', { name: '4 names are taken' })).toBeVisible()
  const row = (name: string) => tray(page).getByRole('group', { name: `${name} exists already` })
  await expect(row('a.txt')).toContainText(/Yours9 B, .*In Alcove3 B, /)
  await expectAccessible(page)
  await row('a.txt').getByRole('button', { name: 'Replace' }).click()
  await expect(tray(page).getByRole('heading', { name: '3 names are taken' })).toBeVisible()
  await row('b.txt').getByRole('button', { name: 'Skip' }).click()
  await expect(tray(page).getByRole('heading', { name: '2 names are taken' })).toBeVisible()
  await row('c.txt').getByRole('checkbox', { name: 'Do this for all 2' }).check()
  await row('c.txt').getByRole('button', { name: 'Keep both' }).click()
  await expect(tray(page).getByRole('heading', { name: '3 of 3 stored' })).toBeVisible()
  const { files } = (await user.client.call(listFiles, {})).body
  expect(files.map(({ name }) => name).toSorted()).toEqual([
    ...['a.txt', 'b.txt', 'c (1).txt', 'c.txt', 'd (1).txt', 'd.txt'],
  ])
  expect((await user.client.raw(fetchFile, { filename: 'a.txt' })).bytes.toString()).toBe('new a.txt')
  expect((await user.client.raw(fetchFile, { filename: 'b.txt' })).bytes.toString()).toBe('old')
})

test('asks what to do when the name of a large file is taken, and keeps both on request', async ({ page, user }) => {
  await user.client.upload('film.bin', 'old')
  const directory = await makeDirectory()
  const path = join(directory, 'film.bin')
  await writeFile(path, Buffer.alloc(60 * MEBIBYTE, 'film '))
  await page.goto('/profile')
  await choose(page, 'Upload File', path)
  await expect(tray(page).getByRole('heading', { name: 'A name is taken' })).toBeVisible()
  await tray(page).getByRole('button', { name: 'Keep both' }).click()
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible({ timeout: 30_000 })
  await expect(tileOf(page, 'film (1).bin')).toBeVisible()
  await rm(directory, { recursive: true })
})

test('says which file is in the way of an uploaded folder, and uploads the folder once it is renamed', async ({
  page,
  user,
}) => {
  await user.client.upload('Trip', 'a file')
  const directory = await makeDirectory()
  await mkdir(join(directory, 'Trip'))
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(directory, 'Trip', name), name)
  await page.goto('/profile')
  await choose(page, 'Upload Folder', join(directory, 'Trip'))
  await expect(tray(page)).toContainText(
    '2 of 2 files failed. A file or folder named "Trip" already exists here. Rename it or the folder that is uploaded, then try again.',
  )
  await expect(tray(page).getByRole('button', { name: /Keep both|Replace|Skip/ })).toHaveCount(0)
  await user.client.call(renameFile, { oldFilename: 'Trip', newName: 'Trip plan' })
  await tray(page).getByRole('button', { name: 'Retry the upload of Trip' }).click()
  await expect(tray(page).getByRole('heading', { name: '2 of 2 stored' })).toBeVisible()
  await expect(tileOf(page, 'Trip')).toBeVisible()
  await rm(directory, { recursive: true })
})

test('rejects uploads beyond the storage limit before sending a byte, and links to plans and trash', async ({
  page,
  user,
  product,
}) => {
  await product.services.db.updateTable('users').set({ allocated_bytes: 1000 }).where('id', '=', user.id).execute()
  const directory = await makeDirectory()
  await mkdir(join(directory, 'Trip'))
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(directory, 'Trip', name), 'x'.repeat(1500))
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/upload-chunk')) sent += 1
  })
  await page.goto('/profile')
  await choose(page, 'Upload Folder', join(directory, 'Trip'))
  const shortage = 'Not enough free space: "\\S+" needs 500 B more.'
  await expect(
    page.getByRole('alert').filter({ hasText: new RegExp(`Folder upload failed: ${shortage}`) }),
  ).toBeVisible()
  await expect(tray(page)).toContainText(new RegExp(`3 of 3 files failed. ${shortage}`))
  expect(sent).toBe(0)
  await tray(page).getByRole('button', { name: 'Show the 3 failed files' }).click()
  await expect(tray(page).getByText('Trip/a.txt')).toBeVisible()
  await expectAccessible(page)
  await product.services.db.updateTable('users').set({ allocated_bytes: 9000 }).where('id', '=', user.id).execute()
  await tray(page).getByRole('button', { name: 'Retry all failed uploads' }).click()
  await expect(tray(page).getByRole('heading', { name: '3 of 3 stored' })).toBeVisible()
  await choose(page, 'Upload File', [text('large.txt', 'x'.repeat(9000))])
  await expect(tray(page).getByRole('link', { name: 'See plans' })).toBeVisible()
  await expect(tray(page).getByRole('link', { name: /^Empty the trash/ })).toHaveCount(0)
  await tileOf(page, 'Trip').click()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
  await tray(page).getByRole('link', { name: 'Empty the trash to free 4 KB' }).click()
  await expect(page).toHaveURL('/trash')
  await rm(directory, { recursive: true })
})
