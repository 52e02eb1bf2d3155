import { formatDay, plural } from '../../../lib/format.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Returns when a session was last used, such as `3 hours ago`. The server records it to within an hour. */
export function describeLastUse(lastUsedAt: string, now = new Date()): string {
  const past = now.getTime() - Date.parse(lastUsedAt)
  if (past < HOUR) return 'In the last hour'
  if (past < DAY) return `${plural(Math.floor(past / HOUR), 'hour')} ago`
  if (past < 30 * DAY) return `${plural(Math.floor(past / DAY), 'day')} ago`
  return `On ${formatDay(lastUsedAt, now)}`
}

/** Returns whether a session's device, such as `Safari on iPhone`, is a phone or a tablet. */
export function isHandheld(device: string): boolean {
  return /\b(iPhone|iPad|Android)\b/.test(device)
}
