import type { Version } from '@alcove/contract/versions'
import { formatMoment, plural } from '../../lib/format.ts'
import { siteName } from '../../lib/site.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const LOCALE = typeof navigator !== 'undefined' && navigator.language?.startsWith('en') ? navigator.language : 'en-GB'
const timeOfDay = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })

/** Returns when something happened, in words: `today at 14:03`, `yesterday at 09:12`, `on 14 Nov 2026, 09:12`. */
export function describeWhen(time: string, now = new Date()): string {
  const then = new Date(time)
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (isSameDay(then, now)) return `today at ${timeOfDay.format(then)}`
  if (isSameDay(then, yesterday)) return `yesterday at ${timeOfDay.format(then)}`
  return `on ${formatMoment(time)}`
}

function isSameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString()
}

/** Returns who replaced a version, and on which device. `email` is the user's own address. */
export function describeReplacer({ author, device }: Pick<Version, 'author' | 'device'>, email?: string): string {
  return [author === email ? 'you' : author, device].filter(Boolean).join(', ')
}

/** Returns the rule by which the server keeps versions, given how long it keeps them in milliseconds. */
export function describeRetention(retention: number): string {
  const kept = retention > 0 ? describeKept(retention) : 'no earlier versions'
  return `${siteName} keeps ${kept}. Named versions are kept until you delete them.`
}

function describeKept(retention: number): string {
  const end = describeLength(retention)
  if (retention <= DAY) return `every version for ${end}`
  if (retention <= 7 * DAY) return `every version for 24 hours, then one an hour for ${end}`
  if (retention <= 90 * DAY) return `every version for 24 hours, then one an hour for a week, and one a day for ${end}`
  return `every version for 24 hours, then one an hour for a week, one a day for 90 days, and one a week for ${end}`
}

function describeLength(retention: number): string {
  if (retention === 365 * DAY) return 'a year'
  if (retention === 7 * DAY) return 'a week'
  if (retention > DAY) return plural(Math.round(retention / DAY), 'day')
  if (retention >= HOUR) return plural(Math.round(retention / HOUR), 'hour')
  return plural(Math.max(1, Math.round(retention / 60_000)), 'minute')
}
