import { getPlanCatalogue, replacePlans } from '@alcove/contract/admin-plans'
import { setUserPlan } from '@alcove/contract/admin-users'
import type { TestUser } from '@alcove/server/testing/factories/users'
import { expect, expectAccessible, signInAs, siteTest as test } from './fixtures.ts'
import { cardOf, planOf } from './subscribers.ts'

/** Takes a plan off the list, as another administrator does. */
async function stopSelling({ client }: TestUser, planId: number): Promise<void> {
  const { plans, revision } = (await client.call(getPlanCatalogue, {})).body
  const kept = plans.filter((plan) => plan.planId !== planId)
  await client.call(replacePlans, { plans: kept.map((plan) => ({ ...plan, description: null })), revision })
}

test('an administrator edits price, name and order of plans, which visitors see, and a subscriber keeps the old one', async ({
  page,
  site: product,
  browser,
}) => {
  const admin = await product.createUser({ isAdmin: true })
  const subscriber = await product.createUser()
  await admin.client.call(setUserPlan, { id: subscriber.id, planId: 2 })
  await signInAs(page, admin)
  await page.goto('/admin/plans')
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit 500 GB Monthly' }).click()
  await dialog.getByLabel('Price in US dollars').fill('0.49')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog.getByLabel('Price in US dollars')).toBeFocused()
  await expect(dialog).toContainText('from 0.50 to 99999.99')
  await dialog.getByLabel('Price in US dollars').fill('5.49')
  await expect(dialog.getByText('Its subscriber keeps 500 GB for $4.99 /mth.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('button', { name: 'Edit 500 GB Monthly' })).toBeFocused()

  await page.getByRole('button', { name: 'Edit 2 TB Monthly' }).click()
  await dialog.getByLabel('Name').fill('Studio')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  const up = page.getByRole('button', { name: 'Move Studio Monthly up' })
  for (let times = 0; times < 3; times += 1) await up.press('Enter')
  await expect(up).toBeFocused()
  await page.mouse.move(400, 20) // away from buttons with tooltips
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Save' }).dblclick()
  await expect(page.getByText('Saved. Visitors see these plans now.')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Plans that are no longer sold' })).toHaveText(
    '500 GB Monthly$4.99 /mth · 1 subscriber',
  )
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  const visitor = await browser.newPage({ baseURL: product.url })
  const errors: string[] = []
  visitor.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await visitor.goto('/')
  await expect(visitor.getByText('Grow to 5 TB when life does, paid monthly, yearly or once.')).toBeVisible()
  await visitor.getByText('Monthly', { exact: true }).click()
  const cards = visitor.getByRole('article').filter({ hasText: 'Choose Plan' })
  await expect(cards.getByRole('heading')).toHaveText(['Studio Plan', '100 GB Plan', '500 GB Plan', '5 TB Plan'])
  await expect(planOf(visitor, '500 GB')).toContainText('$5.49 /mth')
  await expect(planOf(visitor, 'Studio')).toContainText('2 TB of storage')
  expect(errors).toEqual([])
  await visitor.close()

  const other = await browser.newPage({ baseURL: product.url })
  await signInAs(other, subscriber)
  await other.goto('/subscriptions')
  await expect(other.getByText('Your plan, 500 GB Monthly, is no longer sold. You keep it.')).toBeVisible()
  await expectAccessible(other)
  await other.goto('/account')
  await expect(cardOf(other, 'Subscription Details')).toContainText('Plan500 GB Monthly')
  await other.close()
})

test('an administrator with unsaved changes is asked before leaving, and told that somebody else changed the plans', async ({
  page,
  site: product,
}) => {
  const admin = await product.createUser({ isAdmin: true })
  await signInAs(page, admin)
  await page.goto('/admin/overview')
  await page.getByRole('link', { name: 'Plans', exact: true }).click()
  await page.getByRole('button', { name: 'Remove 5 TB Annually' }).click()
  await page.goBack()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL('/admin/plans')

  await stopSelling(await product.createUser({ isAdmin: true }), 7)
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByRole('button', { name: 'Save' }).click()
  await expect(bar).toContainText('Someone else has changed the plans meanwhile.')
  await expect(page.getByRole('button', { name: 'Keep 5 TB Annually' })).toBeVisible()
  await bar.getByRole('button', { name: 'Load the newer plans' }).click()
  await expect(page.getByRole('list', { name: 'Plans: Annually' }).getByRole('heading')).toHaveText([
    '100 GB',
    '500 GB',
    '5 TB',
  ])
  await page.getByRole('button', { name: 'Back to the plans of the installation' }).click()
  await page.getByRole('button', { name: 'Replace all plans' }).click()
  await expect(page.getByRole('button', { name: 'Edit 2 TB Annually' })).toBeVisible()

  await page.getByRole('button', { name: 'Remove 5 TB Annually' }).click()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('list', { name: 'Users' })).toBeVisible()
})

test('the landing page promises no more than what is for sale', async ({ page, site: product }) => {
  const { client } = await product.createUser({ isAdmin: true })
  const { plans, revision } = (await client.call(getPlanCatalogue, {})).body
  const kept = plans.filter(({ gigabytes, period }) => gigabytes < 5000 && period !== 'Annually')
  await client.call(replacePlans, { plans: kept.map((plan) => ({ ...plan, description: null })), revision })
  await page.goto('/')
  await expect(page.getByText('Grow to 2 TB when life does, paid monthly or once.')).toBeVisible()
})

test('a plan that was taken off the list meanwhile cannot be bought, and goes from the page', async ({
  page,
  site: product,
}) => {
  const user = await product.createUser()
  await signInAs(page, user)
  await page.goto('/subscriptions')
  await expect(planOf(page, '2 TB')).toBeVisible()
  await stopSelling(await product.createUser({ isAdmin: true }), 7)
  await planOf(page, '2 TB').getByRole('button', { name: 'Choose Plan' }).click()
  await expect(page.getByText('This plan is no longer offered. Please choose another one.')).toBeVisible()
  await expect(planOf(page, '2 TB')).toHaveCount(0)
  await expect(planOf(page, '5 TB').getByRole('button', { name: 'Choose Plan' })).toBeEnabled()
})
