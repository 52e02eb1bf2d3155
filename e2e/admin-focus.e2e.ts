import { createInvitation } from '@alcove/contract/invitations'
import type { Page } from '@playwright/test'
import { addFailedJob } from './failed-job.ts'
import { expect, signInAs, siteTest as test } from './fixtures.ts'

/** Answers a question with the keyboard. */
const confirm = (page: Page, question: RegExp, verb: string) =>
  page.getByRole('dialog', { name: question }).getByRole('button', { name: verb, exact: true }).press('Enter')

test('the focus stays in the dialog of a user while fields and buttons come and go', async ({
  page,
  site: product,
}) => {
  const { email } = await product.createUser()
  await signInAs(page, await product.createUser({ isAdmin: true }))
  await page.goto('/admin/users')
  await page.getByRole('button', { name: email }).press('Enter')
  const dialog = page.getByRole('dialog', { name: email })
  const quota = dialog.getByLabel('Own quota in GB')
  await quota.fill('3.0')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('0 B of 3 GB (the plan has 10 GB)')).toBeVisible()
  await expect(quota).toBeFocused()
  await quota.fill('4')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog.getByText('0 B of 4 GB (the plan has 10 GB)')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expect(quota).toBeFocused()
  await dialog.getByLabel('Plan').selectOption('2 TB Annually')
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(dialog.getByText('2 TB Annually, given by an administrator')).toBeVisible()
  await expect(dialog.getByLabel('Plan')).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await confirm(page, /^Delete .* in 30 days/, 'Delete')
  await expect(dialog.getByRole('button', { name: 'Keep this account' })).toBeVisible()
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
})

test('the focus stays in the section when what had it is removed', async ({ page, site: product }) => {
  const admin = await product.createUser({ isAdmin: true })
  await admin.client.call(createInvitation, { email: 'someone@example.com' })
  await addFailedJob(product)
  await signInAs(page, admin)
  const focusIn = (name: string) =>
    page.getByRole('region', { name }).evaluate((element) => element.contains(document.activeElement))

  await page.goto('/admin/sign-up')
  await page.getByRole('button', { name: 'Take back from someone@example.com' }).press('Enter')
  await expect(page.getByText('There are no open invitations.')).toBeVisible()
  await expect.poll(() => focusIn('Invitations')).toBe(true)

  await page.goto('/admin/appearance')
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('Back at nine')
  await page.getByRole('button', { name: 'Announce' }).press('Enter')
  await page.getByRole('region', { name: 'Announcement' }).getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(page.getByText('The announcement is removed.')).toBeVisible()
  await expect(text).toBeFocused()

  await page.goto('/admin/sign-in')
  const add = page.getByRole('button', { name: 'Add a provider' })
  await add.press('Enter')
  await page.getByLabel('Label').fill('Family')
  await page.getByLabel('Issuer').fill('https://id.example.com')
  await page.getByLabel('Client ID').fill('alcove')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove Family' }).press('Enter')
  await confirm(page, /^Remove /, 'Remove')
  await expect(page.getByRole('button', { name: 'Remove Family' })).toHaveCount(0)
  await expect(add).toBeFocused()

  await page.goto('/admin/jobs')
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(page.getByText('No job has failed.')).toBeVisible()
  await expect(page.getByText('0 failed.')).toBeFocused()
})
