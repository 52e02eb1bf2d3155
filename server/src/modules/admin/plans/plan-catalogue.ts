import type { AdminPlan, PlanCatalogue } from '@alcove/contract/admin-plans'
import { calls } from '@alcove/contract/calls'
import { descriptionOf, gigabytesOf, type Plan, planNameOf } from '@alcove/contract/plans'
import type { Services } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { signUpSetting } from '../../accounts/index.ts'
import { actorOf } from '../../audit/index.ts'
import { planIn, readCatalogueAnew, replacePlans, resetPlans } from '../../billing/index.ts'
import { plansSetting, readSetting } from '../../site/index.ts'

type Reading = Pick<Services, 'db' | 'config'>

/** Returns the plans for sale, and the former ones that are still in use, with how many accounts have each. */
export async function readPlans(services: Reading): Promise<PlanCatalogue> {
  const catalogue = await readCatalogueAnew(services)
  const { enabled } = await readSetting(services, plansSetting)
  const subscribers = await countSubscribers(services.db)
  const present = (plan: Plan) => presentPlan(plan, subscribers.get(plan.planId) ?? 0)
  const used = new Set([...subscribers.keys(), ...(await listPromised(services))])
  const former = [...used]
    .filter((planId) => !catalogue.onSale.some((plan) => plan.planId === planId))
    .toSorted((a, b) => a - b)
    .flatMap((planId) => planIn(catalogue, planId) ?? [])
  return {
    plans: catalogue.onSale.map(present),
    former: former.map(present),
    revision: catalogue.revision,
    isFromFile: catalogue.isFromFile,
    arePlansOn: enabled,
  }
}

function presentPlan(plan: Plan, subscribers: number): AdminPlan {
  const { planId, period, name, tier, priceInCents, description, highlight } = plan
  return {
    ...{ planId, period, name: name ?? null, tier, gigabytes: gigabytesOf(tier), price: priceInCents / 100 },
    ...{ description: descriptionOf(plan), ownDescription: description ?? null, highlight },
    ...{ planName: planNameOf(plan), subscribers },
  }
}

async function countSubscribers(db: Database): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('users')
    .select('plan_id')
    .select((eb) => eb.fn.countAll<number>().as('users'))
    .where('plan_id', '!=', 0)
    .where('deleted_at', 'is', null)
    .groupBy('plan_id')
    .execute()
  return new Map(rows.map(({ plan_id, users }) => [plan_id, Number(users)]))
}

/** Returns the plans that new accounts and those who were invited will get. */
async function listPromised(services: Reading): Promise<number[]> {
  const { defaultPlanId } = await readSetting(services, signUpSetting)
  const invited = await services.db.selectFrom('invitations').select('plan_id').distinct().execute()
  return [defaultPlanId, ...invited.flatMap(({ plan_id }) => plan_id ?? [])]
}

export const planEndpoints = [
  endpoint(calls.getPlanCatalogue, (ctx) => readPlans(ctx)),
  endpoint(calls.replacePlans, async (ctx, wanted) => {
    await replacePlans(ctx, actorOf(ctx), wanted)
    return readPlans(ctx)
  }),
  endpoint(calls.resetPlans, async (ctx) => {
    await resetPlans(ctx, actorOf(ctx))
    return readPlans(ctx)
  }),
]
