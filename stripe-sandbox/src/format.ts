/** Cents as people read them: `$99.99`, `-$3.10`. */
export function formatMoney(cents: number, currency = 'usd'): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(cents / 100)
}

/** `22 Nov 2026`, in UTC. */
export function formatDate(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
    seconds * 1000,
  )
}

export function formatTime(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(
    seconds * 1000,
  )
}
