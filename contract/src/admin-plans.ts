import { z } from 'zod'
import { defineCall } from './call.ts'

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
  summary: 'Get whether there are plans and prices, and the plans',
  input: z.object({}),
  output: planSettings.extend({
    plans: z.array(z.object({ planId: z.int(), name: z.string(), bytes: z.int(), price: z.number() })),
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
