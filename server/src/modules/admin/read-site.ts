import { DEFAULT_ALLOCATION, GIGABYTE } from '@alcove/contract/limits'
import { allocationOf, billingPeriods, type Plan } from '@alcove/contract/plans'
import { listDomains } from '@alcove/contract/sign-up-modes'
import type { Services } from '../../context.ts'
import type { Site } from '../../platform/http/web-pages.ts'
import { signUpSetting } from '../accounts/index.ts'
import { readCatalogue } from '../billing/index.ts'
import { defaultQuotaSetting, describeSite, plansSetting, readSetting } from '../site/index.ts'

/** Returns what the pages of the web say about this server, with what visitors can do here. */
export async function readSite(services: Services): Promise<Site> {
  const site = await describeSite(services)
  const { mode, domains } = await readSetting(services, signUpSetting)
  const { enabled } = await readSetting(services, plansSetting)
  const quota = (await readSetting(services, defaultQuotaSetting)) ?? DEFAULT_ALLOCATION
  const { onSale } = await readCatalogue(services)
  const plans = enabled ? 'on' : 'off'
  return {
    ...site,
    variant: `${mode}-${plans}`,
    texts: {
      ...site.texts,
      'alcove-sign-up': mode,
      'alcove-sign-up-domains': listDomains(domains),
      'alcove-plans': plans,
      'alcove-free-storage': describeQuota(quota),
      'alcove-growth': describeGrowth(onSale),
    },
  }
}

/** Returns a quota as plans name it: `10 GB` or `1.5 TB`. */
function describeQuota(bytes: number): string {
  const [value, unit] = bytes < 1024 * GIGABYTE ? [bytes / GIGABYTE, 'GB'] : [bytes / GIGABYTE / 1024, 'TB']
  return `${Number(value.toFixed(2))} ${unit}`
}

const howPaid: Readonly<Record<Plan['period'], string>> = { Monthly: 'monthly', Annually: 'yearly', Lifetime: 'once' }

/** Returns the sentence of the landing page about the plans for sale; nothing if there are none. */
function describeGrowth(onSale: readonly Plan[]): string {
  const [largest] = onSale.toSorted((one, other) => allocationOf(other) - allocationOf(one))
  if (!largest) return ''
  const ways = billingPeriods.filter((period) => onSale.some((plan) => plan.period === period))
  const paid = ways.map((period) => howPaid[period]).join(', ')
  return `Grow to ${largest.tier} when life does, paid ${paid.replace(/, (?=[^,]*$)/, ' or ')}.`
}
