import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFolder, fetchFile, getFolder, listFiles, listRootFolders } from '@alcove/contract/files'
import type { TestUser } from '@alcove/server/testing/factories'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, expectAccessible, type Product, test } from './fixtures.ts'
import { choose, tileOf } from './people.ts'

const MEBIBYTE = 1024 * 1024

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const text = (name: string, content = name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

async function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'alcove-e2e-'))
}

/** Lets no more than so many chunks through; the others hang until the page goes or the returned function is called. */
async function holdChunksAfter(page: Page, count: number): Promise<() => Promise<void>> {
  let passed = 0
  const held: (() => void)[] = []
  const pattern = '**/api/upload-chunk'
  await page.route(pattern, async (route) => {
    passed += 1
    if (passed > count) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue().catch(() => {})
  })
  return async () => {
    await page.unroute(pattern)
    for (const release of held) release()
  }
}

/** Another page of the same browser, signed in: as after a crash, or as a second tab. */
async function openAnother(context: BrowserContext, user: TestUser): Promise<Page> {
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

async function countReceived(product: Product): Promise<number> {
  return (await product.services.db.selectFrom('upload_chunks').select('chunk_index').execute()).length
}

/** Drops files and folders on the page as the system does: `null` stands for an empty folder. */
async function drop(page: Page, names: Record<string, string | null>): Promise<void> {
  await page.evaluate((tree) => {
    const fileEntry = (name: string, content: string) => ({
      name,
      isDirectory: false,
      file: (done: (file: File) => void) => done(new File([content], name)),
    })
    const folderEntry = (name: string, below: object[]): object => {
      const left = [below, []]
      return {
        name,
        isDirectory: true,
        createReader: () => ({ readEntries: (done: (some: object[]) => void) => done(left.shift() ?? []) }),
      }
    }
    const items = Object.entries(tree).map(([path, content]) => {
      const parts = path.split('/')
      const name = parts.at(-1) ?? ''
      let entry: object = content === null ? folderEntry(name, []) : fileEntry(name, content)
      for (const parent of parts.slice(0, -1).reverse()) entry = folderEntry(parent, [entry])
      const file = content === null || parts.length > 1 ? null : new File([content], name)
      return { kind: 'file', type: '', webkitGetAsEntry: () => entry, getAsFile: () => file }
    })
    const dataTransfer = {
      items,
      types: ['Files'],
      files: [],
      effectAllowed: 'all',
      dropEffect: 'none',
      getData: () => '',
      setData: () => {},
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      const event = new DragEvent(type, { bubbles: true, cancelable: true, clientX: 600, clientY: 500 })
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
      document.elementFromPoint(600, 500)?.dispatchEvent(event)
    }
  }, names)
}

test('uploads survive leaving the page, tell how far they are in the title, and end with a receipt', async ({
  page,
  user,
}) => {
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 3)
  await choose(
    page,
    'Upload File',
    Array.from({ length: 12 }, (_, index) => text(`note ${index}.txt`)),
  )
  await expect(tray(page).getByRole('heading', { name: /^Uploading \d of 12$/ })).toBeVisible()
  await expect(page).toHaveTitle(/^\d+ % · Alcove$/)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByText('No trashed files.')).toBeVisible()
  await expect(page).toHaveTitle(/^\d+ % · Alcove$/)
  await tray(page).getByRole('button', { name: 'Pause all uploads' }).click()
  await expect(page).toHaveTitle('Trash · Alcove')
  await release()
  await tray(page).getByRole('button', { name: 'Resume all uploads' }).click()
  await expect(page.getByText('File uploaded successfully.')).toBeVisible()
  await expect(tray(page).getByRole('heading', { name: '12 of 12 stored' })).toBeVisible()
  await expect(tray(page)).toContainText('compared with the server')
  await expect(page.getByRole('status').filter({ hasText: 'Uploads have ended: 12 of 12 stored.' })).toBeAttached()
  await expect(page).toHaveTitle('Trash · Alcove')
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(12)
  await tray(page).getByRole('listitem').filter({ hasText: 'note 3.txt' }).hover()
  await tray(page).getByRole('button', { name: 'Show note 3.txt in Root' }).click()
  await expect(tileOf(page, 'note 3.txt')).toBeVisible()
})

test('the keyboard reaches the tray and goes back, and closing it stops nothing', async ({ page, user }) => {
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 0)
  await choose(page, 'Upload File', [text('a.txt')])
  await expect(tray(page)).toBeVisible()
  await page.keyboard.press('F6')
  await expect(tray(page)).toBeFocused()
  await page.keyboard.press('F6')
  await expect(page.getByRole('main')).toBeFocused()
  await tray(page).getByRole('button', { name: 'Close uploads' }).click()
  await expect(tray(page)).toHaveCount(0)
  await page.keyboard.press('F6')
  await expect(tray(page)).toBeFocused()
  await release()
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(1)
})

test('taken names show both sides, and are answered one by one or all at once', async ({ page, user }) => {
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

test('a large file whose name is taken asks before its bytes are sent', async ({ page, user }) => {
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

test('what a crash left unfinished comes back, and goes on for several files chosen at once', async ({
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
  await expect(async () => expect(await countReceived(product)).toBeGreaterThanOrEqual(2)).toPass()
  await page.waitForTimeout(1500)

  // While the first tab lives its uploads are its own.
  const second = await openAnother(context, user)
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

test('a file that changed since its upload began starts again, and says so', async ({
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
  await expect(async () => expect(await countReceived(product)).toBeGreaterThanOrEqual(1)).toPass()
  await page.waitForTimeout(1500)
  await page.close({ runBeforeUnload: false })

  // Other bytes, the same size and date.
  const changed = Buffer.alloc(120 * MEBIBYTE, 'film ')
  for (const offset of [20 * MEBIBYTE, 70 * MEBIBYTE, 110 * MEBIBYTE]) changed.write('cut', offset)
  await writeFile(path, changed)
  await utimes(path, date, date)
  const second = await openAnother(context, user)
  await expect(tray(second).getByRole('heading', { name: '1 unfinished upload' })).toBeVisible()
  await choose(second, /^Choose film.bin again/, path)
  await expect(
    second.getByRole('alert').filter({ hasText: 'film.bin has changed since: its upload starts again.' }),
  ).toBeVisible({ timeout: 30_000 })
  await expect(tray(second).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible({ timeout: 30_000 })
  const { bytes } = await user.client.raw(fetchFile, { filename: 'film.bin' })
  expect(bytes.equals(changed)).toBe(true)
  await rm(directory, { recursive: true })
})

test('a folder that a reload interrupted goes on with the files that are left', async ({ page, user }) => {
  const directory = await makeDirectory()
  const trip = join(directory, 'Trip')
  await mkdir(join(trip, 'day 1'), { recursive: true })
  for (let index = 0; index < 30; index++) await writeFile(join(trip, 'day 1', `${index}.txt`), `${index}`)
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 10)
  await choose(page, 'Upload Folder', trip)
  await expect(tray(page)).toContainText('10 of 30 files')
  await page.waitForTimeout(400)
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

test('without a network uploads wait, and go on by themselves', async ({ page, user, context }) => {
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 1)
  await choose(
    page,
    'Upload File',
    Array.from({ length: 8 }, (_, index) => text(`${index}.txt`)),
  )
  await expect(tray(page).getByRole('heading', { name: /^Uploading/ })).toBeVisible()
  await context.setOffline(true)
  await expect(tray(page)).toContainText('You are offline. Uploads go on by themselves.')
  await release()
  await page.waitForTimeout(500)
  await context.setOffline(false)
  await expect(tray(page).getByRole('heading', { name: '8 of 8 stored' })).toBeVisible({ timeout: 20_000 })
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(8)
})

test('a session that ends meanwhile loses nothing: uploads go on after signing in', async ({ page, user }) => {
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
    Array.from({ length: 8 }, (_, index) => text(`${index}.txt`)),
  )
  await expect(page.getByText('Your session has expired.')).toBeVisible()
  await expect(page).toHaveURL('/', { timeout: 10_000 })
  isOver = false
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  // The login itself is another journey: here the session is simply there again.
  await page.evaluate(([token]) => localStorage.setItem('token', token as string), [user.token])
  await page.evaluate(() => window.dispatchEvent(new StorageEvent('storage', { key: 'token' })))
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(tray(page).getByRole('heading', { name: '8 of 8 stored' })).toBeVisible()
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(8)
})

test('what there is no room for is refused before its first byte, one file or a whole folder', async ({
  page,
  user,
  product,
}) => {
  await product.services.db.updateTable('users').set({ allocated_bytes: 3000 }).where('id', '=', user.id).execute()
  const directory = await makeDirectory()
  await mkdir(join(directory, 'Trip'))
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(directory, 'Trip', name), 'x'.repeat(1500))
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/upload-chunk')) sent += 1
  })
  await page.goto('/profile')
  await choose(page, 'Upload Folder', join(directory, 'Trip'))
  const lack = 'Not enough room: "Trip" needs 1 KB more than there is.'
  await expect(page.getByRole('alert').filter({ hasText: `Folder upload failed: ${lack}` })).toBeVisible()
  await expect(tray(page)).toContainText(`3 of 3 files failed. ${lack}`)
  expect(sent).toBe(0)
  await tray(page).getByRole('button', { name: 'Show the 3 failed files' }).click()
  await expect(tray(page).getByText('Trip/a.txt')).toBeVisible()
  await expectAccessible(page)
  await product.services.db.updateTable('users').set({ allocated_bytes: 9000 }).where('id', '=', user.id).execute()
  await tray(page).getByRole('button', { name: 'Retry all that failed' }).click()
  await expect(tray(page).getByRole('heading', { name: '3 of 3 stored' })).toBeVisible()
  await choose(page, 'Upload File', [text('large.txt', 'x'.repeat(9000))])
  await tray(page).getByRole('link', { name: 'Make room in the trash' }).click()
  await expect(page).toHaveURL('/trash')
  await rm(directory, { recursive: true })
})

test('files, folders and empty folders are dropped together, into the folder that is named', async ({ page, user }) => {
  const photos = (await user.client.call(createFolder, { folderName: 'Photos' })).body
  await page.goto(`/profile?folder=${photos.id}`)
  await expect(page.getByRole('navigation', { name: /path/i })).toContainText('Photos')
  await drop(page, { 'note.txt': 'x', 'Trip/day 1/a.jpg': 'y', 'Plans/later': null, Nothing: null })
  await expect(page.getByText('Folder uploaded successfully.').first()).toBeVisible()
  for (const name of ['note.txt', 'Trip', 'Plans', 'Nothing']) await expect(tileOf(page, name)).toBeVisible()
  await tileOf(page, 'Plans').dblclick()
  await expect(tileOf(page, 'later')).toBeVisible()
})

test('pasted files are uploaded, a screenshot under the time it came', async ({ page, user }) => {
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  const paste = (name: string, type: string) =>
    page.evaluate(
      ([filename, mime]) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['x'], filename as string, { type: mime }))
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      },
      [name, type],
    )
  await paste('image.png', 'image/png')
  await expect(tileOf(page, 'Pasted image').or(page.getByRole('gridcell', { name: /^Pasted image/ }))).toBeVisible()
  await paste('Letter.txt', 'text/plain')
  await expect(tileOf(page, 'Letter.txt')).toBeVisible()
  const names = (await user.client.call(listFiles, {})).body.files.map(({ name }) => name)
  expect(names.find((name) => /^Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.png$/.test(name))).toBeTruthy()
})

test('ten thousand files do not freeze the page', async ({ page, user }) => {
  test.setTimeout(180_000)
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  // As single files, which makes ten thousand rows: more than a folder asks of the page.
  await page.route('**/api/upload-chunk', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '60' } }))
  await page.evaluate(() => {
    const transfer = new DataTransfer()
    for (let index = 0; index < 10_000; index++) transfer.items.add(new File([`${index}`], `${index}.txt`))
    const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')]
    const input = inputs.find((one) => !one.webkitdirectory) as HTMLInputElement
    input.files = transfer.files
  })
  await page.evaluate(() => {
    const observed = { longest: 0 }
    Object.assign(window, { observed })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) observed.longest = Math.max(observed.longest, duration)
    }).observe({ type: 'longtask' })
    const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')]
    inputs.find((one) => one.files?.length === 10_000)?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(tray(page).getByRole('heading', { name: /of 10,000/ })).toBeVisible()
  expect(await tray(page).getByRole('listitem').count()).toBeLessThan(40)
  await tray(page).getByRole('button', { name: 'Pause all uploads' }).click()
  await expect(tray(page).getByRole('heading', { name: '10,000 uploads are paused' })).toBeVisible()
  const longest = await page.evaluate(() => (window as unknown as { observed: { longest: number } }).observed.longest)
  console.log(`longest task: ${Math.round(longest)} ms`)
  expect(longest).toBeLessThan(2000)
  expect(user.id).toBeTruthy()
})

test('on a phone the tray is as wide as the screen, and the footer can be scrolled clear of it', async ({
  page,
  user,
}) => {
  expect(user.id).toBeTruthy()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/profile')
  await choose(
    page,
    'Upload File',
    Array.from({ length: 20 }, (_, index) => text(`${index} ${'long name '.repeat(9)}.txt`)),
  )
  await expect(tray(page).getByRole('heading', { name: '20 of 20 stored' })).toBeVisible()
  expect((await tray(page).boundingBox())?.width).toBe(360)
  await expectAccessible(page)
  for (const isCollapsed of [false, true]) {
    if (isCollapsed) await tray(page).getByRole('button', { name: 'Hide the list of uploads' }).click()
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect(async () => {
      const footer = await page.getByRole('contentinfo').boundingBox()
      const covered = await tray(page).boundingBox()
      expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual((covered?.y ?? 0) + 1)
    }).toPass()
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
