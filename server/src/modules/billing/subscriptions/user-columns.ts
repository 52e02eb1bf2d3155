import { allocationOf, FREE_PLAN, NO_PLAN_NAME, type Plan, planNameOf } from '@alcove/contract/plans'
import { type RawBuilder, sql } from 'kysely'
import type { Services } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { defaultQuotaSetting, plansSetting, readSetting } from '../../site/index.ts'
import { findPlan } from '../catalogue/catalogue.ts'

interface PlanColumns {
  plan_id: number
  plan_name: string
  allocated_bytes: number
}

/**
 * Returns the columns of a new user that follow from a plan and the settings of the server. Without plans, only those who have bought
 * one still see its name.
 */
export async function newUserColumns(
  { config }: Pick<Services, 'config'>,
  tx: Tx,
  plan: Plan | undefined,
  isBought = false,
): Promise<PlanColumns> {
  const { enabled } = await readSetting({ db: tx, config }, plansSetting)
  const isNamed = enabled || (plan !== undefined && isBought)
  const name = plan ? planNameOf(plan) : FREE_PLAN.planName
  return {
    plan_id: plan?.planId ?? FREE_PLAN.planId,
    plan_name: isNamed ? name : NO_PLAN_NAME,
    allocated_bytes: await quotaOf({ config }, tx, plan),
  }
}

/** Returns the quota of a plan, or that of accounts without one. */
export async function quotaOf(
  { config }: Pick<Services, 'config'>,
  db: Database,
  plan: Plan | undefined,
): Promise<number> {
  if (plan) return allocationOf(plan)
  return (await readSetting({ db, config }, defaultQuotaSetting)) ?? FREE_PLAN.allocation
}

/** Returns the same for a user who exists. A quota that an administrator gave the user stays. */
export async function userColumnsOf(
  services: Pick<Services, 'config'>,
  tx: Tx,
  plan: Plan | undefined,
  isBought = false,
): Promise<Omit<PlanColumns, 'allocated_bytes'> & { allocated_bytes: RawBuilder<number> }> {
  const columns = await newUserColumns(services, tx, plan, isBought)
  return { ...columns, allocated_bytes: sql<number>`coalesce(own_quota, ${columns.allocated_bytes})` }
}

/** Gives all accounts the plan name that they have with plans, or without. Repeating it changes nothing. */
export async function renamePlans(services: Pick<Services, 'config'>, tx: Tx, arePlansOn: boolean): Promise<void> {
  const users = tx.updateTable('users')
  if (arePlansOn) {
    const names = await namesOfUnnamed(services, tx)
    if (names.length === 0) return
    const known = sql.join(
      names.map(([id, name]) => sql`when ${sql.lit(id)} then ${name}`),
      sql` `,
    )
    await users
      .set({ plan_name: sql<string>`case plan_id ${known} else plan_name end` })
      .where('plan_name', '=', NO_PLAN_NAME)
      .execute()
    return
  }
  await users
    .set({ plan_name: NO_PLAN_NAME })
    .where('plan_name', '!=', NO_PLAN_NAME)
    .where((eb) =>
      eb.or([
        eb('plan_id', '=', FREE_PLAN.planId),
        eb.not(
          eb.exists(
            eb
              .selectFrom('billing_customers')
              .select('billing_customers.user_id')
              .whereRef('billing_customers.user_id', '=', 'users.id')
              .where((bought) =>
                bought.or([
                  bought('billing_customers.subscription_id', 'is not', null),
                  bought('billing_customers.lifetime_plan_id', 'is not', null),
                ]),
              ),
          ),
        ),
      ]),
    )
    .execute()
}

/** Returns the plans of the accounts without a plan name: each id with its name. */
async function namesOfUnnamed({ config }: Pick<Services, 'config'>, tx: Tx): Promise<[number, string][]> {
  const had = await tx.selectFrom('users').select('plan_id').distinct().where('plan_name', '=', NO_PLAN_NAME).execute()
  const names: [number, string][] = []
  for (const { plan_id } of had) {
    const plan = await findPlan({ config, db: tx }, plan_id)
    if (plan) names.push([plan_id, planNameOf(plan)])
    else if (plan_id === FREE_PLAN.planId) names.push([plan_id, FREE_PLAN.planName])
  }
  return names
}

/** Gives the default quota to all accounts without a larger plan or a quota of their own. */
export async function applyDefaultQuota(tx: Tx, quota: number | null): Promise<void> {
  await tx
    .updateTable('users')
    .set({ allocated_bytes: quota ?? FREE_PLAN.allocation })
    .where('plan_id', '=', FREE_PLAN.planId)
    .where('own_quota', 'is', null)
    .execute()
}

/**
 * Brings all accounts in line with the plans setting: the operator may have changed the variable that it starts with, and an account
 * may have been created while an administrator changed it.
 */
export async function followPlansSetting({ db, config }: Services): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { enabled } = await readSetting({ db: tx, config }, plansSetting)
    await renamePlans({ config }, tx, enabled)
  })
}
