import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { createFolder, getFolder } from '@alcove/contract/files'
import { createLink, type LinkRight, updateLink } from '@alcove/contract/links'
import { updateProfile } from '@alcove/contract/profile'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { type Browser, devices, type Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { holdChunksAfter, makeDirectory, text, tray, waitForResumableChunks } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const MEBIBYTE = 1024 * 1024

async function request(user: TestUser, right: LinkRight, settings: object = {}) {
  const folder = (await user.client.call(createFolder, { folderName: 'Hidden name' })).body
  const link = (await user.client.call(createLink, { id: folder.id, right, ...settings })).body
  return { folder, link }
}

async function openVisitor(browser: Browser, address: string, options: object = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(address)
  return page
}

/** Drops a file on the page. Returns whether the browser would open it. */
function dropFile(page: Page, name: string): Promise<boolean> {
  return page.locator('main').evaluate((main, fileName) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['dropped'], fileName))
    const send = (type: string) =>
      main.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    send('dragenter')
    send('dragover')
    return send('drop')
  }, name)
}

const contents = async (user: TestUser, id: string) => {
  const { subFolders, files } = (await user.client.call(getFolder, { id })).body
  return { folders: subFolders, files: files.map(({ name }) => name).toSorted() }
}

test('requests files in three clicks, and gets what a visitor sends', async ({ page, user, browser }) => {
  await user.client.call(updateProfile, { displayName: 'Mara' })
  const folder = (await user.client.call(createFolder, { folderName: 'Hidden name' })).body
  await user.client.upload('Owner’s own.txt', 'x', { folderId: folder.id })
  await page.goto('/profile')
  await tileOf(page, 'Hidden name').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Request files' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request files' })
  await expect(dialog.getByLabel('Title')).toHaveValue('Files for Mara')
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  const address = await dialog.getByLabel('Public link').inputValue()

  const visitor = await openVisitor(browser, address)
  const scripts: string[] = []
  visitor.on('request', (sent) => scripts.push(new URL(sent.url()).pathname))
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'Files for Mara' })).toBeVisible()
  await expect(visitor.getByText('Requested by Mara')).toBeVisible()
  await visitor.getByLabel('Your name (optional)').fill('Ana')
  await expectAccessible(visitor)
  await choose(visitor, 'Choose files', [text('one.txt'), text('two.txt', 'second')])
  await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expect(visitor.getByText('2 files have arrived, 13 B.')).toBeVisible()
  await expect(tray(visitor)).toContainText('compared with the server')
  await expectAccessible(visitor)
  await visitor.getByRole('button', { name: 'Send more' }).click()
  await expect(visitor.getByText('You send as Ana.')).toBeVisible()
  await choose(visitor, 'Choose files', [text('one.txt', 'again')])
  await expect(visitor.getByText('1 file has arrived, 5 B.')).toBeVisible()
  const html = await visitor.content()
  for (const hidden of ['Hidden name', 'Owner’s own']) expect(html).not.toContain(hidden)
  await visitor.waitForLoadState('networkidle')
  // The file manager is not loaded.
  expect(scripts.filter((path) => /\/assets\/(files|ProfilePage|LateParts)-/.test(path))).toEqual([])

  await page.keyboard.press('Escape')
  await tileOf(page, 'Hidden name').dblclick()
  await tileOf(page, 'Ana').dblclick()
  for (const name of ['one.txt', 'one (1).txt', 'two.txt']) await expect(tileOf(page, name)).toBeVisible()
  await page.goto('/shared-links')
  await expect(page.getByText('3 files', { exact: true })).toBeVisible()
  await visitor.context().close()
})

test('keeps the focus where a visitor sends files, thanks them and asks for another name', async ({
  user,
  browser,
}) => {
  const { link } = await request(user, 'upload', { visitorName: 'required' })
  const visitor = await openVisitor(browser, link.link)
  const isFocusInForm = () =>
    visitor.evaluate(() => document.querySelector('main')?.contains(document.activeElement) ?? false)
  await choose(visitor, 'Choose files', [text('one.txt')])
  const name = visitor.getByLabel('Your name')
  await expect(name).toBeFocused()
  await name.fill('Ana')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expect.poll(isFocusInForm).toBe(true)
  await visitor.getByRole('button', { name: 'Send more' }).press('Enter')
  await expect(visitor.getByText('You send as Ana.')).toBeVisible()
  await expect.poll(isFocusInForm).toBe(true)
  await visitor.getByRole('button', { name: 'Change' }).press('Enter')
  await expect(name).toBeFocused()
  await expectAccessible(visitor)
  await visitor.context().close()
})

test('asks for the files again after a reload, and resumes them where they stopped', async ({
  user,
  browser,
  product,
}) => {
  test.setTimeout(120_000)
  const { folder, link } = await request(user, 'upload')
  const directory = await makeDirectory()
  const path = join(directory, 'film.mp4')
  const film = Buffer.alloc(170 * MEBIBYTE, 'film ')
  await writeFile(path, film)
  const visitor = await openVisitor(browser, link.link)
  const release = await holdChunksAfter(visitor, 2)
  await choose(visitor, 'Choose files', path)
  await waitForResumableChunks(visitor, product, 2)
  visitor.on('dialog', (dialog) => void dialog.accept())
  await visitor.reload()
  await release()
  await expect(tray(visitor)).toContainText('Choose the file again to resume at 100 MB')
  await expectAccessible(visitor)
  let sent = 0
  visitor.on('request', (one) => {
    if (one.url().endsWith('/api/upload-chunk')) sent += 1
  })
  await choose(visitor, /^Choose film.mp4 again/, path)
  await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 60_000 })
  expect(sent).toBe(2)
  const { bytes } = await user.client.raw(fetchFile, { filename: 'film.mp4', folderId: folder.id })
  const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex')
  expect(digest(bytes)).toBe(digest(film))
  await rm(directory, { recursive: true })
  await visitor.context().close()
})

test('waits for the password that the owner has changed, and then sends the files anew', async ({
  user,
  browser,
  product,
}) => {
  test.setTimeout(120_000)
  const { folder, link } = await request(user, 'upload')
  const directory = await makeDirectory()
  const path = join(directory, 'film.mp4')
  await writeFile(path, Buffer.alloc(60 * MEBIBYTE, 'film '))
  const visitor = await openVisitor(browser, link.link)
  const release = await holdChunksAfter(visitor, 1)
  await choose(visitor, 'Choose files', path)
  await waitForResumableChunks(visitor, product, 1)
  await user.client.call(updateLink, { linkId: link.id, password: 'sesame' })
  await release()
  await visitor.getByLabel('Password', { exact: true }).fill('sesame')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 60_000 })
  expect((await contents(user, folder.id)).files).toEqual(['film.mp4'])
  await rm(directory, { recursive: true })

  await visitor.getByRole('button', { name: 'Send more' }).click()
  await user.client.call(updateLink, { linkId: link.id, enabled: false })
  await choose(visitor, 'Choose files', [text('late.txt')])
  await expect(visitor.getByRole('heading', { name: 'Nothing is shared here' })).toBeVisible()
  await visitor.context().close()
})

test('sends a whole folder, and a file of the same name beside the one that is there', async ({ user, browser }) => {
  const { folder, link } = await request(user, 'upload')
  const directory = await makeDirectory()
  const trip = join(directory, 'Trip')
  await mkdir(join(trip, 'day 1'), { recursive: true })
  for (let index = 0; index < 120; index += 1) await writeFile(join(trip, 'day 1', `${index}.txt`), `${index}`)
  const visitor = await openVisitor(browser, link.link)
  await choose(visitor, 'Choose a folder', trip)
  await expect(visitor.getByText('120 files have arrived')).toBeVisible()
  await visitor.getByRole('button', { name: 'Send more' }).click()
  await expect(visitor.getByRole('button', { name: 'Choose files' })).toBeVisible()
  await dropFile(visitor, 'dropped.txt')
  await expect(visitor.getByText('1 file has arrived')).toBeVisible()
  const { folders, files } = await contents(user, folder.id)
  expect([folders.map(({ name }) => name), files]).toEqual([['Trip'], ['dropped.txt']])
  const inside = await contents(user, folders[0]?.id as string)
  expect((await contents(user, inside.folders[0]?.id as string)).files).toHaveLength(120)
  await rm(directory, { recursive: true })
  await visitor.context().close()
})

test('takes files that are dropped before the code for dragging has loaded', async ({ user, browser }) => {
  const { folder, link } = await request(user, 'upload')
  const visitor = await (await browser.newContext()).newPage()
  // The rest of the page works without it.
  await visitor.route(/\/assets\/drag-tools-.*\.js$/, () => {})
  await visitor.goto(link.link)
  await expect(visitor.getByRole('button', { name: 'Choose files' })).toBeEnabled()
  await dropFile(visitor, 'early.txt')
  await expect(visitor.getByText('1 file has arrived')).toBeVisible()
  expect((await contents(user, folder.id)).files).toEqual(['early.txt'])

  // Nothing takes files here, so the browser would open them in place of the page.
  expect(await dropFile(visitor, 'late.txt')).toBe(false)
  await visitor.context().close()
})

test('refuses other types and larger files before a byte is sent, and waits for a required name', async ({
  user,
  browser,
}) => {
  const { folder, link } = await request(user, 'upload', {
    ...{ title: 'Photos', fileTypes: ['jpg'], maxFileBytes: MEBIBYTE },
    ...{ visitorName: 'required', folderPerVisitor: true },
  })
  const visitor = await openVisitor(browser, link.link)
  await expect(visitor.getByText('Only jpg files. At most 1 MB for each file.')).toBeVisible()
  const sent: string[] = []
  visitor.on('request', (one) => one.method() === 'POST' && sent.push(one.url()))
  const large = { ...text('large.jpg'), buffer: Buffer.alloc(MEBIBYTE + 1) }
  await choose(visitor, 'Choose files', [text('a.exe'), large, text('fine.jpg')])
  const alert = visitor.getByRole('alert')
  await expect(alert).toContainText('2 files can’t be sent')
  await expect(alert).toContainText('a.exe: Only jpg files can be sent.')
  await expect(alert).toContainText('large.jpg: A file can have at most 1 MB.')
  await expect(visitor.getByLabel('Your name')).toBeFocused()
  await expect(visitor.getByText('Enter your name to send 1 file.')).toBeVisible()
  await expectAccessible(visitor)
  expect(sent).toEqual([])
  await visitor.keyboard.type('Ana')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  expect((await contents(user, folder.id)).folders.map(({ name }) => name)).toEqual(['Ana'])
  await visitor.context().close()
})

test('says what the owner has to do when the storage is full, and nothing of its size', async ({
  browser,
  product,
}) => {
  const user = await product.createUser({ allocatedBytes: 1000 })
  const { link } = await request(user, 'upload')
  const visitor = await openVisitor(browser, link.link)
  await choose(visitor, 'Choose files', [text('a.txt', 'x'.repeat(2000))])
  await expect(tray(visitor)).toContainText('The owner’s storage is full')
  await expect(tray(visitor)).not.toContainText('1000')
  await expect(visitor.getByRole('link', { name: 'See plans' })).toHaveCount(0)
  await visitor.context().close()
})

test('shows what visitors add to a shared folder', async ({ user, browser }) => {
  const { folder, link } = await request(user, 'view-upload', { message: 'Add your photos here.' })
  await user.client.upload('there.txt', 'x', { folderId: folder.id })
  const visitor = await openVisitor(browser, link.link)
  await expect(visitor.getByText('Add your photos here.')).toBeVisible()
  await expect(visitor.getByRole('button', { name: /^there\.txt/ })).toBeVisible()
  await choose(visitor, 'Add files', [text('added.txt')])
  await expect(tray(visitor).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  await expect(visitor.getByRole('button', { name: /^added\.txt/ })).toBeVisible()
  await expectAccessible(visitor)
  await visitor.context().close()
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the page of a request fits 360 px and is accessible in the ${scheme} scheme`, async ({ user, browser }) => {
    const { link } = await request(user, 'upload', {
      title: 'A title without end '.repeat(6).trim(),
      message: `${'long'.repeat(60)}\nשלום`,
      ...{ visitorName: 'optional', maxFiles: 10, fileTypes: ['jpg', 'png', 'heic'] },
    })
    const options = { ...devices['Pixel 7'], viewport: { width: 360, height: 740 }, colorScheme: scheme }
    const visitor = await openVisitor(browser, link.link, options)
    await choose(visitor, 'Choose files', [text(`${'long name '.repeat(20)}.jpg`), text('b.exe')])
    await expect(visitor.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    await expectAccessible(visitor)
    const overflow = await visitor.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    await visitor.context().close()
  })
}
