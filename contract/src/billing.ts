import { z } from 'zod'
import { defineCall } from './call.ts'
import { done } from './fields.ts'
import { billingPeriods } from './plans.ts'

/** An amount as it travels: dollars with at most two decimals. Inside, amounts are whole cents. */
const dollars = z.number()

const planOnSale = z.object({
  planId: z.int(),
  tier: z.string().describe('Like `500 GB` or `2 TB`'),
  price: dollars.nullable().describe('US dollars'),
  description: z.string(),
  features: z.array(z.string()),
  highlight: z.boolean(),
})

export const listPlans = defineCall({
  method: 'GET',
  path: '/plans',
  access: 'public',
  summary: 'The plans for sale by billing period, each list by size, without the free plan',
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
  summary: 'How payments are taken here, and what the card form needs for it',
  input: z.object({}),
  output: z.object({
    mode: z
      .enum(['live', 'sandbox', 'off'])
      .describe('`sandbox`: no real card is charged; `off`: nothing can be bought'),
    publishableKey: z.string().optional().describe("The card provider's key for browsers"),
    sandboxUrl: z.string().optional().describe('Where the sandbox takes card details from the card form'),
  }),
})

const CHOOSE = 'Choose a plan.'
/** Text will do too: a browser gives back as text what it has stored. */
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
  summary: 'Buy a plan: the address of the page to pay on, or for a change of plan the page to come back to',
  input: z.object({
    planId: chosenPlan,
    attemptId: z
      .uuid()
      .optional()
      .describe('Made by the client for one decision to buy: sent again with it, nothing is bought twice'),
  }),
  output: z.object({ url: z.string() }),
})

export const confirmCheckout = defineCall({
  method: 'POST',
  path: '/confirm-checkout',
  access: 'user',
  summary: 'Back from the payment page: ask the card provider what was paid, and bring the plan up to date',
  input: z.object({
    sessionId: z
      .string('This payment was not found.')
      .min(1, 'This payment was not found.')
      .max(255, 'This payment was not found.')
      .optional()
      .describe('Of the payment page that one comes back from; without it the plan alone is brought up to date'),
  }),
  output: z.object({ planId: z.int(), planName: z.string(), status: z.enum(['complete', 'open', 'expired']) }),
})

const subscriptionStatuses = ['free', 'active', 'past_due', 'lifetime', 'incomplete'] as const

const subscription = z.object({
  plan: z.string().describe('`free`, or tier and period'),
  planId: z.int(),
  status: z.enum(subscriptionStatuses),
  billing_cycle: z.enum([...billingPeriods, 'N/A']),
  storage_limit_gb: z.number(),
  price: dollars,
  next_billing_date: z.string().nullable().describe('When the next payment is taken; null where none is'),
  cancelAtPeriodEnd: z.boolean().describe('Cancelled in the portal: paid until `endsAt`, then free'),
  endsAt: z.string().nullable(),
  graceUntil: z.string().nullable().describe('A payment has failed: the plan stays until then'),
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
  summary: 'The subscription, what was billed, the card and the address of the billing portal',
  input: z.object({}),
  output: z.object({
    subscription,
    billing_history: z.array(invoice).describe('The newest first'),
    payment_method: paymentMethod.nullable(),
    portal_url: z.string().nullable(),
    providerUnavailable: z
      .boolean()
      .describe('The card provider did not answer: the subscription is as last known, the rest is missing'),
  }),
})

export const revertToFree = defineCall({
  method: 'POST',
  path: '/revert-to-free',
  access: 'user',
  summary: 'End the subscription and go back to the free plan at once',
  input: z.object({}),
  output: done,
})

export const createSetupIntent = defineCall({
  method: 'POST',
  path: '/stripe/setup-intent',
  access: 'user',
  summary: 'What the card form needs to hand a new card to the card provider',
  input: z.object({}),
  output: z.object({ client_secret: z.string() }),
})

export const updatePaymentMethod = defineCall({
  method: 'POST',
  path: '/stripe/update-payment-method',
  access: 'user',
  summary: "Make the user's new card the one that is charged from now on",
  input: z.object({ payment_method: z.string('Card update failed.').min(1, 'Card update failed.').max(255) }),
  output: done,
})
