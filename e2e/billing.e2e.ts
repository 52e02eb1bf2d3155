import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { expect, expectAccessible, readLink, test } from './fixtures.ts'
import { cardOf, fillCheckout, moveClock, openPortal, planOf, seeOnAccount } from './subscribers.ts'
import { logIn, passRobotCheck } from './users.ts'

test('a visitor chooses a plan, registers, pays, changes card and plan, cancels, resumes and goes back to free', async ({
  page,
  product,
}) => {
  test.setTimeout(120_000)
  const email = `mara-${randomUUID().slice(0, 8)}@example.com`
  const calls: string[] = []
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const count = (call: string) => calls.filter((made) => made === call).length
  const storedPlan = () => page.evaluate(() => [localStorage.getItem('planName'), localStorage.getItem('pendingPlan')])

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  await expect(planOf(page, '500 GB')).toContainText('$49.99 /yr')
  await page.getByText('Lifetime', { exact: true }).click()
  await expect(page.getByText('One-time payment. No subscriptions. Full control, forever.')).toBeVisible()
  await expect(planOf(page, '2 TB')).toContainText('$399.00 USD')
  await page.getByText('Annually', { exact: true }).click()
  await planOf(page, '500 GB').getByRole('button', { name: 'Choose Plan' }).click()
  await expect(page).toHaveURL('/login?redirect=payment')
  expect(await storedPlan()).toEqual([null, '6'])

  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveURL('/register') // the login has a field of the same name
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  for (const agreement of await page.getByRole('checkbox').all()) await agreement.check()
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText('Registration successful, navigating to Login page')).toBeVisible()
  await page.goto(await readLink(product, email, '/activate'))
  await expect(page.getByText('Your account has been successfully activated!')).toBeVisible()
  await page.goto('/login')
  await logIn(page, email, TEST_PASSWORD)

  await expect(page).toHaveURL(/\/stripe-sandbox\/checkout\//)
  await expect(page.getByText('Test payments')).toBeVisible()
  await fillCheckout(page, '4000 0000 0000 0002')
  await expect(page.getByRole('alert')).toContainText('declined')
  await fillCheckout(page, '4242 4242 4242 4242')
  await expect(page.getByText('You are now on 500 GB Annually.')).toBeVisible()
  await expect(page).toHaveURL('/account')
  expect(await storedPlan()).toEqual(['500 GB Annually', null])
  expect([count('POST /api/create-checkout-session'), count('POST /api/confirm-checkout')]).toEqual([1, 1])
  await page.goBack() // over the declined card, which must not ask for the form to be sent again
  await expect(page).toHaveURL('/account')
  await expect(cardOf(page, 'Subscription Details')).toContainText('Storage limit500 GB')
  await expect(cardOf(page, 'Current Payment Method')).toContainText('VISA')
  const invoices = cardOf(page, 'Billing History').getByRole('listitem')
  await expect(invoices).toHaveText([/paid.*\$49\.99 USD/])
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download PDF' }).click()
  expect((await readFile(await (await downloading).path())).subarray(0, 5).toString()).toBe('%PDF-')
  await expectAccessible(page)

  const updateCard = cardOf(page, 'Update Card')
  await updateCard.getByLabel('Card number').pressSequentially('5555555555554445')
  await updateCard.getByRole('button', { name: 'Update Card' }).click()
  await expect(updateCard).toContainText('This card number is not valid.')
  await expect(updateCard.getByLabel('Card number')).toHaveValue('5555 5555 5555 4445')
  await updateCard.getByLabel('Card number').fill('5555555555554444')
  await updateCard.getByLabel('Expiry').pressSequentially('831')
  await updateCard.getByLabel('CVC').fill('123')
  await updateCard.getByRole('button', { name: 'Update Card' }).click()
  await expect(page.getByText('Card updated successfully.')).toBeVisible()
  await expect(cardOf(page, 'Current Payment Method')).toContainText('MASTERCARD')

  await page.getByRole('link', { name: 'Subscriptions' }).click()
  await expect(planOf(page, '500 GB').getByRole('button', { name: 'Current Plan' })).toBeDisabled()
  await planOf(page, '2 TB').getByRole('button', { name: 'Choose Plan' }).click()
  await expect(page.getByRole('dialog')).toContainText('The difference is prorated')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change Plan' }).dblclick()
  await expect(page.getByText('You are now on 2 TB Annually.')).toBeVisible()
  await expect(invoices).toHaveCount(2)
  await expect(invoices.first()).toContainText('Includes proration')
  expect(count('POST /api/create-checkout-session')).toBe(2)

  const portal = await openPortal(page)
  await portal.getByText('Cancel plan').click()
  await portal.getByRole('button', { name: 'Cancel at the end of the period' }).click()
  await expect(portal.getByText('Your plan ends with the period that is paid.')).toBeVisible()
  await seeOnAccount(page, 'Subscription Details', /2 TB Annually ends on/)
  await portal.getByRole('button', { name: 'Resume plan' }).click()
  await expect(portal.getByText('Your plan goes on.')).toBeVisible()
  await seeOnAccount(page, 'Subscription Details', /^(?!.*ends on)/)

  await moveClock(portal, 'is paid')
  await seeOnAccount(page, 'Billing History', /(paid.*){3}/)
  await moveClock(portal, 'fails until there is a new card')
  await seeOnAccount(page, 'Subscription Details', /Your last payment failed\. You keep 2 TB Annually until/)
  await updateCard.getByLabel('Card number').fill('4242424242424242')
  await updateCard.getByLabel('Expiry').fill('0835')
  await updateCard.getByLabel('CVC').fill('123')
  await updateCard.getByRole('button', { name: 'Update Card' }).click()
  await expect(page.getByText('Card updated successfully.')).toBeVisible()
  await seeOnAccount(page, 'Subscription Details', /Statusactive/)

  await page.getByRole('button', { name: 'Revert to Free Plan' }).click()
  await expect(page.getByRole('dialog')).toContainText('2 TB Annually ends at once and nothing is refunded.')
  await page.getByRole('dialog').getByRole('button', { name: 'Revert to Free Plan' }).click()
  await expect(page.getByText('You are on the free plan now.')).toBeVisible()
  expect(await storedPlan()).toEqual(['free', null])
  await expect(page).toHaveURL('/profile')
})

test('who turns back from the payment page has paid nothing, and buys nothing by going back', async ({
  page,
  product,
}) => {
  const { email } = await product.createUser()
  await page.goto('/login')
  await page.evaluate(() => localStorage.setItem('pendingPlan', '9'))
  await page.goto('/login?redirect=payment')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await passRobotCheck(page)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/stripe-sandbox\/checkout\//)
  await expect(page.getByRole('heading', { name: /100 GB Lifetime/ })).toBeVisible()

  await page.goBack()
  await expect(page).toHaveURL('/subscriptions?redirect=payment')
  await expect(planOf(page, '100 GB').getByRole('button', { name: 'Choose Plan' })).toBeEnabled()
  await page.reload()
  await planOf(page, '5 TB').getByRole('button', { name: 'Choose Plan' }).click()
  await page.getByRole('link', { name: 'Back to Alcove' }).click()
  await expect(page.getByText('Nothing was charged. Your plan is as it was.')).toBeVisible()
  await expect(page).toHaveURL('/subscriptions')

  await page.route('**/api/create-checkout-session', (route) => route.abort())
  await planOf(page, '5 TB').getByRole('button', { name: 'Choose Plan' }).click()
  await expect(page.getByText('An error occurred while creating your checkout session.')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.reload()
  await expect(planOf(page, '5 TB')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})
