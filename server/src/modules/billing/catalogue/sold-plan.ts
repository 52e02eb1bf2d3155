import type { Plan } from '@alcove/contract/plans'
import type { z } from 'zod'
import type { Services } from '../../../context.ts'
import { changeSetting } from '../../site/index.ts'
import { catalogueOf, catalogueSetting, findPlan, isEditedId, planIn, planOf, planSchema } from './catalogue.ts'

const terms = planSchema.pick({ period: true, name: true, tier: true, priceInCents: true })

/** Returns what Stripe keeps with prices and payments, to recognize the plan that was sold. */
export function metadataOf({ planId, period, name, tier, priceInCents }: Plan): Record<string, string> {
  return { planId: String(planId), plan: JSON.stringify({ period, name, tier, priceInCents }) }
}

/**
 * Returns the plan that was sold with the metadata of a price or a payment. If the server has lost it, because an older backup was restored, it
 * becomes a former plan again. Throws if the plan is unknown and not described.
 */
export async function soldPlan(
  services: Pick<Services, 'db' | 'config' | 'clock'>,
  planId: string,
  metadata: Readonly<Record<string, string>>,
): Promise<Plan> {
  const id = Number(planId)
  const known = await findPlan(services, id)
  if (known) return known
  const described = isEditedId(id) ? readTerms(metadata.plan) : undefined
  if (described) {
    await changeSetting(services, catalogueSetting, (before) => {
      if (planIn(catalogueOf(before), id)) return before
      const former = [...before.former, { planId: id, ...described, highlight: false }]
      return { ...before, former, nextPlanId: Math.max(before.nextPlanId, id + 1) }
    })
  }
  return planOf(services, planId)
}

function readTerms(text = ''): z.infer<typeof terms> | undefined {
  try {
    return terms.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
