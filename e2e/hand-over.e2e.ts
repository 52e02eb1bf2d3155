import { createFolder, getFolder } from '@alcove/contract/files'
import { listMembers } from '@alcove/contract/members'
import { addTestMember } from '@alcove/server/testing/factories/shares'
import { expect, expectAccessible, signInAs, test } from './fixtures.ts'
import { tileOf } from './users.ts'

test('hands a folder over to a member, who accepts', async ({ page, user, browser, product }) => {
  const { id } = (await user.client.call(createFolder, { folderName: 'Trip' })).body
  await user.client.upload('a.txt', 'a', { folderId: id })
  const guest = await addTestMember(product, user, id, 'viewer')
  await page.goto('/profile')
  await tileOf(page, 'Trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share With People' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share with people' })
  const offer = dialog.getByRole('button', { name: `Make ${guest.email} the owner…` })
  await offer.click()
  const question = page.getByRole('dialog', { name: `Make ${guest.email} the owner of “Trip”?` })
  await expect(question.getByText('It holds 2 items, 1 B, with earlier versions and the trash.')).toBeVisible()
  await question.getByRole('button', { name: 'Offer' }).click()
  await expect(dialog.getByText('Asked to own it')).toBeVisible()
  await expect(dialog.getByRole('button', { name: `Take back the offer to ${guest.email}` })).toBeVisible()
  await expectAccessible(page)

  const other = await (
    await browser.newContext({ baseURL: product.url, viewport: { width: 360, height: 740 } })
  ).newPage()
  await signInAs(other, guest)
  await other.goto('/shared-with-me')
  await expect(other.getByText(`${user.email} wants to make you the owner.`)).toBeVisible()
  await expectAccessible(other)
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await other.getByRole('button', { name: 'Accept to own “Trip”' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Become Owner' }).click()
  await expect(other.getByRole('heading', { name: 'Nothing is shared with you' })).toBeVisible()
  await other.goto('/profile')
  await expect(tileOf(other, 'Trip')).toBeVisible()
  expect((await guest.client.call(listMembers, { id })).body).toMatchObject({
    yourRole: 'owner',
    members: [{ email: user.email, role: 'manager' }],
  })
  await other.context().close()

  await page.goto('/profile')
  await expect(page.getByRole('button', { name: /Notices/ }).first()).toBeVisible()
  await expect(tileOf(page, 'Trip')).toHaveCount(0)
  await page.goto('/shared-with-me')
  await expect(page.getByRole('link', { name: 'Trip' })).toBeVisible()
  expect((await user.client.call(getFolder, { id })).body.files).toHaveLength(1)
})

test('offers to hand shared folders over before the account is deleted', async ({ page, user, product }) => {
  const { id } = (await user.client.call(createFolder, { folderName: 'Photos' })).body
  const guest = await addTestMember(product, user, id, 'editor')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const question = page.getByRole('dialog', { name: 'Delete your account?' })
  const folder = question.getByRole('listitem').filter({ hasText: 'Photos' })
  await expect(folder.getByText(guest.email)).toBeVisible()
  await expectAccessible(page)
  await folder.getByRole('button', { name: 'Hand over “Photos”' }).click()
  const people = page.getByRole('dialog', { name: 'Share with people' })
  await expect(people.getByRole('button', { name: `Make ${guest.email} the owner…` })).toBeVisible()
  await expect(question).toHaveCount(0)
})

test('shares a folder with a group, whose people come and go with it', async ({ page, user, product }) => {
  const { id } = (await user.client.call(createFolder, { folderName: 'Trip' })).body
  const guest = await product.createUser()
  await page.goto('/profile')
  await tileOf(page, 'Trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Share With People' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share with people' })
  await dialog.getByRole('button', { name: 'Groups…' }).click()
  const groups = page.getByRole('dialog', { name: 'Groups' })
  await groups.getByRole('button', { name: 'New Group' }).click()
  await groups.getByLabel('Name of the group').fill('Family')
  await groups.getByLabel('Email addresses').fill(`${guest.email}, nobody`)
  await groups.getByRole('button', { name: 'Create' }).click()
  await expect(groups.getByText('Invalid email format: nobody')).toBeVisible()
  await groups.getByLabel('Email addresses').fill(`${guest.email}\nmum@example.com`)
  await groups.getByRole('button', { name: 'Create' }).click()
  await expect(groups.getByText('2 people')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Invite Group' }).click()
  const line = dialog.getByRole('listitem').filter({ hasText: 'Family' })
  await expect(line.getByRole('listitem').filter({ hasText: guest.email })).toBeVisible()
  await expect(line.getByRole('listitem').filter({ hasText: 'mum@example.com' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Role of the group Family').selectOption('editor')
  const roles = async () => (await user.client.call(listMembers, { id })).body.members.map(({ role }) => role)
  await expect.poll(roles).toEqual(['editor', 'editor'])
  await dialog.getByRole('button', { name: 'Stop sharing with the group Family' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop Sharing' }).click()
  await expect(line).toHaveCount(0)
  expect(await roles()).toEqual([])
})
