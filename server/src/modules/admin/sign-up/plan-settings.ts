import { calls } from '@alcove/contract/calls'
import type { Services } from '../../../context.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { type AuditActor, actorOf, noteAudit } from '../../audit/index.ts'
import { renamePlans } from '../../billing/index.ts'
import { changeSetting, plansSetting, readSetting } from '../../site/index.ts'

export const getPlanSettings = endpoint(calls.getPlanSettings, async (ctx) => {
  const { subscribers } = await ctx.db
    .selectFrom('billing_customers')
    .select((eb) => eb.fn.countAll<number>().as('subscribers'))
    .where((eb) => eb.or([eb('subscription_id', 'is not', null), eb('lifetime_plan_id', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return { ...(await readSetting(ctx, plansSetting)), subscribers: Number(subscribers) }
})

export const changePlanSettings = endpoint(calls.changePlanSettings, (ctx, { enabled }) =>
  switchPlans(ctx, actorOf(ctx), enabled),
)

/** Switches plans on or off, and gives all accounts the plan name that they then have, in one transaction. */
export function switchPlans(
  services: Pick<Services, 'db' | 'config' | 'clock'>,
  actor: AuditActor,
  enabled: boolean,
): Promise<{ enabled: boolean }> {
  return changeSetting(services, plansSetting, async (before, tx) => {
    if (before.enabled === enabled) return before
    await renamePlans(services, tx, enabled)
    await noteAudit(services, tx, actor, { action: 'settings.plans', details: { enabled } })
    return { enabled }
  })
}
