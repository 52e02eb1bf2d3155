import { randomBytes } from 'node:crypto'
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { digestOf } from './digest.ts'
import { expect, readLink, test } from './fixtures.ts'
import { choose, drag, logIn, tileOf, waitForText } from './users.ts'

/**
 * Tests the main job from end to end. `ALCOVE_E2E_LARGE=1` uses a file of 1 GiB and a folder of 1,000 files, which
 * takes too long for every run.
 */
const isLarge = process.env.ALCOVE_E2E_LARGE === '1'
const FILE_MEBIBYTES = isLarge ? 1024 : 60
const FOLDER_FILES = isLarge ? 1000 : 150

test('signs up, then uploads, organizes, downloads and deletes files', async ({ page, product }) => {
  test.setTimeout(isLarge ? 600_000 : 120_000)
  const directory = await mkdtemp(join(tmpdir(), 'alcove-main-job-'))
  const filePath = join(directory, 'Film.bin')
  for (let size = 0; size < FILE_MEBIBYTES; size += 4) await appendFile(filePath, randomBytes(4 * 1024 * 1024))
  const folderFiles = await copyFiles(join(directory, 'project'), FOLDER_FILES)
  const log = (what: string, since: number) => console.log(`${what}: ${((Date.now() - since) / 1000).toFixed(1)} s`)

  await page.goto('/register')
  await page.getByLabel('Email').fill('mara@example.com')
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  for (const agreement of await page.getByRole('checkbox').all()) await agreement.check()
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto(await readLink(product, 'mara@example.com', '/activate'))
  await expect(page).toHaveURL('/login', { timeout: 10_000 })
  await logIn(page, 'mara@example.com', TEST_PASSWORD)
  await expect(page).toHaveURL('/profile')

  let start = Date.now()
  await waitForText(page, 'File uploaded successfully.', () => choose(page, 'Upload File', filePath))
  log(`upload of ${FILE_MEBIBYTES} MiB`, start)
  start = Date.now()
  const project = join(directory, 'project')
  await waitForText(page, 'Folder uploaded successfully.', () => choose(page, 'Upload Folder', project))
  log(`upload of a folder of ${folderFiles.length} files`, start)
  const stored = await product.services.db
    .selectFrom('items')
    .innerJoin('users', 'users.id', 'items.owner_id')
    .select('items.id')
    .where('users.email', '=', 'mara@example.com')
    .where('items.kind', '=', 'file')
    .execute()
  expect(stored).toHaveLength(folderFiles.length + 1)

  // Opens the folder down to its deepest file, then goes back.
  const deepest = folderFiles.toSorted((a, b) => b.split(sep).length - a.split(sep).length)[0] as string
  const steps = deepest.split(sep)
  for (const step of ['project', ...steps.slice(0, -1)]) {
    await tileOf(page, step).dblclick()
    await expect(page.getByText(/Current Folder: [0-9a-f]{8}-/)).toBeVisible()
    await expect(page.getByRole('navigation', { name: /path|breadcrumb/i })).toContainText(step)
  }
  await expect(tileOf(page, steps.at(-1) as string)).toBeVisible()
  await page.goto('/profile')

  await tileOf(page, 'Film.bin').hover()
  await page.getByRole('button', { name: 'Rename Film.bin' }).click()
  await page.getByLabel('File Name').fill('Our film')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(tileOf(page, 'Our film.bin')).toBeVisible()

  await drag(page, tileOf(page, 'Our film.bin'), tileOf(page, 'project'))
  await expect(page.getByText('File moved successfully.')).toBeVisible()
  await tileOf(page, 'project').dblclick()
  await expect(tileOf(page, 'Our film.bin')).toBeVisible()

  start = Date.now()
  await tileOf(page, 'Our film.bin').click({ button: 'right' })
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const downloaded = await (await downloading).path()
  log(`download of ${FILE_MEBIBYTES} MiB`, start)
  expect(await digestOf(downloaded)).toBe(await digestOf(filePath))

  await tileOf(page, 'Our film.bin').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('File deleted successfully.')).toBeVisible()
  await expect(tileOf(page, 'Our film.bin')).toHaveCount(0)
  await rm(directory, { recursive: true })
})

/** Copies `count` files with their folders from the packages of this project and returns their relative paths. */
async function copyFiles(target: string, count: number): Promise<string[]> {
  const source = join(import.meta.dirname, '../node_modules/react-router')
  const fallback = join(import.meta.dirname, '../node_modules/@tabler/icons-react/dist/esm')
  const copied: string[] = []
  for (const root of [source, fallback]) {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (copied.length >= count) return copied
      const path = join(entry.parentPath, entry.name)
      if (!(await stat(path)).isFile()) continue
      const name = relative(root, path)
      await mkdir(join(target, name, '..'), { recursive: true })
      await cp(path, join(target, name))
      copied.push(name)
    }
  }
  return copied
}
