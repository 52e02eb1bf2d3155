import { createFolder } from '@alcove/contract/files'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makePng } from './sample-files.ts'
import { tileOf } from './users.ts'

/** Holds the scripts and style sheets of the app until the returned function is called. */
async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/(?!first-look).*\.(js|css)$/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

async function fillDrive({ client }: TestUser): Promise<void> {
  await client.call(createFolder, { folderName: 'Spring in Lisbon' })
  await client.call(createFolder, { folderName: 'عطلة الصيف' })
  await client.upload('Miradouro.png', makePng(800, 600, [40, 120, 80]))
  await client.upload('A letter with a name that is much too long for any tile.txt', Buffer.from('Dear Inês'))
  for (const name of ['Budget.xls', 'Song.mp3', 'Noextension', 'Old.backup2000'])
    await client.upload(name, Buffer.from('x'))
}

/** Returns the positions of each tile, its name and its details, in whole pixels. */
function positionsOf(page: Page, root: string): Promise<Record<string, number[]>> {
  return page.evaluate((selector) => {
    const positions: Record<string, number[]> = {}
    for (const name of document.querySelectorAll(`${selector} [data-shape] bdi`)) {
      const tile = name.closest('[data-shape]') as HTMLElement
      const boxes = [tile, name, name.parentElement?.nextElementSibling as Element].map((part) =>
        part.getBoundingClientRect(),
      )
      positions[`${name.textContent}: ${tile.innerText.split('\n').at(-1)}`] = boxes.flatMap(({ x, y, height }) =>
        [x, y, height].map(Math.round),
      )
    }
    return positions
  }, root)
}

for (const { device, width, height, scheme } of [
  { device: 'a wide window', width: 1440, height: 900, scheme: 'light' },
  { device: 'a tablet', width: 820, height: 1100, scheme: 'dark' },
  { device: 'a phone', width: 390, height: 844, scheme: 'light' },
] as const) {
  test.describe(device, () => {
    test.use({ viewport: { width, height }, colorScheme: scheme })

    test('shows the files at their final positions before the app has loaded', async ({ page, user }) => {
      await fillDrive(user)
      // Wait until the thumbnail has been created.
      await page.goto('/profile')
      await expect(tileOf(page, 'Miradouro.png').locator('img')).toBeVisible()
      const release = await holdApp(page)
      await page.goto('/profile', { waitUntil: 'commit' })

      const look = page.locator('#first-look')
      await expect(look.locator('img')).toBeVisible()
      await expect(look.getByText(/^[\d.]+ KB of 10\.00 GB used/)).toBeVisible()
      await expect(look.locator('[data-shape]')).toHaveCount(8)
      await expect(look.getByText('Vault')).toHaveCount(0)
      // The first look contains nothing interactive.
      await expect(page.getByRole('gridcell')).toHaveCount(0)
      await expect(look.locator('button:visible, input:visible')).toHaveCount(0)
      const before = await positionsOf(page, '#first-look')

      release()
      await expect(tileOf(page, 'Miradouro.png')).toBeVisible()
      await expect(look).toHaveCount(0)
      expect(await positionsOf(page, '#root')).toEqual(before)
      await expect(tileOf(page, 'Miradouro.png').locator('img')).toBeVisible()
    })
  })
}

test('shows the navigation of the plan and the email address before the app has loaded', async ({ page, paidUser }) => {
  const release = await holdApp(page)
  await page.goto('/profile', { waitUntil: 'commit' })
  const navigation = page.locator('#first-look nav').first()
  await expect(navigation.getByText('Vault')).toBeVisible()
  await expect(navigation.getByText('2 TB Annually')).toBeVisible()
  await expect(navigation.getByText(`@${paidUser.email.split('@')[1]}`)).toBeVisible()
  release()
  await expect(page.getByRole('link', { name: 'Vault' })).toBeVisible()
  await expect(page.locator('#first-look')).toHaveCount(0)
})

test('does not show the first look for an empty folder', async ({ page, user }) => {
  const folder = (await user.client.call(createFolder, { folderName: 'Trip' })).body
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('#first-look:not([hidden])')) Object.assign(window, { wasShown: true })
    }).observe(document, { childList: true, subtree: true, attributes: true })
  })
  const release = await holdApp(page)
  const listed = page.waitForResponse(/\/api\/items/)
  await page.goto(`/profile?folder=${folder.id}`, { waitUntil: 'commit' })
  await listed
  // Wait longer than the first look waits for the app.
  await page.waitForTimeout(400)
  expect(await page.evaluate(() => 'wasShown' in window)).toBe(false)
  release()
  await expect(page.getByText('An empty shelf')).toBeVisible()
})

test('replaces the first look with an error when the script of the screen fails to load', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Trip' })
  // The page requests the script again, and by then the first look may be gone.
  let isShown: Promise<void> | undefined
  await page.route(/\/assets\/files-.*\.js$/, async (route) => {
    isShown ??= expect(page.locator('#first-look').getByText('Trip')).toBeVisible()
    await isShown
    await route.abort()
  })
  await page.goto('/profile', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'This page could not be shown' })).toBeVisible()
  await expect(page.locator('#first-look')).toHaveCount(0)
})

for (const path of ['/profile', '/trash']) {
  test(`shows an error and a Reload button on ${path} when the app fails to load`, async ({ page, user }) => {
    await user.client.call(createFolder, { folderName: 'Trip' })
    await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort())
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Alcove could not be loaded' })).toBeVisible()
    await expect(page.locator('#first-look')).toHaveCount(0)
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('link', { name: 'Trash' })).toBeVisible()
  })
}
