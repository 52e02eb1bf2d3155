const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Milliseconds since 1970, in the one zone that is right for every reader: `2 May 2026 at 07:05 UTC`. */
export function formatTime(at: number): string {
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${time.format(at)} UTC`
}

export function formatDate(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

/** An amount in the smallest unit of its currency: `$49.99`; yen have no smaller unit. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** As the product shows what is stored: two decimals, 1 GB being 1024 MB. */
export function formatStorage(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 2)} ${UNITS[power]}`
}
