import { schedules } from '@alcove/contract/admin-backups'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { defineSetting, readSetting } from '../../site/index.ts'
import { startRun } from './start-run.ts'

const HOUR = 3_600_000
const [NIGHT_BEGINS, NIGHT_ENDS] = [1, 6] as const
const PERIODS = { daily: 24 * HOUR, weekly: 7 * 24 * HOUR } as const
/** A backup takes place at about the same time, although the one before took longer to begin. */
const EARLIER = 4 * HOUR

/** How often the server makes a backup by itself. */
export const backupSchedule = defineSetting({
  name: 'backup-schedule',
  schema: z.enum(schedules),
  initial: () => 'never' as const,
})

/**
 * Starts a backup if one is due: at night or, on a server that never runs at night, half a day later. After a failure it is tried again
 * the next time.
 */
export async function startDueBackup(services: Services): Promise<void> {
  const { db, clock, config } = services
  const every = await readSetting(services, backupSchedule)
  if (every === 'never' || config.backupDir === undefined) return
  const last = await db
    .selectFrom('backup_runs')
    .select('began_at')
    .where('kind', '=', 'backup')
    .where('folder', '=', config.backupDir)
    .orderBy('began_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const age = last === undefined ? Number.POSITIVE_INFINITY : Math.abs(clock.now() - last.began_at)
  if (isDue(age, PERIODS[every], new Date(clock.now()).getHours())) await startRun(services, 'backup')
}

/** Decides by the age of the last backup in milliseconds and the hour of the day. */
export function isDue(age: number, period: number, hour: number): boolean {
  const isNight = hour >= NIGHT_BEGINS && hour < NIGHT_ENDS
  return isNight ? age >= period - EARLIER : age >= period + 12 * HOUR
}
