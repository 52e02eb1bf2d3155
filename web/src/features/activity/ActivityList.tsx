import type { Activity } from '@alcove/contract/activity'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { memo, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { formatMoment, formatTime } from '../../lib/format.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { DevicesNiche } from '../../ui/art/niches.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import styles from './ActivityList.module.css'
import { groupByDay } from './days.ts'
import { activityIcons, describeActivity, NamedItems } from './describe-activity.tsx'
import { useActivity } from './queries.ts'

/** Skeletons appear only if loading takes longer than this, in milliseconds. */
const SKELETON_DELAY = 150

const FETCH_FAILED = 'Unable to fetch the activity.'

interface ActivityListProps {
  /** The whole drive without it. */
  readonly folderId: string | undefined
  /** Returns the address of a folder or the root. Must be stable across renders, since rows are memoized. */
  readonly addressOf: (folderId: string | null) => string
}

/** Lists what happened in a folder and below it, or in the whole drive, by day. More is loaded on scrolling. */
export function ActivityList({ folderId, addressOf }: ActivityListProps) {
  const query = useActivity(folderId)
  const { data: entries, isPending, isError, isFetching, refetch } = query
  const { hasNextPage, fetchNextPage, isFetchNextPageError } = query
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const end = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = end.current
    if (!element || !hasNextPage || isFetching || isFetchNextPageError) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: '800px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [hasNextPage, isFetching, fetchNextPage, isFetchNextPageError])

  if (showsSkeleton) return <ActivitySkeleton />
  if (!entries) {
    return isError && <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void refetch()} />
  }
  if (entries.length === 0) return <NoActivity address={addressOf(folderId ?? null)} />
  return (
    <div className={styles.days}>
      {groupByDay(entries).map(({ label, entries: ofDay }) => (
        <section key={label}>
          <h2 className={styles.day}>{label}</h2>
          <ul className={styles.list} aria-label={label}>
            {ofDay.map((activity) => (
              <ActivityRow key={activity.id} activity={activity} addressOf={addressOf} />
            ))}
          </ul>
        </section>
      ))}
      {isFetchNextPageError && (
        <LoadError text={FETCH_FAILED} isBusy={isFetching} onRetry={() => void fetchNextPage()} />
      )}
      <div ref={end} />
    </div>
  )
}

interface ActivityRowProps {
  readonly activity: Activity
  readonly addressOf: (folderId: string | null) => string
}

const ActivityRow = memo(function ActivityRow({ activity, addressOf }: ActivityRowProps) {
  const { action, actor, lastAt } = activity
  const Icon = activityIcons[action]
  return (
    <li className={styles.row}>
      <span className={styles.plate} aria-hidden>
        <Icon size={18} stroke={1.75} />
      </span>
      <div className={styles.what}>
        <p className={styles.sentence}>{describeActivity(activity, addressOf)}</p>
        <NamedItems activity={activity} addressOf={addressOf} />
        <p className={styles.when}>
          <time dateTime={lastAt} title={formatMoment(lastAt)}>
            {formatTime(lastAt)}
          </time>
          {actor.app !== null && (
            <>
              {' · by the app '}
              <bdi dir="auto">{actor.app}</bdi>
            </>
          )}
        </p>
      </div>
    </li>
  )
})

function NoActivity({ address }: { readonly address: string }) {
  return (
    <EmptyState
      art={<DevicesNiche />}
      title="No activity yet"
      hint="What you and others add, change, move and delete is listed here for 90 days."
      action={
        <Button component={Link} to={address}>
          Go to the files
        </Button>
      }
    />
  )
}

function ActivitySkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Skeleton key={row} height={58} radius={12} />
      ))}
    </div>
  )
}
