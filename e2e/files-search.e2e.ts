import { createFolder } from '@alcove/contract/files'
import type { SearchResult } from '@alcove/contract/search'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

async function makeFolder({ client }: TestUser, folderName: string, parentFolderId?: string): Promise<string> {
  return (await client.call(createFolder, { folderName, parentFolderId })).body.id
}

/** Creates files and folders to search for at several depths. */
async function createSearchableItems(user: TestUser): Promise<{ photos: string; lisbon: string }> {
  const { client } = user
  const photos = await makeFolder(user, 'Photos')
  const lisbon = await makeFolder(user, 'Spring in Lisbon', photos)
  await client.upload('Sunset at the river.jpg', 'x', { folderId: lisbon })
  await client.upload('a sunset.txt', 'x', { folderId: photos })
  await client.upload('Résumé <b>"2024".pdf', 'x')
  await client.upload('שקיעה ארוכה.txt', 'x', { folderId: lisbon })
  await client.upload(`${'a very long name indeed '.repeat(8)}.txt`, 'x', { folderId: lisbon })
  for (let number = 0; number < 60; number += 1) await client.upload(`note ${number}.txt`, 'x', { folderId: photos })
  return { photos, lisbon }
}

const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search files and folders' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Search results' }).getByRole('option')
const activeOption = (page: Page) => page.getByRole('option', { selected: true })

test('finds items while typing, and focuses the clicked result in its folder', async ({ page, user }) => {
  const { lisbon } = await createSearchableItems(user)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeAttached()
  await searchBox(page).click()
  await searchBox(page).pressSequentially('sunSET', { delay: 30 })
  await expect(options(page)).toHaveCount(2)
  await expect(options(page).first()).toContainText('Sunset at the river.jpg')
  await expect(options(page).first()).toContainText('File · /Photos/Spring in Lisbon/Sunset at the river.jpg')
  await expect(options(page).first().locator('mark')).toHaveText('Sunset')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })

  await options(page).first().click()
  await expect(page).toHaveURL(`/profile?folder=${lisbon}`)
  await expect(page.getByText(`Current Folder: ${lisbon}`)).toBeVisible()
  await expect(tileOf(page, 'Sunset at the river.jpg')).toBeFocused()
  await expect(tileOf(page, 'Sunset at the river.jpg')).toBeInViewport()
  await expect(options(page)).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('Current Folder: Root')).toBeVisible()
})

test('opens, navigates and closes the search with the keyboard alone', async ({ page, user }) => {
  const { photos } = await createSearchableItems(user)
  await page.goto('/profile')
  await expect(tileOf(page, 'Photos')).toBeVisible()
  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await expect(searchBox(page)).toHaveValue('')
  await page.keyboard.type('note ')
  await expect(options(page)).toHaveCount(60)
  await expect(activeOption(page)).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(activeOption(page)).toContainText('note 0.txt')
  await page.keyboard.press('End')
  await expect(activeOption(page)).toContainText('note 59.txt')
  await expect(activeOption(page)).toBeInViewport()
  await page.keyboard.press('ArrowDown')
  await expect(activeOption(page)).toContainText('note 0.txt')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(activeOption(page)).toContainText('note 58.txt')
  await page.keyboard.press('Home')
  await expect(activeOption(page)).toContainText('note 0.txt')

  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await expect(searchBox(page)).toHaveValue('note ')
  await page.keyboard.press('ArrowDown')
  await expect(options(page)).toHaveCount(60)
  await page.keyboard.type('57')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/profile')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/profile?folder=${photos}`)
  await expect(tileOf(page, 'note 57.txt')).toBeFocused()
  await expect(tileOf(page, 'note 57.txt')).toBeInViewport()

  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(searchBox(page)).toHaveValue('')
  // In other fields, the slash is an ordinary character.
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  await page.getByLabel('Folder Name').pressSequentially('a/b')
  await expect(page.getByLabel('Folder Name')).toHaveValue('a/b')
})

test('finds names regardless of accents and case, and opens the parent of a found folder', async ({ page, user }) => {
  const { photos } = await createSearchableItems(user)
  await page.goto('/profile')
  await searchBox(page).fill('resume <B>')
  await expect(options(page)).toHaveText([/^Résumé <b>"2024"\.pdfFile · \/Résumé <b>"2024"\.pdf$/])
  await expect(options(page).locator('mark')).toHaveText('Résumé <b>')
  await searchBox(page).fill('lisbon')
  await expect(options(page)).toHaveCount(1)
  await expect(options(page)).toContainText('Folder · /Photos/Spring in Lisbon')
  await options(page).click()
  await expect(page).toHaveURL(`/profile?folder=${photos}`)
  await expect(tileOf(page, 'Spring in Lisbon')).toBeFocused()
  await searchBox(page).fill('ארוכה')
  await expect(options(page).locator('mark')).toHaveText('ארוכה')
})

test('ignores blank text, reports no results, searches again on Search and resets on Clear', async ({ page, user }) => {
  await createSearchableItems(user)
  let requests = 0
  await page.route('**/api/search?*', (route) => {
    requests += 1
    return route.continue()
  })
  await page.goto('/profile')
  await searchBox(page).fill('   ')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(searchBox(page)).toBeFocused()
  expect(requests).toBe(0)
  await searchBox(page).fill('nothing has this')
  await expect(page.getByText('No results found')).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  const before = requests
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect.poll(() => requests).toBe(before + 1)
  await expect(page.getByText('No results found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByText('No results found')).toHaveCount(0)
  await expect(searchBox(page)).toHaveValue('')
  await expect(searchBox(page)).toBeFocused()
  // The next search finds a file that was just uploaded.
  await user.client.upload('nothing has this.txt', 'x')
  await searchBox(page).fill('nothing has this')
  await expect(options(page)).toHaveCount(1)
  await page.getByRole('heading', { name: 'Files' }).click()
  await expect(options(page)).toHaveCount(0)
})

test('never shows a late response to an earlier search text', async ({ page, user }) => {
  await createSearchableItems(user)
  const makeResult = (name: string): SearchResult => ({
    id: '00000000-0000-4000-8000-000000000000',
    name,
    type: 'file',
    path: `/${name}`,
    folder_id: null,
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const requested: string[] = []
  await page.route('**/api/search?*', async (route) => {
    const q = new URL(route.request().url()).searchParams.get('q') as string
    requested.push(q)
    if (q !== 'moon') await released
    await route.fulfill({ json: [makeResult(`answer to ${q}`)] }).catch(() => {})
  })
  await page.goto('/profile')
  for (const text of ['s', 'su']) {
    await searchBox(page).fill(text)
    await expect.poll(() => requested.at(-1)).toBe(text)
  }
  await expect(page.getByText('Searching…')).toBeVisible()
  await searchBox(page).fill('moon')
  await expect(options(page)).toHaveCount(1)
  await expect(options(page)).toContainText('answer to moon')
  release()
  const seen = new Set<string>()
  for (let check = 0; check < 10; check += 1) {
    for (const text of await options(page).allTextContents()) seen.add(text.slice(0, 14))
    await page.waitForTimeout(100)
  }
  expect([...seen]).toEqual(['answer to moon'])
})

test('shows an error when a search fails, and retries it', async ({ page, user }) => {
  await createSearchableItems(user)
  let isBroken = true
  await page.route('**/api/search?*', (route) => (isBroken ? route.abort() : route.continue()))
  await page.goto('/profile')
  await searchBox(page).fill('sunset')
  await expect(page.getByText('The search failed.')).toBeVisible()
  await expectAccessible(page)
  isBroken = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(options(page)).toHaveCount(2)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('fits the search box and its results on the screen, and opens the tapped result', async ({ page, user }) => {
    const { lisbon } = await createSearchableItems(user)
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Open search' }).tap()
    await searchBox(page).fill('s')
    await expect(options(page).first()).toBeVisible()
    await searchBox(page).fill('long name')
    await expect(options(page)).toHaveCount(1)
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await options(page).tap()
    await expect(page).toHaveURL(`/profile?folder=${lisbon}`)
    await expect(page.getByText('a very long name', { exact: false }).first()).toBeInViewport()
    await expect(options(page)).toHaveCount(0)
  })
})
