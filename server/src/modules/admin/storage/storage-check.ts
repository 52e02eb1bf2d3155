import { countDamaged, readScrub } from '../../storage/index.ts'
import { type Check, failed, ok, warning } from '../checks/check.ts'

const DAY = 24 * 3_600_000
/** Each night should have a scrub. In milliseconds. */
const OVERDUE = 4 * DAY

/** No stored bytes are known to be damaged, and the server looks for damage. */
export const damagedFiles: Check = {
  id: 'damaged-files',
  label: 'Damaged files',
  isQuick: true,
  async run({ services: { db, clock } }) {
    const damaged = await countDamaged(db)
    if (damaged > 0) {
      return failed(
        `${damaged} stored ${damaged === 1 ? 'file is' : 'files are'} missing or damaged.`,
        'Check the disk, and bring them back from a backup. “alcove verify” names them; “Storage” says whose they are.',
      )
    }
    const { round_ended_at } = await readScrub(db)
    const { at } = await db
      .selectFrom('users')
      .select((eb) => eb.fn.min<number | null>('created_at').as('at'))
      .executeTakeFirstOrThrow()
    const since = round_ended_at ?? at ?? clock.now()
    if (clock.now() - since > OVERDUE) {
      return warning(
        'The server hasn’t looked for damaged files for several days.',
        'Leave it running at night, or click “Check now” on “Storage”.',
      )
    }
    return ok('No damage is known.')
  },
}
