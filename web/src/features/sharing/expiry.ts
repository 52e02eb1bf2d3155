/** Days as date fields write them, `2026-11-30`, in the user's own time. */
export function toDay(date: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
}

/** The last moment of a day, or undefined where the text is no day. A link that expires on a day is good all through it. */
export function endOfDay(day: string): Date | undefined {
  const [year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.slice(1).map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const end = new Date(year, month - 1, date, 23, 59, 59, 999)
  return toDay(end) === day ? end : undefined
}
