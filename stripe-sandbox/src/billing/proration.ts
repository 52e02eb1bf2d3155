/** The part of a period that is left, by the second. */
export interface Rest {
  start: number
  end: number
  now: number
}

/** What is left of an amount of cents: whole cents, half a cent upwards. */
export function prorate(amount: number, { start, end, now }: Rest): number {
  if (end <= start) return 0
  const left = Math.min(Math.max(end - now, 0), end - start)
  return Math.round((amount * left) / (end - start))
}
