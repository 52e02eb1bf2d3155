/** How long all versions are kept. Older ones are thinned out. In milliseconds, like all times here. */
export const KEEP_ALL = 24 * 3_600_000

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** Replacements by one session within this time are one version. */
export const BURST = 60_000

/** From when on a version is kept only if it is the last of its hour, day or week (UTC; weeks begin on Thursdays). */
interface Thinning {
  /** Versions that were created before are thinned out. */
  before: number
  /** Of the versions since these times, one an hour or one a day is kept. Of older ones, one a week. */
  hourlySince: number
  dailySince: number
  /** Older versions are deleted. */
  oldest: number
}

/**
 * Returns how a file's versions are thinned out at a time: all of the last 24 hours stay, then one an hour for a week, one a day
 * for 90 days, and one a week as long as the retention lasts.
 */
export function thinningAt(now: number, retention: number): Thinning {
  return {
    before: now - Math.min(KEEP_ALL, retention),
    hourlySince: now - WEEK,
    dailySince: now - 90 * DAY,
    oldest: now - retention,
  }
}

export const THINNED_TO = { hourly: HOUR, daily: DAY, weekly: WEEK } as const
