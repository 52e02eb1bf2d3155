import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFolder, listFiles, renameFile } from '@alcove/contract/files'
import type { Page } from '@playwright/test'
import { digestOf } from './digest.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { waitForResumableChunks } from './uploading.ts'
import { choose, drag, tileOf, waitForText } from './users.ts'

async function upload(page: Page, name: string, content: string): Promise<void> {
  await choose(page, 'Upload File', [{ name, mimeType: 'text/plain', buffer: Buffer.from(content) }])
}

test('uploads, renames, downloads and deletes a file', async ({ page, user }) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
  await upload(page, 'Letter to Inês.txt', 'Dear Inês')
  await expect(page.getByText('File uploaded successfully.')).toBeVisible()
  await expect(tileOf(page, 'Letter to Inês.txt')).toBeVisible()

  await tileOf(page, 'Letter to Inês.txt').hover()
  await page.getByRole('button', { name: 'Rename Letter to Inês.txt' }).click()
  await expect(page.getByLabel('File Name')).toHaveValue('Letter to Inês')
  await expect(page.getByLabel('Extension')).toHaveValue('txt')
  await page.getByLabel('File Name').fill(' ')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page.getByText('File name cannot be empty.')).toBeVisible()
  await page.getByLabel('File Name').fill('Carta')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page.getByText('File renamed successfully.')).toBeVisible()
  await expect(tileOf(page, 'Carta.txt')).toBeVisible()

  await tileOf(page, 'Carta.txt').click({ button: 'right' })
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('Carta.txt')
  const chunks = await (await download.createReadStream()).toArray()
  expect(Buffer.concat(chunks).toString()).toBe('Dear Inês')

  await tileOf(page, 'Carta.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('Are you sure you want to delete this file?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(tileOf(page, 'Carta.txt')).toBeVisible()
  await tileOf(page, 'Carta.txt').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('File deleted successfully.')).toBeVisible()
  await expect(tileOf(page, 'Carta.txt')).toHaveCount(0)
  expect((await user.client.call(listFiles, {})).body.files).toEqual([])
})

test('renames the file that was chosen, although another one has its name by now', async ({ page, user }) => {
  const { id } = await user.client.upload('report.txt', 'chosen')
  await page.goto('/profile')
  const field = page.getByLabel('File Name')
  await expect(async () => {
    if (await field.isHidden()) {
      await tileOf(page, 'report.txt').hover({ timeout: 500 })
      await page.getByRole('button', { name: 'Rename report.txt' }).click({ timeout: 500 })
    }
    await expect(field).toBeFocused({ timeout: 2000 })
  }).toPass()
  await user.client.call(renameFile, { oldFilename: 'report.txt', newName: 'report old.txt' })
  await user.client.upload('report.txt', 'another')
  await page.getByLabel('File Name').fill('report 2026')
  await page.keyboard.press('Enter')
  await expect(page.getByText('File renamed successfully.')).toBeVisible()
  const { files } = (await user.client.call(listFiles, {})).body
  expect(files.map(({ name }) => name).sort()).toEqual(['report 2026.txt', 'report.txt'])
  expect(files.find(({ name }) => name === 'report 2026.txt')?.id).toBe(id)
})

test('opens a dialog only once on a double click followed by Enter', async ({ page, user }) => {
  expect(user.id).toBeTruthy()
  await page.goto('/profile')
  const dialog = page.getByRole('dialog', { name: 'Create Folder' })
  // The first time, the dialog has to be fetched. The second time, it is already loaded.
  for (let time = 0; time < 2; time += 1) {
    await page.getByRole('button', { name: 'Create Folder' }).first().dblclick()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await expect(page.getByLabel('Folder Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
})

test('keeps a dialog open on the second click of a slow double click, which is beside it', async ({ page, user }) => {
  expect(user.id).toBeTruthy()
  await page.goto('/profile')
  const dialog = page.getByRole('dialog', { name: 'Create Folder' })
  await page.getByRole('button', { name: 'Create Folder' }).first().hover()
  await page.mouse.down()
  await page.mouse.up()
  await expect(page.getByLabel('Folder Name')).toBeFocused()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await page.keyboard.type('Photos')
  await expect(dialog.getByLabel('Folder Name')).toHaveValue('Photos')
  await page.mouse.down()
  await page.mouse.up()
  await expect(dialog).toHaveCount(0)
})

test('creates, opens, leaves, renames and deletes folders, and keeps the folder in the URL', async ({ page, user }) => {
  expect(user.id).toBeTruthy()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /create/i })
    .click()
  await expect(page.getByText('Folder name cannot be empty.')).toBeVisible()
  await page.getByLabel('Folder Name').fill('Photos')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Folder created successfully.')).toBeVisible()
  await tileOf(page, 'Photos').dblclick()
  await expect(page).toHaveURL(/\/profile\?folder=[0-9a-f-]{36}$/)
  const id = new URL(page.url()).searchParams.get('folder')
  await expect(page.getByText(`Current Folder: ${id}`)).toBeVisible()
  await upload(page, 'a.txt', 'a')
  await expect(tileOf(page, 'a.txt')).toBeVisible()
  await page.reload()
  await expect(tileOf(page, 'a.txt')).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
  await page.goBack()
  await expect(tileOf(page, 'a.txt')).toBeVisible()
  await page.goForward()

  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await page.getByLabel('Folder Name').fill('Photos')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A file or folder named "Photos" already exists here.').first()).toBeVisible()
  await page.keyboard.press('Escape')

  await tileOf(page, 'Photos').focus()
  await page.keyboard.press('F2')
  await page.getByLabel('Folder Name').fill('Pictures')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Folder renamed successfully.')).toBeVisible()
  await tileOf(page, 'Pictures').hover()
  await page.getByRole('button', { name: 'Delete Pictures' }).click()
  await expect(page.getByText('Are you sure you want to delete this folder and all its contents?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Folder deleted successfully.')).toBeVisible()
  await expect(tileOf(page, 'Pictures')).toHaveCount(0)
})

test('moves items dragged onto a folder or the folder path, unless the name is taken', async ({ page, user }) => {
  const a = (await user.client.call(createFolder, { folderName: 'A' })).body
  await user.client.call(createFolder, { folderName: 'B' })
  await user.client.upload('note.txt', 'x')
  await page.goto('/profile')
  await drag(page, tileOf(page, 'note.txt'), tileOf(page, 'A'))
  await expect(page.getByText('File moved successfully.')).toBeVisible()
  await expect(tileOf(page, 'note.txt')).toHaveCount(0)
  await drag(page, tileOf(page, 'B'), tileOf(page, 'A'))
  await expect(page.getByText('Folder moved successfully.')).toBeVisible()
  await expect(tileOf(page, 'B')).toHaveCount(0)
  await page.goto(`/profile?folder=${a.id}`)
  await expect(tileOf(page, 'B')).toBeVisible()
  await drag(
    page,
    tileOf(page, 'note.txt'),
    page.getByRole('navigation', { name: /path|breadcrumb/i }).getByText('Root'),
  )
  await expect(page.getByText('File moved successfully.')).toBeVisible()
  await expect(tileOf(page, 'note.txt')).toHaveCount(0)
  expect((await user.client.call(listFiles, {})).body.files.map((file) => file.name)).toEqual(['note.txt'])

  await user.client.upload('note.txt', 'other', { folderId: a.id })
  await page.goto('/profile')
  await drag(page, tileOf(page, 'note.txt'), tileOf(page, 'A'))
  await expect(
    page.getByText('Failed to move file: A file or folder named "note.txt" already exists here.'),
  ).toBeVisible()
  await expect(tileOf(page, 'note.txt')).toBeVisible()
})

test('uploads a nested folder with its structure, and keeps names in any script', async ({ page, user, product }) => {
  const directory = await mkdtemp(join(tmpdir(), 'alcove-e2e-'))
  const tree = join(directory, 'Trip')
  for (let day = 0; day < 5; day++) {
    await mkdir(join(tree, `day ${day}`, 'raw'), { recursive: true })
    for (let index = 0; index < 20; index++) {
      await writeFile(join(tree, `day ${day}`, index % 2 ? 'raw' : '', `photo ${index} ü שלום.txt`), `${day}-${index}`)
    }
  }
  expect(user.id).toBeTruthy()
  await page.goto('/profile')
  await choose(page, 'Upload Folder', tree)
  await expect(page.getByText('Folder uploaded successfully.')).toBeVisible({ timeout: 30_000 })
  await tileOf(page, 'Trip').dblclick()
  for (let day = 0; day < 5; day++) await expect(tileOf(page, `day ${day}`)).toBeVisible()
  await tileOf(page, 'day 3').dblclick()
  await expect(tileOf(page, 'raw')).toBeVisible()
  await expect(tileOf(page, 'photo 2 ü שלום.txt')).toBeVisible()
  const stored = await product.services.db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', user.id)
    .where('kind', '=', 'file')
    .execute()
  expect(stored).toHaveLength(100)
  await rm(directory, { recursive: true })
})

test('resumes an upload from the stored chunks after the tab was closed', async ({ page, user, product, context }) => {
  const directory = await mkdtemp(join(tmpdir(), 'alcove-e2e-'))
  const path = join(directory, 'film.bin')
  await writeFile(path, Buffer.alloc(120 * 1024 * 1024, 'film '))
  await page.goto('/profile')
  // The third chunk never arrives, because the tab is closed first.
  let chunks = 0
  await page.route('**/api/upload-chunk', async (route) => {
    if (++chunks > 2) return
    await route.continue()
  })
  await choose(page, 'Upload File', path)
  await waitForResumableChunks(page, product, 2)
  await page.close({ runBeforeUnload: false })

  const second = await context.newPage()
  await second.addInitScript(() => {})
  await second.goto('/profile')
  await second.evaluate(
    ([token, email]) => {
      localStorage.setItem('token', token as string)
      localStorage.setItem('email', email as string)
      localStorage.setItem('planName', 'free')
    },
    [user.token, user.email],
  )
  await second.goto('/profile')
  await expect(second.getByText('film.bin')).toBeVisible()
  let sent = 0
  second.on('request', (request) => {
    if (request.url().endsWith('/api/upload-chunk')) sent++
  })
  await waitForText(second, 'File uploaded successfully.', () => choose(second, /choose/i, path))
  expect(sent).toBeLessThan(3)
  const { files } = (await user.client.call(listFiles, {})).body
  expect(files).toMatchObject([{ name: 'film.bin', size: 120 * 1024 * 1024 }])

  const downloading = second.waitForEvent('download')
  await tileOf(second, 'film.bin').click({ button: 'right' })
  await second.getByRole('menuitem', { name: 'Download' }).click()
  const downloaded = await (await downloading).path()
  expect(await digestOf(downloaded)).toBe(await digestOf(path))
  await rm(directory, { recursive: true })
})

test('renders few of 10,000 files at a time, and reaches the last one', async ({ page, user, product }) => {
  const root = await product.services.db
    .selectFrom('users')
    .select('drive_root_id')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  await user.client.upload('seed', 'x')
  const { media: _computed, ...seed } = await product.services.db
    .selectFrom('items')
    .selectAll()
    .where('parent_id', '=', root.drive_root_id)
    .executeTakeFirstOrThrow()
  for (let start = 0; start < 10_000; start += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => {
      const number = String(start + index)
      const name = `photo ${number}.jpg`
      // The sort key that the server would compute: the next page starts after it.
      return { ...seed, id: crypto.randomUUID(), name, sort_key: `photo ${number.length}${number}.jpg` }
    })
    await product.services.db.insertInto('items').values(rows).execute()
    await product.services.db
      .updateTable('users')
      .set((eb) => ({ item_count: eb('item_count', '+', rows.length) }))
      .where('id', '=', user.id)
      .execute()
  }
  await page.goto('/profile')
  await expect(tileOf(page, 'photo 0.jpg')).toBeVisible()
  expect(await page.getByRole('gridcell').count()).toBeLessThan(300)
  await page.keyboard.press('End')
  await expect(tileOf(page, 'seed')).toBeVisible()
  expect(await page.getByRole('gridcell').count()).toBeLessThan(300)
})

test('shows an error when a file exceeds the storage limit', async ({ page, product, user }) => {
  await product.services.db.updateTable('users').set({ allocated_bytes: 100 }).where('id', '=', user.id).execute()
  await page.goto('/profile')
  await upload(page, 'large.txt', 'x'.repeat(3000))
  await expect(page.getByText(/Not enough free space/).first()).toBeVisible()
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the drive, its menu and dialogs are accessible in the ${scheme} scheme, also at 360 px`, async ({
    page,
    user,
  }) => {
    await user.client.call(createFolder, { folderName: 'Photos' })
    for (const name of ['Itinerary.pdf', 'Budget.xlsx', 'שלום.docx', `${'long name '.repeat(20)}.mp3`])
      await user.client.upload(name, 'x')
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.goto('/profile')
    await expect(tileOf(page, 'Itinerary.pdf')).toBeVisible()
    await expectAccessible(page)
    await tileOf(page, 'Itinerary.pdf').click({ button: 'right' })
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await expect(page.getByLabel('Extension')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
}
