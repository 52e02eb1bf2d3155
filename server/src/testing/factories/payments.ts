import { createCheckoutSession } from '@alcove/contract/billing'
import type Stripe from 'stripe'
import { SandboxPayments } from '../../platform/payments/sandbox-payments.ts'
import type { TestApp } from '../engines/test-app.ts'
import type { TestUser } from './users.ts'

/** Stripe's test cards. */
export const GOOD_CARD = '4242424242424242'
export const DECLINED_CARD = '4000000000000002'
/** Can be attached, but is declined when it is charged. */
export const FAILING_CARD = '4000000000000341'

/** Opens the payment sandbox of an app for a test. */
export async function openTestPayments({ services, clock, visitor }: TestApp) {
  const { payments, db } = services
  if (!(payments instanceof SandboxPayments)) throw new Error('this app does not use the payment sandbox')
  const sandbox = await payments.openSandbox()

  /** Calls Stripe's API directly, with the client of the product. */
  const callStripe = <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => payments.ask(work)

  async function customerOf({ id }: TestUser): Promise<string> {
    const row = await db
      .selectFrom('billing_customers')
      .select('customer_id')
      .where('user_id', '=', id)
      .executeTakeFirst()
    if (!row?.customer_id) throw new Error('this user is not a customer at Stripe')
    return row.customer_id
  }

  async function newCard(customer: string, number: string): Promise<string> {
    return callStripe(async (stripe) => {
      const card = { number, exp_month: 12, exp_year: 2031, cvc: '123' }
      const method = await stripe.paymentMethods.create({ type: 'card', card })
      await stripe.paymentMethods.attach(method.id, { customer })
      return method.id
    })
  }

  /** Pays on the hosted checkout page. Returns the status of the response. */
  async function pay(url: string, number = GOOD_CARD): Promise<number> {
    const form = { number, expiry: '12 / 31', cvc: '123', name: 'Mara Example', country: 'US' }
    const { status } = await visitor.request({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(new URLSearchParams(form)),
    })
    return status
  }

  async function settle(): Promise<void> {
    await sandbox.settle()
    await services.jobs.runDue()
  }

  return {
    sandbox,
    callStripe,
    customerOf,
    newCard,
    pay,
    settle,
    /** Buys a plan with a card that works. */
    async buy({ client }: TestUser, planId: number): Promise<void> {
      const { status, body } = await client.call(createCheckoutSession, { planId })
      if (status !== 200) throw new Error(`buying plan ${planId} failed: ${body.error}`)
      if (body.url.includes('/checkout/')) await pay(body.url)
      await settle()
    },
    /** Moves the clock of the product and the sandbox, and processes everything that is due. */
    async advance(milliseconds: number): Promise<void> {
      // An event that is on its way while the clock jumps looks too old when it arrives.
      await settle()
      clock.advance(milliseconds)
      await settle()
    },
  }
}

export type TestPayments = Awaited<ReturnType<typeof openTestPayments>>
