import { addFavorite } from '@alcove/contract/favorites'
import { createFolder } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import { expect, expectAccessible, test } from './fixtures.ts'
import { makePng } from './sample-files.ts'
import { tileOf } from './users.ts'

for (const [width, colorScheme] of [
  [390, 'light'],
  [360, 'dark'],
] as const) {
  test.describe(`a phone ${width} px wide in the ${colorScheme} scheme`, () => {
    test.use({ viewport: { width, height: 844 }, hasTouch: true, isMobile: true, colorScheme })

    test('shows the storage usage above the panel on the files and favorites screens', async ({ page, user }) => {
      expect(user.id).toBeTruthy()
      for (const screen of ['profile', 'favorites']) {
        await page.goto(`/${screen}`)
        await expect(page.getByRole('button', { name: 'Your Storage Usage' })).toBeVisible()
        await expect(page.getByRole('main').getByRole('button', { name: 'Your Storage Usage' })).toHaveCount(0)
      }
    })

    test('shows the heart of a favorite folder and hides it for other folders', async ({ page, user }) => {
      const { id } = (await user.client.call(createFolder, { folderName: 'Spring in Lisbon with everyone' })).body
      await user.client.call(createFolder, { folderName: 'Day trips' })
      await user.client.call(addFavorite, { itemType: 'folder', itemId: id })
      await page.goto('/profile')
      const heart = (name: string) => page.getByRole('button', { name: `Favorite ${name}` })
      await expect(heart('Spring in Lisbon with everyone')).toBeVisible()
      await expect(heart('Day trips')).toBeHidden()
      await expectAccessible(page)
    })

    test('shortens a long name above the menu, from left to right and from right to left', async ({ page, user }) => {
      const names = ['Photographs of the summer ', 'תמונות מהקיץ האחרון '].map((part) => `${part.repeat(6)}.txt`)
      for (const name of names) await user.client.upload(name, 'x')
      await page.goto('/profile')
      for (const name of names) {
        await page.getByRole('button', { name: `More actions for ${name}` }).tap()
        const sheet = page.getByRole('dialog')
        await expect(sheet.getByRole('button', { name: 'Details', exact: true })).toBeInViewport()
        const title = await sheet.getByRole('heading').locator('bdi').boundingBox()
        expect(title?.x).toBeGreaterThanOrEqual(0)
        expect((title?.x ?? 0) + (title?.width ?? 0)).toBeLessThanOrEqual(width)
        await sheet.getByRole('button', { name: 'Close' }).tap()
        await expect(sheet).toHaveCount(0)
      }
    })

    test('leads from the details to a folder around an item, and to what is in it', async ({ page, user }) => {
      const trip = (await user.client.call(createFolder, { folderName: 'Trip' })).body
      const day = (await user.client.call(createFolder, { folderName: 'Day 1', parentFolderId: trip.id })).body
      await user.client.upload('plan.txt', 'x', { folderId: day.id })
      await page.goto(`/profile?folder=${day.id}`)
      await page.getByRole('button', { name: 'More actions for plan.txt' }).tap()
      await page.getByRole('button', { name: 'Details', exact: true }).tap()
      await page.getByRole('dialog').getByRole('link', { name: 'Trip' }).tap()
      await expect(page).toHaveURL(`/profile?folder=${trip.id}`)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(tileOf(page, 'Day 1')).toBeFocused()
      await page.goBack()
      await expect(tileOf(page, 'plan.txt')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

    test('shows the name, the item counts and the labelled ZIP button of a shared folder', async ({ page, user }) => {
      const folder = (await user.client.call(createFolder, { folderName: 'Spring in Lisbon with everyone' })).body
      for (const folderName of ['Alfama walks', 'Day trips'])
        await user.client.call(createFolder, { folderName, parentFolderId: folder.id })
      await user.client.upload('Dunes.png', makePng(80, 60, [220, 150, 80]), { folderId: folder.id })
      const { link } = (await user.client.call(updatePublicLink, { id: folder.id, enabled: true })).body
      await page.goto(link)
      const title = page.getByRole('heading', { name: 'Spring in Lisbon with everyone' })
      await expect(title).toBeVisible()
      await expect(page.getByText(/^2 folders, 1 file, /).first()).toBeVisible()
      const zip = await page.getByRole('link', { name: 'Download as ZIP' }).boundingBox()
      expect(zip?.width).toBeGreaterThan(width - 60)
      await expectAccessible(page)
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    })

    test('shows the current folder, and opens storage, Add and search with one button each', async ({ page, user }) => {
      test.slow() // runs several accessibility checks
      const folder = (await user.client.call(createFolder, { folderName: 'Spring in Lisbon' })).body
      for (const folderName of ['Alfama walks', 'Day trips'])
        await user.client.call(createFolder, { folderName, parentFolderId: folder.id })
      await user.client.upload('Dunes.png', makePng(80, 60, [220, 150, 80]), { folderId: folder.id })
      await page.goto(`/profile?folder=${folder.id}`)

      const header = page.getByRole('banner')
      await expect(header.getByText('Spring in Lisbon')).toBeVisible()
      expect((await header.boundingBox())?.height).toBe(56)
      await expect(page.getByText(`Current Folder: ${folder.id}`)).toHaveCount(1)
      const [left, right] = await Promise.all(
        ['Alfama walks', 'Day trips'].map((name) => tileOf(page, name).boundingBox()),
      )
      expect(left?.y).toBe(right?.y)
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

      await page.getByRole('button', { name: 'Your Storage Usage' }).tap()
      const storage = page.getByRole('dialog', { name: 'Your Storage Usage' })
      await expect(storage.getByRole('progressbar')).toBeVisible()
      await page.goBack()
      await expect(storage).toHaveCount(0)

      await page.getByRole('button', { name: 'Add', exact: true }).tap()
      const sheet = page.getByRole('dialog', { name: 'Add' })
      await expect(sheet.getByText('Into "Spring in Lisbon"')).toBeVisible()
      await expectAccessible(page)
      const chooser = page.waitForEvent('filechooser')
      await sheet.getByRole('button', { name: 'Upload File' }).tap()
      await (await chooser).setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('note') })
      await expect(sheet).toHaveCount(0)
      await expect(tileOf(page, 'note.txt')).toBeVisible()

      await page.getByRole('button', { name: 'Add', exact: true }).tap()
      await sheet.getByRole('button', { name: 'Create Folder' }).tap()
      await page.getByLabel('Folder Name').fill('Sintra')
      await page.getByLabel('Folder Name').press('Enter')
      await expect(tileOf(page, 'Sintra')).toBeVisible()

      await page.getByRole('button', { name: 'Open search' }).tap()
      const field = page.getByRole('combobox', { name: 'Search files and folders' })
      await expect(field).toBeFocused()
      await expect(page.getByRole('button', { name: 'Clear', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible()
      await expectAccessible(page)
      await page.goBack()
      await expect(field).toHaveCount(0)

      await header.getByRole('button', { name: 'Back', exact: true }).tap()
      await expect(page.getByText('Current Folder: Root')).toBeVisible()
      await expect(header.getByRole('link', { name: 'Alcove' })).toBeVisible()
    })
  })
}

test.describe('a tablet of 1024 x 768 px', () => {
  test.use({ viewport: { width: 1024, height: 768 } })

  test('shows storage and drop zone in one row, and the files in the upper third of the screen', async ({
    page,
    user,
  }) => {
    await user.client.upload('Dunes.png', makePng(80, 60, [220, 150, 80]))
    await page.goto('/profile')
    await expect(tileOf(page, 'Dunes.png')).toBeVisible()
    const zone = await page.getByRole('region', { name: 'Upload' }).boundingBox()
    const storage = await page.getByRole('region', { name: 'Your Storage Usage' }).boundingBox()
    expect([zone?.height, storage?.height, storage?.y]).toEqual([64, 64, zone?.y])
    expect((await tileOf(page, 'Dunes.png').boundingBox())?.y).toBeLessThan(260)
  })
})
