import { MAX_PLAN_GIGABYTES, MAX_PLAN_PRICE, MIN_PLAN_PRICE } from '@alcove/contract/limits'
import { FREE_PLAN, tierOf } from '@alcove/contract/plans'
import type { PlanContent } from './staged-plans.ts'

export type StorageUnit = 'GB' | 'TB'

/** What the form of a plan has, mostly as text. */
export interface PlanFields {
  readonly name: string
  readonly storage: string
  readonly unit: StorageUnit
  readonly price: string
  readonly description: string
  readonly highlight: boolean
}

const GIGABYTES_IN: Readonly<Record<StorageUnit, number>> = { GB: 1, TB: 1024 }

const EMPTY: PlanFields = { name: '', storage: '', unit: 'GB', price: '', description: '', highlight: false }

/** Returns the fields of a plan, or those of a new one. */
export function fieldsOf(plan: PlanContent | undefined): PlanFields {
  if (!plan) return EMPTY
  const [storage = '', unit] = tierOf(plan.gigabytes).split(' ')
  return {
    name: plan.name ?? '',
    storage,
    unit: unit === 'TB' ? 'TB' : 'GB',
    price: plan.price.toFixed(2),
    description: plan.description ?? '',
    highlight: plan.highlight,
  }
}

/** The fields that can have a problem, and the problems. */
export type PlanProblems = Partial<Readonly<Record<'name' | 'storage' | 'price', string>>>

/** Reads the fields. `taken` are the names of the other plans with the same billing period, or what they are named after. */
export function readFields(
  fields: PlanFields,
  taken: readonly string[],
): { readonly content: PlanContent } | { readonly problems: PlanProblems } {
  const name = fields.name.trim() || null
  const gigabytes = readStorage(fields)
  const price = readPrice(fields.price)
  const problem = gigabytes === undefined ? undefined : findNameProblem(name, tierOf(gigabytes), taken)
  if (gigabytes === undefined || price === undefined || problem) {
    return {
      problems: {
        ...problem,
        ...(gigabytes === undefined && { storage: 'Enter whole gigabytes, from 1 GB to 1024 TB.' }),
        ...(price === undefined && { price: 'Enter dollars and cents, from 0.50 to 99999.99.' }),
      },
    }
  }
  const description = fields.description.trim() || null
  return { content: { name, gigabytes, price, description, highlight: fields.highlight } }
}

function findNameProblem(name: string | null, tier: string, taken: readonly string[]): PlanProblems | undefined {
  if (name?.toLowerCase() === FREE_PLAN.planName) return { name: 'A plan for sale can’t be called “free”.' }
  if (!taken.some((other) => other.toLowerCase() === (name ?? tier).toLowerCase())) return undefined
  return { name: `There is already a plan called “${name ?? tier}” with this billing period. Enter another name.` }
}

/** Reads a size in whole gigabytes; 1.5 TB are 1536. Returns undefined if it isn't one. */
function readStorage({ storage, unit }: PlanFields): number | undefined {
  const gigabytes = (readNumber(storage, /^\d{1,7}([.,]\d{1,5})?$/) ?? 0) * GIGABYTES_IN[unit]
  return Number.isInteger(gigabytes) && gigabytes >= 1 && gigabytes <= MAX_PLAN_GIGABYTES ? gigabytes : undefined
}

function readPrice(text: string): number | undefined {
  const price = readNumber(text.replace(/^\s*\$/, ''), /^\d{1,5}([.,]\d{1,2})?$/)
  if (price === undefined) return undefined
  const cents = Math.round(price * 100)
  return cents >= MIN_PLAN_PRICE && cents <= MAX_PLAN_PRICE ? cents / 100 : undefined
}

/** Reads a number, also with a comma, as in many countries. */
function readNumber(text: string, format: RegExp): number | undefined {
  const trimmed = text.trim()
  return format.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined
}
