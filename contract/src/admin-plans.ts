import { z } from 'zod'
import { defineCall } from './call.ts'
import { oneLine } from './fields.ts'
import {
  MAX_PLAN_DESCRIPTION_LENGTH,
  MAX_PLAN_GIGABYTES,
  MAX_PLAN_NAME_LENGTH,
  MAX_PLAN_PRICE,
  MAX_PLANS_PER_PERIOD,
  MIN_PLAN_PRICE,
} from './limits.ts'
import { billingPeriods, FREE_PLAN } from './plans.ts'

const planSettings = z.object({
  enabled: z
    .boolean('enabled must be true or false.')
    .describe('Without plans, every account has the vault, music and video, and no price is shown'),
})
export type PlanSettings = z.infer<typeof planSettings>

export const getPlanSettings = defineCall({
  method: 'GET',
  path: '/admin/settings/plans',
  access: 'admin',
  scope: 'admin',
  summary: 'Get whether there are plans and prices, and how many accounts have bought a plan',
  input: z.object({}),
  output: planSettings.extend({
    subscribers: z.int().describe('Accounts that pay, or have paid, for a plan'),
  }),
})

export const changePlanSettings = defineCall({
  method: 'PUT',
  path: '/admin/settings/plans',
  access: 'admin',
  scope: 'admin',
  recentSignIn: true,
  summary: 'Switch plans and prices on or off, for all accounts. Those who have bought a plan keep it',
  input: planSettings,
  output: planSettings,
})

const period = z.enum(billingPeriods, 'The period must be Monthly, Annually or Lifetime.')

const plan = z.object({
  planId: z.int(),
  period,
  name: z.string().nullable().describe('What the plan is called instead of its tier'),
  tier: z.string().describe('For example `500 GB` or `2 TB`'),
  gigabytes: z.int(),
  price: z.number().describe('US dollars'),
  description: z.string().describe('As visitors read it'),
  ownDescription: z.string().nullable().describe('Null if `description` is the usual one of the tier'),
  highlight: z.boolean(),
  planName: z.string().describe('What accounts with this plan see: for example `2 TB Annually`'),
  subscribers: z.int().describe('Accounts that have the plan, bought or given'),
})
export type AdminPlan = z.infer<typeof plan>

const catalogue = z.object({
  plans: z.array(plan).describe('The plans for sale by billing period, in the order in which they are shown'),
  former: z.array(plan).describe('Plans that are no longer sold and that accounts still have'),
  revision: z.int().describe('Changes with every change of the plans. Send it back with the next one'),
  isFromFile: z.boolean().describe('Whether these are the plans of the installation, which nobody has changed'),
  arePlansOn: z.boolean().describe('Whether the server has plans and prices at all'),
})
export type PlanCatalogue = z.infer<typeof catalogue>

const QUOTA = 'The storage must be a whole number of GB, at least 1.'
const PRICE = 'The price must be in dollars and whole cents, from 0.50 to 99,999.99.'

const planName = oneLine('The name of a plan', MAX_PLAN_NAME_LENGTH)
  .min(1, 'Enter a name, or leave it out to name the plan after its storage.')
  .refine((name) => name.toLowerCase() !== FREE_PLAN.planName, 'A plan for sale cannot be called “free”.')

const wantedPlan = z.object({
  planId: z
    .int('planId must be the number of a plan.')
    .optional()
    .describe('Of a plan that is for sale. Without it, the plan is new'),
  period,
  name: planName.nullable().default(null).describe('Null to name the plan after its storage'),
  gigabytes: z.int(QUOTA).min(1, QUOTA).max(MAX_PLAN_GIGABYTES, 'A plan can have at most 1024 TB.'),
  price: z
    .number(PRICE)
    .refine((price) => Math.abs(price * 100 - Math.round(price * 100)) < 1e-6, PRICE)
    .refine((price) => Math.round(price * 100) >= MIN_PLAN_PRICE && Math.round(price * 100) <= MAX_PLAN_PRICE, PRICE)
    .describe('US dollars'),
  description: oneLine('The description', MAX_PLAN_DESCRIPTION_LENGTH)
    .nullable()
    .default(null)
    .transform((text) => text || null)
    .describe('Null for the usual one of its tier'),
  highlight: z.boolean('highlight must be true or false.').default(false),
})
export type WantedPlan = z.infer<typeof wantedPlan>

export const wantedPlans = z
  .array(wantedPlan, 'The plans must be a list.')
  .max(billingPeriods.length * MAX_PLANS_PER_PERIOD, `There can be at most ${MAX_PLANS_PER_PERIOD} plans per period.`)

const revision = z.int('revision must be the number that came with the plans.')

export const getPlanCatalogue = defineCall({
  method: 'GET',
  path: '/admin/plans',
  access: 'admin',
  scope: 'admin',
  summary: 'Get the plans for sale and the former ones, with how many accounts have each',
  input: z.object({}),
  output: catalogue,
})

export const replacePlans = defineCall({
  method: 'PUT',
  path: '/admin/plans',
  access: 'admin',
  scope: 'admin',
  recentSignIn: true,
  summary:
    'Replace the list of plans for sale. A plan with another name, storage, period or price is a new plan; accounts keep what they have',
  input: z.object({ plans: wantedPlans, revision }),
  output: catalogue,
})

export const resetPlans = defineCall({
  method: 'DELETE',
  path: '/admin/plans',
  access: 'admin',
  scope: 'admin',
  recentSignIn: true,
  summary: 'Sell the plans of the installation again. Accounts keep what they have',
  input: z.object({}),
  output: catalogue,
})
