import { expect, type Locator, type Page } from '@playwright/test'

/** Returns the card of a plan on the subscriptions screen. */
export function planOf(page: Page, tier: string): Locator {
  return page.getByRole('article', { name: `${tier} Plan`, exact: true })
}

/** Returns a card of the account screen. */
export function cardOf(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true })
}

/** Fills in and submits the payment form of the sandbox. */
export async function fillCheckout(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date, month and year').fill('08 / 31')
  await page.getByLabel('Security code (CVC)').fill('123')
  await page.getByLabel('Name on card').fill('Mara Oyelaran')
  await page.getByRole('button', { name: /^(Subscribe for|Pay) / }).click()
}

/** Opens the billing portal from the account screen and returns its new tab. */
export async function openPortal(page: Page): Promise<Page> {
  const opening = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Open Billing Portal' }).first().click()
  const portal = await opening
  await expect(portal.getByRole('heading', { name: 'Billing' })).toBeVisible()
  return portal
}

/** Sets the outcome of the next renewal in the portal and moves the test clock to it. */
export async function moveClock(portal: Page, renewal: string): Promise<void> {
  await portal.getByLabel(renewal, { exact: true }).check()
  await portal.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(portal.getByText('Saved.')).toBeVisible()
  await portal.getByRole('button', { name: 'To the next renewal' }).click()
  await expect(portal.getByText('The test clock was moved.')).toBeVisible()
}

/** Reloads the account screen until a card shows the update from the card provider. */
export async function waitForCardText(page: Page, title: string, text: RegExp): Promise<void> {
  await expect(async () => {
    await page.reload()
    await expect(cardOf(page, title).getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(cardOf(page, title)).toHaveText(text, { timeout: 5000 })
  }).toPass()
}
