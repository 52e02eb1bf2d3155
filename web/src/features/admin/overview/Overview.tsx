import type { getOverview } from '@alcove/contract/admin-overview'
import type { OutputOf } from '@alcove/contract/call'
import { Anchor } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { formatCount, formatMoment, formatStorage } from '../../../lib/format.ts'
import { Card, CardHeadingLevel } from '../../../ui/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { StateList, StateRow } from '../parts/StateList.tsx'
import styles from '../parts/sections.module.css'
import { adminKeys, useChecks, useOverview } from '../queries.ts'

type OverviewState = OutputOf<typeof getOverview>

/** What needs an administrator, and how large the server is. */
export function Overview() {
  const checks = useChecks()
  const queryClient = useQueryClient()
  const checkedAt = checks.data?.checkedAt
  // Some checks take seconds. What they find is shown once they have run.
  useEffect(() => {
    if (checkedAt !== undefined) void queryClient.invalidateQueries({ queryKey: adminKeys.overview })
  }, [checkedAt, queryClient])
  return (
    <QueryContent query={useOverview()} failure="Unable to load the overview.">
      {(overview) => (
        <CardHeadingLevel value={3}>
          <div className={styles.stack}>
            <Problems problems={overview.problems} isChecking={checks.isFetching && overview.checkedAt === null} />
            <div className={styles.cards}>
              <UsersCard users={overview.users} />
              <ServerCard overview={overview} />
            </div>
          </div>
        </CardHeadingLevel>
      )}
    </QueryContent>
  )
}

/** Where an administrator does something about the result of a check. */
const sections: Readonly<Record<string, readonly [path: string, label: string]>> = {
  'damaged-files': ['storage', 'Storage'],
  jobs: ['jobs', 'Jobs'],
  backups: ['backups', 'Backups'],
  'sign-in': ['sign-in', 'Sign-in'],
}

interface ProblemsProps {
  readonly problems: OverviewState['problems']
  readonly isChecking: boolean
}

function Problems({ problems, isChecking }: ProblemsProps) {
  const none = isChecking ? 'No problems so far.' : 'Everything is fine.'
  return (
    <>
      <p className={styles.lead} role="status">
        {problems.length === 0 ? none : 'This needs your attention.'}
        {isChecking && ' More checks are running.'}
      </p>
      {problems.length > 0 && (
        <StateList label="Problems">
          {problems.map(({ id, label, ...found }) => {
            const [path, name] = sections[id] ?? ['checks', 'Checks']
            return (
              <StateRow
                key={id}
                title={label}
                {...found}
                action={
                  <Anchor component={Link} to={`/admin/${path}`}>
                    {name}
                  </Anchor>
                }
              />
            )
          })}
        </StateList>
      )}
    </>
  )
}

function UsersCard({ users }: Pick<OverviewState, 'users'>) {
  return (
    <Card title="Users">
      <Facts
        facts={[
          ['Accounts', formatCount(users.total)],
          ['Active in the last 30 days', formatCount(users.active)],
          ['New in the last 30 days', formatCount(users.created)],
          users.suspended > 0 && ['Suspended', formatCount(users.suspended)],
        ]}
      />
    </Card>
  )
}

function ServerCard({ overview }: { readonly overview: OverviewState }) {
  const { version, startedAt, usedBytes, freeBytes } = overview
  return (
    <Card title="Server">
      <Facts
        facts={[
          ['Version', version],
          ['Running since', formatMoment(startedAt)],
          ['Stored by users', formatStorage(usedBytes)],
          ['Free on the disk', formatStorage(freeBytes)],
        ]}
      />
    </Card>
  )
}
