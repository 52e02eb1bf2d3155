import type { ScheduledRun } from '@alcove/contract/admin-jobs'
import { formatMoment, plural } from '../../../lib/format.ts'
import sectionStyles from '../parts/sections.module.css'
import { capitalize } from './capitalize.ts'
import styles from './Jobs.module.css'

/** When each scheduled job ran last, on which server if there are several. */
export function Schedule({ runs }: { readonly runs: readonly ScheduledRun[] }) {
  if (runs.length === 0) return <p className={sectionStyles.lead}>No job has run since the server started.</p>
  const hasServers = new Set(runs.map(({ server }) => server)).size > 1
  return (
    // Can be scrolled with the keys, where the table is wider than the screen.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className={styles.scroller} aria-label="Schedule" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr className={styles.columns}>
            <th scope="col">Job</th>
            {hasServers && <th scope="col">Server</th>}
            <th scope="col">Every</th>
            <th scope="col">Last run</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={`${run.name} ${run.server}`}>
              <th scope="row" className={styles.name}>
                {capitalize(run.name)}
                {run.error !== null && run.errorAt !== null && (
                  <div className={styles.failure}>
                    Failed {formatMoment(run.errorAt)}: {run.error}
                  </div>
                )}
              </th>
              {hasServers && <td>{run.server}</td>}
              <td>{describeInterval(run.every)}</td>
              <td>{formatMoment(run.beganAt)}</td>
              <td>{run.endedAt === null ? 'Running' : describeDuration(run.beganAt, run.endedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function describeInterval(seconds: number): string {
  if (seconds < 60) return plural(seconds, 'second')
  if (seconds < 3600) return plural(Math.round(seconds / 60), 'minute')
  return plural(Math.round(seconds / 3600), 'hour')
}

function describeDuration(from: string, to: string): string {
  const milliseconds = Math.max(0, Date.parse(to) - Date.parse(from))
  if (milliseconds < 1000) return `${milliseconds} ms`
  return milliseconds < 90_000 ? `${Math.round(milliseconds / 1000)} s` : `${Math.round(milliseconds / 60_000)} min`
}
