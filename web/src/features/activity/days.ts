import type { Activity } from '@alcove/contract/activity'
import { formatDayWithYear } from '../../lib/format.ts'

interface Day {
  readonly label: string
  readonly entries: readonly Activity[]
}

/** Groups entries, newest first, by the day of their last change in the time zone of the reader. */
export function groupByDay(entries: readonly Activity[], now = new Date()): Day[] {
  return [...Map.groupBy(entries, ({ lastAt }) => nameOfDay(new Date(lastAt), now))].map(([label, some]) => ({
    label,
    entries: some,
  }))
}

function nameOfDay(time: Date, now: Date): string {
  const day = time.toDateString()
  if (day === now.toDateString()) return 'Today'
  // The day before, also where a day has 23 hours.
  if (day === new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toDateString()) return 'Yesterday'
  return formatDayWithYear(time.toISOString())
}
