import { median } from './statistics.ts'

/** What a figure, or its ratio to the reference's, should be. */
export interface Goal {
  of: 'value' | 'ratio'
  bound: 'at least' | 'at most'
  limit: number
}

export const valueAtMost = (limit: number): Goal => ({ of: 'value', bound: 'at most', limit })
export const ratioAtMost = (limit: number): Goal => ({ of: 'ratio', bound: 'at most', limit })
export const ratioAtLeast = (limit: number): Goal => ({ of: 'ratio', bound: 'at least', limit })

/** One line of the table. The figures of a round stand at the same place in both lists. */
export interface Row {
  /** With its unit. */
  what: string
  alcove: number[]
  /** No figures: the reference is not installed. */
  reference?: { name: string; figures: number[] }
  floor?: Goal
  aim?: Goal
}

/**
 * Alcove's figure over the reference's, round by round; the middle one. Undefined without a reference, and where its
 * processor time was too short for the clock.
 */
export function ratioOf(row: Row): number | undefined {
  const figures = row.reference?.figures ?? []
  const ratio = median(figures.map((figure, round) => (row.alcove[round] ?? Number.NaN) / figure))
  return Number.isFinite(ratio) ? ratio : undefined
}

/** Whether a row's figures keep to a goal; undefined where there is nothing to compare with. */
export function isMet(row: Row, goal: Goal): boolean | undefined {
  const figure = goal.of === 'value' ? median(row.alcove) : ratioOf(row)
  if (figure === undefined) return undefined
  return goal.bound === 'at most' ? figure <= goal.limit : figure >= goal.limit
}
