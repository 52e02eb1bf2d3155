/** A limit for a value, for the best value of all rounds, or for the ratio to the reference's. */
export interface Goal {
  of: 'value' | 'best' | 'ratio'
  bound: 'at least' | 'at most'
  limit: number
}

export const valueAtMost = (limit: number): Goal => ({ of: 'value', bound: 'at most', limit })
export const bestAtMost = (limit: number): Goal => ({ of: 'best', bound: 'at most', limit })
export const valueAtLeast = (limit: number): Goal => ({ of: 'value', bound: 'at least', limit })
export const ratioAtMost = (limit: number): Goal => ({ of: 'ratio', bound: 'at most', limit })
export const ratioAtLeast = (limit: number): Goal => ({ of: 'ratio', bound: 'at least', limit })

/** A row of the table. The values of a round have the same index in both lists. */
export interface Row {
  /** The description, with the unit. */
  what: string
  alcove: number[]
  /** Has no values if the reference isn't installed. */
  reference?: { name: string; figures: number[] }
  floor?: Goal
  aim?: Goal
}

/**
 * Returns the median over the rounds of Alcove's value divided by the reference's. Undefined without a reference, and if
 * the reference's processor time was too short to measure.
 */
export function ratioOf(row: Row): number | undefined {
  const figures = row.reference?.figures ?? []
  const ratio = median(figures.map((figure, round) => (row.alcove[round] ?? Number.NaN) / figure))
  return Number.isFinite(ratio) ? ratio : undefined
}

/** Returns whether a row meets a goal; undefined if there is nothing to compare with. */
export function isMet(row: Row, goal: Goal): boolean | undefined {
  const figure = figureOf(row, goal)
  if (figure === undefined) return undefined
  return goal.bound === 'at most' ? figure <= goal.limit : figure >= goal.limit
}

function figureOf(row: Row, { of, bound }: Goal): number | undefined {
  if (of === 'ratio') return ratioOf(row)
  if (of === 'value') return median(row.alcove)
  return bound === 'at most' ? Math.min(...row.alcove) : Math.max(...row.alcove)
}

/** Returns the percentile at `rank` from 0 to 1, interpolated linearly. */
export function percentile(values: number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * rank
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place % 1)
}

export function median(values: number[]): number {
  return percentile(values, 0.5)
}

/** Returns how many seconds `work` takes. */
export async function timeSeconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
