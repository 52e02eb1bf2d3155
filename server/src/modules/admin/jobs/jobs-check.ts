import { type Check, failed, ok, warning } from '../checks/check.ts'

/** Jobs that are due for longer mean that no server works on them. In milliseconds. */
const STUCK = 15 * 60_000

/** Background jobs are done, and none was given up. */
export const backgroundJobs: Check = {
  id: 'jobs',
  label: 'Background jobs',
  isQuick: true,
  async run({ services: { db, clock } }) {
    const { given_up, oldest } = await db
      .selectFrom('jobs')
      .select(({ fn }) => [
        fn.countAll<number>().filterWhere('failed_at', 'is not', null).as('given_up'),
        fn.min<number | null>('run_at').as('oldest'),
      ])
      .executeTakeFirstOrThrow()
    if (given_up > 0) {
      return failed(
        `${given_up} ${given_up === 1 ? 'job was' : 'jobs were'} given up after many attempts.`,
        'See “Jobs” for the reason. Click “Try again” there once it is fixed.',
      )
    }
    if (oldest !== null && clock.now() - oldest > STUCK) {
      return warning(
        'Jobs have been due for more than 15 minutes.',
        'The server is busy with others, or stopped. See “Jobs”, and start it if it doesn’t run.',
      )
    }
    return ok('No job has failed.')
  },
}
