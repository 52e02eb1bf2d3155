import { createFolder } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { addTestMember } from '@alcove/server/testing/factories/shares'
import { expect, expectAccessible, test } from './fixtures.ts'
import { tileOf } from './users.ts'

test('places a shared folder among the own files, opens it there, and removes it again', async ({
  page,
  user,
  product,
}) => {
  const owner = await product.createUser()
  const { id } = (await owner.client.call(createFolder, { folderName: 'Trip' })).body
  await owner.client.call(createFolder, { folderName: 'Day 1', parentFolderId: id })
  await addTestMember(product, owner, id, 'editor', user)

  await page.goto('/shared-with-me')
  await page.getByRole('button', { name: 'Add “Trip” to my files' }).click()
  await expect(page.getByText('“Trip” was added to your files.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove “Trip” from my files' })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/profile')
  const tile = tileOf(page, 'Trip')
  await expect(tile).toHaveAccessibleName(/^Trip, 1 item, .*folder, shared$/)
  await expectAccessible(page)
  await tile.click({ button: 'right' })
  for (const name of ['Public Link', 'Request files', 'Copy', 'Delete']) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  }
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Holiday')
  await page.keyboard.press('Enter')
  await tileOf(page, 'Holiday').dblclick()
  await expect(page).toHaveURL(`/profile?folder=${id}`)
  await tileOf(page, 'Day 1').dblclick()
  const path = page.getByRole('navigation', { name: 'Path' })
  await expect(path).toContainText(/Root.*Holiday.*Day 1/)
  await page.keyboard.press('Alt+ArrowUp')
  await expect(tileOf(page, 'Day 1')).toBeVisible()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page).toHaveURL('/profile')
  await expect(tileOf(page, 'Holiday')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tileOf(page, 'Day 1')).toBeFocused()
  await page.goBack()
  await expect(tileOf(page, 'Holiday')).toBeFocused()
  await page.goForward()
  await tileOf(page, 'Day 1').dblclick()
  await path.getByRole('link', { name: 'Holiday' }).click()
  await expect(tileOf(page, 'Day 1')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(path).toContainText(/Root.*Holiday.*Day 1/)
  await path.getByRole('link', { name: 'Root' }).click()
  await expect(tileOf(page, 'Holiday')).toBeFocused()

  await tileOf(page, 'Holiday').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove From My Files' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(tileOf(page, 'Holiday')).toHaveCount(0)
  await expect(page.getByText('Removed from your files.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(tileOf(page, 'Holiday')).toBeVisible()
  const { items } = (await user.client.call(listItems, {})).body
  expect(items).toMatchObject([{ name: 'Holiday', mount: { folderId: id } }])
})
