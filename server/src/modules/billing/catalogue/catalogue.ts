import { billingPeriods, FREE_PLAN, gigabytesOf, type Plan, planNameOf, plans } from '@alcove/contract/plans'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { defineSetting, readSetting, readSettingAnew } from '../../site/index.ts'

/** The plans of the installation have smaller ids, those that administrators make have larger ones. */
const FIRST_EDITED_PLAN_ID = 1001

export const planSchema = z.object({
  planId: z.int(),
  period: z.enum(billingPeriods),
  name: z.string().optional(),
  tier: z.string(),
  priceInCents: z.int(),
  highlight: z.boolean(),
  description: z.string().optional(),
})

/**
 * What administrators have made of the plans. A plan never changes in what was sold: another name, storage, period or price is another
 * plan, with an id of its own, and the old one becomes a former plan. Former plans stay for good, because accounts, payments and
 * invitations refer to them, and Stripe does even after an account is deleted.
 */
export const catalogueSetting = defineSetting({
  name: 'plan-catalogue',
  schema: z.object({
    /** Null while the plans of the installation are sold. */
    plans: z.array(planSchema).nullable(),
    former: z.array(planSchema),
    /** The least id that is free. */
    nextPlanId: z.int(),
    /** Counts the changes. */
    revision: z.int(),
  }),
  initial: () => ({ plans: null, former: [], nextPlanId: FIRST_EDITED_PLAN_ID, revision: 0 }),
})
export type StoredCatalogue = z.infer<typeof catalogueSetting.schema>

export interface Catalogue {
  /** By period, in the order in which they are shown. */
  readonly onSale: readonly Plan[]
  readonly former: readonly Plan[]
  readonly revision: number
  /** Whether these are the plans of the installation. */
  readonly isFromFile: boolean
}

type Reading = Pick<Services, 'config'> & { readonly db: Database }

/** Returns the plans. They may be a second old if another server has changed them. */
export async function readCatalogue(services: Reading): Promise<Catalogue> {
  return catalogueOf(await readSetting(services, catalogueSetting))
}

/** Returns the plans as they are now. */
export async function readCatalogueAnew(services: Reading): Promise<Catalogue> {
  return catalogueOf(await readSettingAnew(services, catalogueSetting))
}

/** Returns a plan that is or was for sale. */
export async function findPlan(services: Reading, planId: number): Promise<Plan | undefined> {
  const found = planIn(await readCatalogue(services), planId)
  if (found || planId === FREE_PLAN.planId) return found
  // Another server may just have sold it.
  return planIn(await readCatalogueAnew(services), planId)
}

/**
 * Returns the id of the next new plan. Ids follow the time, in minutes, so that none is used twice even if a backup is restored that is
 * older than plans that were sold.
 */
export function nextIdAt(now: number, { nextPlanId }: Pick<StoredCatalogue, 'nextPlanId'>): number {
  return Math.max(nextPlanId, FIRST_EDITED_PLAN_ID + Math.floor((now - IDS_BEGIN) / 60_000))
}

const IDS_BEGIN = Date.UTC(2026, 0, 1)

/** Returns whether an administrator, not the installation, made the plan with an id. */
export function isEditedId(planId: number): boolean {
  return planId >= FIRST_EDITED_PLAN_ID
}

/** Returns a plan that somebody has bought. Throws if it is unknown, because guessing could take away what someone pays for. */
export async function planOf(services: Reading, planId: string): Promise<Plan> {
  const found = await findPlan(services, Number(planId))
  if (!found) throw new Error(`plan ${planId} was sold but is not in the catalogue`)
  return found
}

/** Returns a plan to be given without payment, or undefined for the free one. Throws 400 if there is no such plan. */
export async function getPlan(services: Reading, planId: number | string): Promise<Plan | undefined> {
  if (planId === FREE_PLAN.planId) return undefined
  const found = typeof planId === 'number' ? await findPlan(services, planId) : undefined
  if (found) return found
  const known = (await readCatalogue(services)).onSale.map((one) => `, ${one.planId} (${planNameOf(one)})`)
  throw new AppError(
    'malformed',
    `There is no plan ${planId}. The plans are 0 (${FREE_PLAN.planName})${known.join('')}.`,
  )
}

export function catalogueOf({ plans: edited, former, revision }: StoredCatalogue): Catalogue {
  return { onSale: edited ?? plansOfFile, former, revision, isFromFile: edited === null }
}

/** Former versions of the installation may have had the plan, and so may the current one, although it isn't for sale. */
export function planIn({ onSale, former }: Pick<Catalogue, 'onSale' | 'former'>, planId: number): Plan | undefined {
  return [onSale, former, plans].flatMap((those) => those.find((one) => one.planId === planId) ?? [])[0]
}

/** Returns plans by period, and otherwise in the same order. */
export function byPeriod(those: readonly Plan[]): Plan[] {
  return billingPeriods.flatMap((period) => those.filter((one) => one.period === period))
}

const plansOfFile = byPeriod(plans.toSorted((a, b) => gigabytesOf(a.tier) - gigabytesOf(b.tier)))

const wrong = plans.find(({ planId }) => planId < 1 || isEditedId(planId))
if (wrong) throw new Error(`the id of plan ${wrong.planId} in contract/src/plans.ts must be from 1 to 1000`)
