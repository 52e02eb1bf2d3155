import type { DeletionGroup } from '@alcove/contract/trash'
import { formatDay, LOCALE, plural } from '../../lib/format.ts'

const timeOfDay = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })

/** Says what an app or a member deleted and when: `rclone deleted 1,240 files at 14:30. They are in the trash until Dec 25.` */
export function describeMassDeletion(
  { app, files, startedAt, keptUntil }: Pick<DeletionGroup, 'app' | 'files' | 'startedAt' | 'keptUntil'>,
  now = new Date(),
): string {
  const start = new Date(startedAt)
  const isToday = start.toDateString() === now.toDateString()
  const time = `${isToday ? '' : `on ${formatDay(startedAt, now)} `}at ${timeOfDay.format(start)}`
  return `${app} deleted ${plural(files, 'file')} ${time}. They are in the trash until ${formatDay(keptUntil, now)}.`
}
