import { FREE_PLAN, findPlan, type Plan, planNameOf, plans } from '@alcove/contract/plans'
import { setGrantedPlan } from '../modules/billing/index.ts'
import { type Command, CommandError } from './command.ts'
import { getUser } from './find-user.ts'

export const userSetPlan: Command = {
  name: 'user set-plan',
  parameters: ['EMAIL', 'PLAN_ID'],
  summary: 'Give a user a plan without payment; 0 takes it back',
  async run({ services, print }, email = '', planId = '') {
    const plan = readPlan(planId)
    const user = await getUser(services.db, email)
    const paidPlan = await setGrantedPlan(services, user.id, plan)
    if (paidPlan)
      throw new CommandError(`${user.email} pays for ${paidPlan}: a plan is given only to who does not pay.`)
    print(`${user.email} has the plan ${plan ? planNameOf(plan) : FREE_PLAN.planName} now.`)
  },
}

/** Undefined: the free one. */
function readPlan(planId: string): Plan | undefined {
  if (planId === String(FREE_PLAN.planId)) return undefined
  const plan = /^[1-9]\d*$/.test(planId) ? findPlan(Number(planId)) : undefined
  if (plan) return plan
  const known = plans.map((one) => `${one.planId} (${planNameOf(one)})`).join(', ')
  throw new CommandError(`There is no plan ${planId}. The plans are 0 (${FREE_PLAN.planName}), ${known}.`)
}
