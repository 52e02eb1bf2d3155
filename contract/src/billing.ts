import { z } from 'zod'
import { defineCall } from './call.ts'
import { done } from './fields.ts'
import { billingPeriods } from './plans.ts'
import { CARD_PROVIDER_CALLS, MINUTE } from './rate-limits.ts'

/** An amount in dollars with at most two decimals. The server calculates in whole cents. */
const dollars = z.number()

const planOnSale = z.object({
  planId: z.int(),
  name: z.string().optional().describe('What the plan is called instead of its tier'),
  tier: z.string().describe('For example `500 GB` or `2 TB`'),
  price: dollars.nullable().describe('US dollars'),
  description: z.string(),
  features: z.array(z.string()),
  highlight: z.boolean(),
})

export const listPlans = defineCall({
  method: 'GET',
  path: '/plans',
  access: 'public',
  summary: 'List the plans for sale by billing period, in the order to show them, without the free plan',
  input: z.object({}),
  output: z.object({
    Monthly: z.array(planOnSale),
    Annually: z.array(planOnSale),
    Lifetime: z.array(planOnSale),
  }),
})

export const getPaymentSettings = defineCall({
  method: 'GET',
  path: '/payment-settings',
  access: 'public',
  summary: 'Get the payment mode, and what the card form needs',
  input: z.object({}),
  output: z.object({
    mode: z
      .enum(['live', 'sandbox', 'off'])
      .describe('`sandbox`: no real card is charged; `off`: nothing can be bought'),
    publishableKey: z.string().optional().describe("The card provider's key for browsers"),
    sandboxUrl: z.string().optional().describe('The sandbox address to which the card form sends card details'),
  }),
})

const CHOOSE = 'Choose a plan.'
/** Text is accepted too, because browser storage returns text. */
const chosenPlan = z.union(
  [
    z.int(CHOOSE).min(0, CHOOSE),
    z
      .string()
      .regex(/^\d{1,9}$/, CHOOSE)
      .transform(Number),
  ],
  CHOOSE,
)

export const createCheckoutSession = defineCall({
  method: 'POST',
  path: '/create-checkout-session',
  access: 'user',
  summary:
    'Buy a plan. Returns the URL of the payment page or, when an existing plan is changed, of the page to return to',
  input: z.object({
    planId: chosenPlan,
    attemptId: z
      .uuid()
      .optional()
      .describe(
        'An idempotency key that the client creates for each purchase. A retry with the same key never buys twice',
      ),
  }),
  output: z.object({ url: z.string() }),
  rateLimit: { points: 100, seconds: 10 * MINUTE },
})

export const confirmCheckout = defineCall({
  method: 'POST',
  path: '/confirm-checkout',
  access: 'user',
  summary: 'Update the plan from what the card provider says was paid, after returning from the payment page',
  input: z.object({
    sessionId: z
      .string('This payment was not found.')
      .min(1, 'This payment was not found.')
      .max(255, 'This payment was not found.')
      .optional()
      .describe('The checkout session returned from. Without it, only the plan is updated'),
  }),
  output: z.object({ planId: z.int(), planName: z.string(), status: z.enum(['complete', 'open', 'expired']) }),
  rateLimit: CARD_PROVIDER_CALLS,
})

const subscriptionStatuses = ['free', 'active', 'past_due', 'lifetime', 'incomplete'] as const

const subscription = z.object({
  plan: z.string().describe('`free`, or the tier and the period'),
  planId: z.int(),
  status: z.enum(subscriptionStatuses),
  billing_cycle: z.enum([...billingPeriods, 'N/A']),
  storage_limit_gb: z.number(),
  price: dollars,
  next_billing_date: z.string().nullable().describe('The date of the next payment, or null if there is none'),
  cancelAtPeriodEnd: z.boolean().describe('Canceled in the portal: paid until `endsAt`, then free'),
  endsAt: z.string().nullable(),
  graceUntil: z.string().nullable().describe('A payment failed: the plan stays active until then'),
})

const invoice = z.object({
  id: z.string(),
  number: z.string(),
  total: dollars,
  currency: z.string(),
  status: z.string(),
  created: z.string(),
  is_prorated: z.boolean(),
  pdf_url: z.string().nullable(),
})

const paymentMethod = z.object({
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
})

export const getDashboard = defineCall({
  method: 'GET',
  path: '/account/dashboard',
  access: 'user',
  summary: 'Get the subscription, the billing history, the card and the URL of the billing portal',
  input: z.object({}),
  output: z.object({
    subscription,
    billing_history: z.array(invoice).describe('Newest first'),
    payment_method: paymentMethod.nullable(),
    portal_url: z.string().nullable(),
    providerUnavailable: z
      .boolean()
      .describe("The card provider didn't respond: the subscription is as last known, the rest is missing"),
  }),
  rateLimit: CARD_PROVIDER_CALLS,
})

export const revertToFree = defineCall({
  method: 'POST',
  path: '/revert-to-free',
  access: 'user',
  summary: 'End the subscription and switch to the free plan immediately',
  input: z.object({}),
  output: done,
  rateLimit: CARD_PROVIDER_CALLS,
})

export const createSetupIntent = defineCall({
  method: 'POST',
  path: '/stripe/setup-intent',
  access: 'user',
  summary: 'Create what the card form needs to send a new card to the card provider',
  input: z.object({}),
  output: z.object({ client_secret: z.string() }),
  rateLimit: { points: 60, seconds: 10 * MINUTE },
})

export const updatePaymentMethod = defineCall({
  method: 'POST',
  path: '/stripe/update-payment-method',
  access: 'user',
  summary: 'Make a new card the default payment method',
  input: z.object({ payment_method: z.string('Card update failed.').min(1, 'Card update failed.').max(255) }),
  output: done,
  rateLimit: { points: 60, seconds: 10 * MINUTE },
})
