import { createFolder } from '@alcove/contract/files'
import { createLink, listItemLinks } from '@alcove/contract/links'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'

async function makeFolder(user: TestUser, folderName: string, parentFolderId?: string): Promise<string> {
  return (await user.client.call(createFolder, { folderName, parentFolderId })).body.id
}

test('a double click on a shared page opens one folder, whatever lies in it', async ({ page, user }) => {
  const trip = await makeFolder(user, 'Trip')
  const day = await makeFolder(user, 'Day 1', trip)
  await makeFolder(user, 'Morning', day)
  await page.goto((await user.client.call(createLink, { id: trip })).body.link)
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })

  await page.getByRole('link', { name: /^Day 1/ }).click()
  await page.getByRole('link', { name: /^Morning/ }).hover()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(heading('Day 1')).toBeVisible()
  await page.goBack()
  await expect(heading('Trip')).toBeVisible()

  // Before the page has changed, both clicks are on the same folder.
  await page.getByRole('link', { name: /^Day 1/ }).dblclick()
  await expect(heading('Day 1')).toBeVisible()
  await page.goBack()
  await expect(heading('Trip')).toBeVisible()
})

test('a double click on a file of a link with limited downloads uses up one of them', async ({ page, user }) => {
  const trip = await makeFolder(user, 'Trip')
  await user.client.upload('notes.txt', 'We climbed all day.', { folderId: trip })
  const { id, link } = (await user.client.call(createLink, { id: trip, maxDownloads: 5 })).body
  await page.goto(link)
  const tile = page.getByRole('button', { name: /^notes\.txt/ })
  for (const count of [1, 2]) {
    await Promise.all([page.waitForEvent('download'), tile.dblclick()])
    const { links } = (await user.client.call(listItemLinks, { id: trip })).body
    expect(links.find((each) => each.id === id)?.downloadCount).toBe(count)
  }
})

test('two taps do not open what the first has put under the finger', async ({ page, user }) => {
  await makeFolder(user, 'Trip')
  await page.goto('/profile')
  const folder = tileOf(page, 'Trip')
  // Until its scripts have loaded, the page shows tiles that don't know taps yet.
  await expect(async () => {
    await folder.click({ position: { x: 60, y: 12 } })
    await expect(folder).toHaveAttribute('aria-selected', 'true', { timeout: 500 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(folder).toHaveAttribute('aria-selected', 'false')
  // In one moment, so that it isn't a long press.
  const tap = (count: number) =>
    folder.evaluate((tile, detail) => {
      for (const type of ['pointerdown', 'pointerup'])
        tile.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'touch' }))
      tile.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))
    }, count)
  await tap(2)
  // Long enough for the folder to open if it wrongly did.
  await page.waitForTimeout(500)
  await expect(page).toHaveURL('/profile')
  await tap(1)
  await expect(page.getByText('An empty shelf')).toBeVisible()
  await page.goBack()
  await expect(folder).toBeVisible()
})
