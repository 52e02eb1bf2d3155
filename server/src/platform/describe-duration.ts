const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** A duration as people say it, in the largest unit that it is whole in: `30 days`, `1 day`, `36 hours`. */
export function describeDuration(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, unitLength]) => milliseconds % unitLength === 0) ?? UNITS[3]
  const count = Math.round(milliseconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
