import { Button } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Card } from '../../ui/Card.tsx'
import styles from './DashboardCard.module.css'
import { type Dashboard, useDashboard } from './queries.ts'

interface DashboardCardProps {
  readonly title: string
  readonly skeleton: ReactNode
  /** What it shows comes from the card provider, who may be out of reach. */
  readonly needsProvider?: boolean
  readonly children: (dashboard: Dashboard) => ReactNode
}

/** A card of what the dashboard knows, while that is loading, there or missing. */
export function DashboardCard({ title, skeleton, needsProvider, children }: DashboardCardProps) {
  const { data, error, isPending, isFetching, refetch } = useDashboard()
  useEffect(() => {
    if (error) console.error('The account dashboard could not be loaded.', error)
  }, [error])
  const isMissing = needsProvider && data?.providerUnavailable
  return (
    <Card title={title}>
      {isPending && (
        <div role="status" aria-label={`Loading: ${title}`}>
          {skeleton}
        </div>
      )}
      {data && !isMissing && children(data)}
      {!isPending && (!data || isMissing) && (
        <div className={styles.missing}>
          <span>{isMissing ? 'The card provider does not answer right now.' : 'This is not available right now.'}</span>
          <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
    </Card>
  )
}
