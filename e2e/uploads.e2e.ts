import { listFiles } from '@alcove/contract/files'
import { expect, expectAccessible, test } from './fixtures.ts'
import { holdChunksAfter, longText, text, tray } from './uploading.ts'
import { choose, tileOf } from './users.ts'

test('continues uploads on other pages, shows progress in the title and ends with a summary', async ({
  page,
  user,
}) => {
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 3)
  await choose(
    page,
    'Upload File',
    Array.from({ length: 12 }, (_, index) => longText(`note ${index}.txt`)),
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

test('moves the focus to the upload tray and back with F6, and keeps uploading when it closes', async ({
  page,
  user,
}) => {
  await page.goto('/profile')
  const release = await holdChunksAfter(page, 0)
  await choose(page, 'Upload File', [text('a.txt')])
  await expect(tray(page)).toBeVisible()
  await page.keyboard.press('F6')
  await expect(tray(page)).toBeFocused()
  await page.keyboard.press('F6')
  await expect(page.getByRole('main')).toBeFocused()
  await tray(page).getByRole('button', { name: 'Close uploads' }).click()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(tray(page)).toHaveCount(0)
  await page.keyboard.press('F6')
  await expect(tray(page)).toBeFocused()
  await release()
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  expect((await user.client.call(listFiles, {})).body.files).toHaveLength(1)
})

test('passes the focus on when a button of the tray disappears, and leaves it to a user who is elsewhere', async ({
  page,
  user,
}) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await user.client.upload(name, 'old')
  await page.goto('/profile')
  await choose(
    page,
    'Upload File',
    ['a.txt', 'b.txt', 'c.txt'].map((name) => text(name, `new ${name}`)),
  )
  const replace = (name: string) =>
    tray(page)
      .getByRole('group', { name: `${name} exists already` })
      .getByRole('button', { name: 'Replace' })
  await replace('a.txt').press('Enter')
  await expect(replace('b.txt')).toBeFocused()
  await replace('b.txt').press('Enter')
  await expect(replace('c.txt')).toBeFocused()
  await replace('c.txt').press('Enter')
  await expect(tray(page).getByRole('heading', { name: '3 of 3 stored' })).toBeVisible()
  await expect(tray(page).locator(':focus')).toHaveCount(1)
  await tray(page).getByRole('button', { name: 'Close uploads' }).click()

  const release = await holdChunksAfter(page, 0)
  await choose(page, 'Upload File', ['d.txt', 'e.txt', 'f.txt'].map(longText))
  const button = (name: string) => tray(page).getByRole('button', { name })
  await button('Pause all uploads').press('Enter')
  await expect(button('Resume all uploads')).toBeFocused()
  await button('Resume all uploads').press('Enter')
  await expect(button('Pause all uploads')).toBeFocused()
  await button('Cancel the upload of d.txt').press('Enter')
  await expect(button('Cancel the upload of e.txt')).toBeFocused()
  await button('Cancel the upload of f.txt').press('Enter')
  await expect(button('Cancel the upload of e.txt')).toBeFocused()
  await button('Cancel the upload of e.txt').press('Enter')
  await expect(tray(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()

  await choose(page, 'Upload File', [longText('g.txt')])
  await button('Pause the upload of g.txt').focus()
  await tileOf(page, 'a.txt').focus()
  await release()
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  await expect(tileOf(page, 'a.txt')).toBeFocused()
})

test('renders few rows for 10,000 uploads, and stays responsive', async ({ page, user }) => {
  test.setTimeout(180_000)
  await page.goto('/profile')
  await expect(page.getByText('An empty shelf')).toBeVisible()
  // Single files need 10,000 rows, which is more work for the page than one folder.
  for (const call of ['upload-chunk', 'uploads/files']) {
    await page.route(`**/api/${call}`, (route) => route.fulfill({ status: 503, headers: { 'retry-after': '60' } }))
  }
  await page.evaluate(() => {
    const transfer = new DataTransfer()
    for (let index = 0; index < 10_000; index++) transfer.items.add(new File([`${index}`], `${index}.txt`))
    const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')]
    const input = inputs.find((one) => !one.webkitdirectory) as HTMLInputElement
    input.files = transfer.files
  })
  await page.evaluate(() => {
    const inputs = [...document.querySelectorAll<HTMLInputElement>('input[type=file]')]
    inputs.find((one) => one.files?.length === 10_000)?.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect(tray(page).getByRole('heading', { name: /of 10,000/ })).toBeVisible()
  expect(await tray(page).getByRole('listitem').count()).toBeLessThan(40)
  await tray(page).getByRole('button', { name: 'Pause all uploads' }).click()
  await expect(tray(page).getByRole('heading', { name: '10,000 uploads are paused' })).toBeVisible()
  expect(user.id).toBeTruthy()
})

test('fits the upload tray to a phone screen, and lets the footer scroll clear of it', async ({ page, user }) => {
  expect(user.id).toBeTruthy()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await choose(
    page,
    'Upload File',
    Array.from({ length: 20 }, (_, index) => text(`${index} ${'long name '.repeat(9)}.txt`)),
  )
  await expect(tray(page).getByRole('heading', { name: '20 of 20 stored' })).toBeVisible()
  expect((await tray(page).boundingBox())?.width).toBe(360)
  // The toast shows above the tray, so that its buttons can be pressed.
  const toast = await page.getByText('File uploaded successfully.').boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan((await tray(page).boundingBox())?.y ?? 0)
  await expectAccessible(page)
  expect((await tray(page).boundingBox())?.height).toBeLessThan(100)
  for (const isCollapsed of [true, false]) {
    if (!isCollapsed) await tray(page).getByRole('button', { name: 'Show the list of uploads' }).click()
    await expect(async () => {
      // The page grows while the files appear in the list.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      const footer = await page.getByRole('contentinfo').boundingBox()
      const covered = await tray(page).boundingBox()
      expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual((covered?.y ?? 0) + 1)
    }).toPass()
  }
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('shows the list of uploads on a phone when one of them needs the user', async ({ page, user }) => {
  await user.client.upload('a.txt', 'before')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/profile')
  const upload = async (name: string) => {
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await choose(page, 'Upload File', [text(name)])
  }
  await upload('b.txt')
  await expect(tray(page).getByRole('heading', { name: '1 of 1 stored' })).toBeVisible()
  await expect(tray(page).getByRole('listitem')).toHaveCount(0)
  await upload('a.txt')
  await expect(tray(page).getByRole('button', { name: 'Keep Both' })).toBeVisible()
})
