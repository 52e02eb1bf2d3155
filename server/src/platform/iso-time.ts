const DAY = 86_400_000

const two = Array.from({ length: 60 }, (_unused, number) => String(number).padStart(2, '0'))
const three = Array.from({ length: 1000 }, (_unused, number) => String(number).padStart(3, '0'))

let knownDay = Number.NaN
let knownDate = ''

/**
 * A time as `Date.toISOString` writes it, ten times as fast: a list of ten thousand items has twenty thousand of them,
 * mostly of the same few days.
 */
export function formatTime(time: number): string {
  const day = Math.floor(time / DAY)
  if (day !== knownDay) {
    knownDate = new Date(day * DAY).toISOString().slice(0, -13)
    knownDay = day
  }
  const rest = time - day * DAY
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${knownDate}${two[hours]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[rest % 1000]}Z`
}
