/** Formats numbers, sizes and times. Sizes are in binary units, as in plans and the storage bar. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** The user's variant of English: `2 May` or `May 2`. */
export const LOCALE =
  typeof navigator !== 'undefined' && navigator.language?.startsWith('en') ? navigator.language : 'en-GB'

function inUnits(bytes: number, least = 0): { value: number; unit: string; step: number } {
  let step = least
  // 1023.95 KB would be shown as 1024 KB.
  while (step < UNITS.length - 1 && bytes / 1024 ** step >= 1023.95) step += 1
  return { value: bytes / 1024 ** step, unit: UNITS[step] ?? 'TB', step }
}

/** Formats a size: `86 KB`, `6.2 MB`, `248 MB`, `1.4 GB`. */
export function formatSize(bytes: number): string {
  const { value, unit, step } = inUnits(bytes)
  const isExact = step < 2 || value >= 99.95
  const rounded = isExact ? Math.round(value) : Math.round(value * 10) / 10
  return `${rounded} ${unit}`
}

/** Formats a size with two decimals, for the storage bar: `412.60 GB`. Zero is `0.00 GB`. */
export function formatStorage(bytes: number): string {
  if (bytes <= 0) return '0.00 GB'
  const { value, unit, step } = inUnits(bytes)
  return step === 0 ? `${Math.round(value)} B` : `${value.toFixed(2)} ${unit}`
}

/** Formats how full the storage is: a percentage with two decimals, at most 100. */
export function formatUsage(usedBytes: number, allocatedBytes: number): string {
  return `${usageOf(usedBytes, allocatedBytes).toFixed(2)}%`
}

export function usageOf(usedBytes: number, allocatedBytes: number): number {
  if (allocatedBytes <= 0) return usedBytes > 0 ? 100 : 0
  return Math.min(100, (usedBytes / allocatedBytes) * 100)
}

export function formatSpeed(bytesPerSecond: number): string {
  return `${formatSize(bytesPerSecond)}/s`
}

/** Formats a remaining time, short: `42 s left`, `2 min left`, `3 h left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s left`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min left`
  return `${Math.round(seconds / 3600)} h left`
}

/** Formats a remaining time in words: `about 2 minutes left`. */
export function formatTimeLeftInWords(seconds: number): string {
  if (seconds < 60) return 'less than a minute left'
  if (seconds < 3570) return `about ${plural(Math.round(seconds / 60), 'minute')} left`
  return `about ${plural(Math.round(seconds / 3600), 'hour')} left`
}

/** Formats a duration like a media player: `3:58`, `1:02:07`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const last = String(rest).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${last}` : `${minutes}:${last}`
}

export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

export function formatCount(count: number): string {
  return count.toLocaleString(LOCALE)
}

const dayThisYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })
const dayAnyYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' })

/** Formats a date: `2 May`, with the year if it isn't the current one. */
export function formatDay(time: string, now = new Date()): string {
  const date = new Date(time)
  return (date.getFullYear() === now.getFullYear() ? dayThisYear : dayAnyYear).format(date)
}

/** Formats a date with its year: `2 May 2026`. */
export function formatDayWithYear(time: string): string {
  return dayAnyYear.format(new Date(time))
}

const wholeDate = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', year: 'numeric' })

/** Formats a date with the full month: `14 March 2027`. */
export function formatDate(time: string): string {
  return wholeDate.format(new Date(time))
}

const clock = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit' })

/** Formats a time of day: `9:12 AM` or `09:12`. */
export function formatTime(time: string): string {
  return clock.format(new Date(time))
}

const moment = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** Formats a date and time: `14 Nov 2026, 09:12`. */
export function formatMoment(time: string): string {
  return moment.format(new Date(time))
}
