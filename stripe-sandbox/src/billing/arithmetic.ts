type IntervalUnit = 'day' | 'week' | 'month' | 'year'

export interface BillingInterval {
  interval: IntervalUnit
  interval_count: number
}

const DAY = 86_400

/** Returns the end of the period that begins at `start`. Counts from the anchor, so the 31st comes back after February. */
export function periodEnd(anchor: number, start: number, interval: BillingInterval): number {
  for (let count = 1; ; count++) {
    const end = addIntervals(anchor, interval, count)
    if (end > start) return end
  }
}

function addIntervals(anchor: number, { interval, interval_count }: BillingInterval, count: number): number {
  const intervals = interval_count * count
  if (interval === 'day') return anchor + intervals * DAY
  if (interval === 'week') return anchor + intervals * 7 * DAY
  return addMonths(anchor, interval === 'year' ? intervals * 12 : intervals)
}

function addMonths(seconds: number, months: number): number {
  const date = new Date(seconds * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime() / 1000
}

/** A billing period and the time within it, in seconds. */
interface PeriodAt {
  start: number
  end: number
  now: number
}

/** Returns the share of an amount for the rest of the period, in whole cents; half a cent rounds up. */
export function prorate(amount: number, { start, end, now }: PeriodAt): number {
  if (end <= start) return 0
  const left = Math.min(Math.max(end - now, 0), end - start)
  return Math.round((amount * left) / (end - start))
}
