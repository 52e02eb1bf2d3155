/** The value below which the share `rank` of all values lies (0.5: the median; of an even number, the mean of the middle two). */
export function percentile(values: number[], rank: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * rank
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place % 1)
}

export function median(values: number[]): number {
  return percentile(values, 0.5)
}

/** The seconds that work takes. */
export async function timeSeconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
