import type { AppPassword } from '@alcove/contract/app-passwords'
import { formatDayWithYear, plural } from '../../../lib/format.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Scope = AppPassword['scope']

/** What an app password may do, in the order of the form. The last is only for administrators. */
export const scopes: readonly { readonly scope: Scope; readonly name: string; readonly text: string }[] = [
  { scope: 'write', name: 'Read and write', text: 'Reads, adds, changes, deletes and shares files.' },
  { scope: 'read', name: 'Read only', text: 'Reads and downloads files, and changes nothing.' },
  { scope: 'upload', name: 'Upload only', text: 'Adds files and folders, and can’t read or replace any.' },
  { scope: 'admin', name: 'Administration', text: 'Makes the calls of the Admin area, and reaches no files.' },
]

export function nameOfScope(scope: Scope): string {
  return scopes.find((one) => one.scope === scope)?.name ?? scope
}

/** Returns the folder that an app password is limited to, in words, or undefined if it can use the whole drive. */
export function describeReach({ folderId, folderPath }: Pick<AppPassword, 'folderId' | 'folderPath'>) {
  if (folderId === null) return undefined
  if (folderPath === null) return { text: 'Its folder is in the trash', isWarning: true }
  return { text: `Only ${folderPath.replace(/^\//, '')}`, isWarning: false }
}

/** From this long before its end, an app password is marked. */
const ENDS_SOON = 7 * DAY

/** Returns when an app password expires, in words. In its last days, the text says how much time is left. */
export function describeExpiry(expiresAt: string, now = new Date()): { text: string; isSoon: boolean } {
  const left = Date.parse(expiresAt) - now.getTime()
  if (left <= 0) return { text: 'Expired', isSoon: true }
  const text = `Expires ${formatDayWithYear(expiresAt)}`
  if (left > ENDS_SOON) return { text, isSoon: false }
  const inWords = left < DAY ? plural(Math.ceil(left / HOUR), 'hour') : plural(Math.floor(left / DAY), 'day')
  return { text: `${text}, in ${inWords}`, isSoon: true }
}

/** Returns what last used an app password, where and when: `rclone, 203.0.113.7, 5 minutes ago`. */
export function describeUse(
  { lastUsedAt, app, ip }: Pick<AppPassword, 'lastUsedAt' | 'app' | 'ip'>,
  now = new Date(),
): string {
  if (lastUsedAt === null) return 'Never used'
  return [app, ip, describeAge(lastUsedAt, now)].filter((part) => part !== null).join(', ')
}

/** Returns how long ago something was. The server records uses to within a minute. */
function describeAge(time: string, now: Date): string {
  const age = now.getTime() - Date.parse(time)
  if (age < MINUTE) return 'just now'
  if (age < HOUR) return `${plural(Math.floor(age / MINUTE), 'minute')} ago`
  if (age < DAY) return `${plural(Math.floor(age / HOUR), 'hour')} ago`
  if (age < 30 * DAY) return `${plural(Math.floor(age / DAY), 'day')} ago`
  return `on ${formatDayWithYear(time)}`
}
