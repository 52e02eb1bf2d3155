/** Formats a day as date inputs do, `2026-11-30`, in the local time zone. */
export function toDay(date: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** Returns the last moment of a day, on which a link still works, or undefined if the text is not a day. */
export function endOfDay(day: string): Date | undefined {
  const [year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.slice(1).map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const end = new Date(year, month - 1, date, 23, 59, 59, 999)
  return toDay(end) === day ? end : undefined
}

/** Returns whether a link has expired. */
export function isExpired(expiresAt: string): boolean {
  return Date.parse(expiresAt) <= Date.now()
}
