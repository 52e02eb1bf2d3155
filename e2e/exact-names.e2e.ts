import { createFolder, listFiles, listRootFolders } from '@alcove/contract/files'
import { expect, expectAccessible, test } from './fixtures.ts'
import { text, tray } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const BOTH = "Windows and macOS can't store both names in one folder."

test('warns in the dialogs of a name that differs only in case, and creates it', async ({ page, user }) => {
  await user.client.call(createFolder, { folderName: 'Photos' })
  await user.client.upload('Plan.txt', 'x')
  await page.goto('/profile')
  await expect(tileOf(page, 'Plan.txt')).toBeVisible()
  await page.getByRole('button', { name: 'Create Folder' }).first().click()
  const note = page.getByRole('dialog').getByRole('status')
  await page.getByLabel('Folder Name').fill('  photos ')
  await expect(note).toHaveText(`"Photos" is already here. ${BOTH}`)
  await page.getByLabel('Folder Name').fill('photos 2')
  await expect(note).toBeEmpty()
  await page.getByLabel('Folder Name').fill(' photos ')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Folder created successfully.')).toBeVisible()
  const folders = (await user.client.call(listRootFolders, {})).body
  expect(folders.map(({ name }) => name).toSorted()).toEqual(['Photos', 'photos'])

  await tileOf(page, 'Plan.txt').focus()
  await page.keyboard.press('F2')
  await page.getByLabel('File Name').fill('plan')
  await expect(page.getByLabel('File Name')).toHaveValue('plan')
  await expect(note).toBeEmpty()
  await page.getByLabel('File Name').fill('PHOTOS')
  await page.getByLabel('Extension').fill('')
  await expect(note).toHaveText(/^"photos" is already here|^"Photos" is already here/)
  await page.getByLabel('File Name').fill('plan')
  await page.getByLabel('Extension').fill('txt')
  await page.keyboard.press('Enter')
  await expect(page.getByText('File renamed successfully.')).toBeVisible()
  await expect(tileOf(page, 'plan.txt')).toBeVisible()
})

test('keeps the blanks of a name that is not changed, and removes them from what is typed', async ({ page, user }) => {
  await user.client.upload(' a .txt', 'x')
  await page.goto('/profile')
  const names = async () => (await user.client.call(listFiles, {})).body.files.map(({ name }) => name)
  // Accessible names begin with the first visible character.
  await tileOf(page, 'a .txt').focus()
  await page.keyboard.press('F2')
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/^This name begins with a blank/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await names()).toEqual([' a .txt'])
  await page.keyboard.press('F2')
  await page.getByLabel('Extension').fill(' md ')
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual([' a .md'])
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await tileOf(page, 'a .md').focus()
  await page.keyboard.press('F2')
  await page.getByLabel('File Name').fill('  b ')
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual(['b.md'])
})

test('uploads names exactly, and warns of them in the tray and in the details', async ({ page, user }) => {
  await user.client.upload('photo.jpg', 'x')
  await page.goto('/profile')
  await expect(tileOf(page, 'photo.jpg')).toBeVisible()
  await choose(page, 'Upload File', [text('Photo.jpg'), text('note.txt '), text('plain.txt')])
  await expect(tray(page).getByRole('heading', { name: '3 of 3 stored' })).toBeVisible()
  await expect(tray(page).getByText(`"photo.jpg" is already here. ${BOTH}`)).toHaveCount(1)
  await expect(tray(page).getByText("This name ends with a blank. Windows can't store it.")).toHaveCount(1)
  const { files } = (await user.client.call(listFiles, {})).body
  expect(files.map(({ name }) => name).toSorted()).toEqual(['Photo.jpg', 'note.txt ', 'photo.jpg', 'plain.txt'])
  await expectAccessible(page)
  await tray(page).getByRole('button', { name: 'Close uploads' }).click()
  await tileOf(page, 'photo.jpg').getByText('photo').first().click()
  await page.keyboard.press('ControlOrMeta+i')
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details).toContainText(`"Photo.jpg" is already here. ${BOTH}`)
  await tileOf(page, 'note.txt ').getByText('note').first().click()
  await expect(details).toContainText("This name ends with a blank. Windows can't store it.")
  await expect(details).not.toContainText(BOTH)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the warnings about names are accessible in the ${scheme} scheme at 360 px`, async ({ page, user }) => {
    await user.client.call(createFolder, { folderName: 'Photos' })
    await user.client.upload(`${'A long name '.repeat(8)}.txt`, 'x')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.goto('/profile')
    await expect(tileOf(page, 'Photos')).toBeVisible()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await choose(page, 'Upload File', [text(`${'a LONG name '.repeat(8)}.txt`), text('note.txt ')])
    await expect(tray(page).getByText(/can't store both names/)).toBeVisible()
    await expectAccessible(page)
    await tray(page).getByRole('button', { name: 'Close uploads' }).click()
    await tileOf(page, 'Photos').focus()
    await page.keyboard.press('F2')
    await page.getByLabel('Folder Name').fill(`${'a LONG name '.repeat(8)}.txt`)
    await expect(page.getByRole('dialog').getByRole('status')).toContainText(BOTH)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
}
