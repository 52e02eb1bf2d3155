import { createCheckoutSession } from '@alcove/contract/billing'
import type Stripe from 'stripe'
import { SandboxPayments } from '../../platform/payments/sandbox-payments.ts'
import type { TestApp } from '../engines/test-app.ts'
import type { TestUser } from './users.ts'

/** Test cards, as Stripe has them. */
export const GOOD_CARD = '4242424242424242'
export const DECLINED_CARD = '4000000000000002'
/** It can be attached, and is declined when it is charged. */
export const FAILING_CARD = '4000000000000341'

/** The sandbox behind an app, as a test drives it. */
export async function openTestPayments({ services, clock, visitor }: TestApp) {
  const { payments, db } = services
  if (!(payments instanceof SandboxPayments)) throw new Error('this app takes no test payments')
  const sandbox = await payments.openSandbox()

  /** Asks as the product does, past it. */
  const ask = <T>(work: (stripe: Stripe) => Promise<T>): Promise<T> => payments.ask(work)

  async function customerOf({ id }: TestUser): Promise<string> {
    const row = await db
      .selectFrom('billing_customers')
      .select('customer_id')
      .where('user_id', '=', id)
      .executeTakeFirst()
    if (!row?.customer_id) throw new Error('this user is no customer')
    return row.customer_id
  }

  async function newCard(customer: string, number: string): Promise<string> {
    return ask(async (stripe) => {
      const card = { number, exp_month: 12, exp_year: 2031, cvc: '123' }
      const method = await stripe.paymentMethods.create({ type: 'card', card })
      await stripe.paymentMethods.attach(method.id, { customer })
      return method.id
    })
  }

  /** Pays on the hosted page that a checkout leads to, and lets all be told that follows from it. */
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
    ask,
    customerOf,
    newCard,
    pay,
    settle,
    /** Buys a plan as a user does who has a good card. */
    async buy({ client }: TestUser, planId: number): Promise<void> {
      const { status, body } = await client.call(createCheckoutSession, { planId })
      if (status !== 200) throw new Error(`plan ${planId} cannot be bought: ${body.error}`)
      if (body.url.includes('/checkout/')) await pay(body.url)
      await settle()
    },
    /** What is due happens and is delivered: time passes for the product and for the sandbox alike. */
    async pass(milliseconds: number): Promise<void> {
      clock.advance(milliseconds)
      await settle()
    },
  }
}

export type TestPayments = Awaited<ReturnType<typeof openTestPayments>>
