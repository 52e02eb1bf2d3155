export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Rhythm {
  interval: Interval
  interval_count: number
}

const DAY = 86_400

/** The end of the period that begins at `start`, counted from the anchor so that the 31st comes back after February. */
export function periodEnd(anchor: number, start: number, rhythm: Rhythm): number {
  for (let count = 1; ; count++) {
    const end = addIntervals(anchor, rhythm, count)
    if (end > start) return end
  }
}

function addIntervals(anchor: number, { interval, interval_count }: Rhythm, count: number): number {
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
