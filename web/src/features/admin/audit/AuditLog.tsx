import type { AuditEntry } from '@alcove/contract/audit'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { formatMoment } from '../../../lib/format.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { useAuditLog } from '../queries.ts'
import styles from './AuditLog.module.css'
import { describeAuditEntry } from './describe-audit-entry.ts'

const FETCH_FAILED = 'Unable to load the audit log.'

/** Everything that administrators have done, newest first. */
export function AuditLog() {
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useAuditLog()
  if (!data) {
    if (isError) return <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void refetch()} />
    return (
      <>
        <VisuallyHidden role="status">Loading...</VisuallyHidden>
        <Skeleton height={240} radius={16} />
      </>
    )
  }
  if (data.length === 0) return <p className={styles.empty}>Nobody has done anything as an administrator yet.</p>
  return (
    <>
      <p className={styles.lead}>Entries can’t be changed or removed.</p>
      <ul className={styles.list}>
        {data.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {isError && (
        <LoadError
          text={FETCH_FAILED}
          isBusy={isFetching}
          onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
        />
      )}
      {hasNextPage && !isError && (
        <Button
          className={styles.more}
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older entries
        </Button>
      )}
    </>
  )
}

const SOURCES: Readonly<Record<AuditEntry['via'], string>> = {
  session: '',
  token: 'with an API token',
  command: 'on the command line',
  setup: 'with the one-time address',
  server: 'as a scheduled job',
}

function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const { at, via, actor, ip } = entry
  return (
    <li className={styles.row}>
      <p className={styles.sentence}>{describeAuditEntry(entry)}</p>
      <p className={styles.meta}>
        <bdi>{actor}</bdi>
        {SOURCES[via] && ` ${SOURCES[via]}`}
        {ip !== null && `, from ${ip}`}, <time dateTime={at}>{formatMoment(at)}</time>
      </p>
    </li>
  )
}
