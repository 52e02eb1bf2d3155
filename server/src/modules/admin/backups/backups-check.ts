import { formatTime } from '../../../platform/mail/write-letter.ts'
import { type Check, failed, ok, warning } from '../checks/check.ts'
import { findLastDone } from './backup-runs.ts'

const DAY = 24 * 3_600_000
const OLD = 8 * DAY
const VERIFIED_WITHIN = 90 * DAY

/** There is a recent backup, and somebody has seen that it can be restored. */
export const backups: Check = {
  id: 'backups',
  label: 'Backups',
  isQuick: true,
  async run({ services: { db, clock } }) {
    const last = await findLastDone(db, 'backup')
    if (last === undefined) {
      return warning(
        'There is no backup.',
        'Set ALCOVE_BACKUP_DIR to a folder on another disk and click “Back up now” on “Backups”, or run “alcove backup DIR” each night.',
      )
    }
    const newest = await db
      .selectFrom('backup_runs')
      .select(['error', 'blobs'])
      .where('kind', '=', 'backup')
      .where('ended_at', 'is not', null)
      .orderBy('began_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (newest && newest.blobs === null) {
      return failed(`The last backup failed: ${newest.error}`, 'Fix the reason, and click “Back up now” on “Backups”.')
    }
    if (clock.now() - last.began_at > OLD) {
      return warning(
        `The last backup is old: it was made on ${formatTime(last.began_at)}.`,
        'Let the server make one each day on “Backups”, or run “alcove backup DIR” each night.',
      )
    }
    const verified = await findLastDone(db, 'verification')
    if (verified === undefined || clock.now() - verified.began_at > VERIFIED_WITHIN) {
      return warning(
        `The last backup was made on ${formatTime(last.began_at)}, but none was verified in the last 90 days.`,
        'Click “Verify now” on “Backups”, or run “alcove verify-backup DIR”.',
      )
    }
    return ok(`The last backup was made on ${formatTime(last.began_at)}.`)
  },
}
