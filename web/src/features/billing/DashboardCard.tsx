import { Button, VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { notifyError } from '../../ui/toasts/notify.tsx'
import styles from './DashboardCard.module.css'
import { type Dashboard, useDashboard } from './queries.ts'

interface DashboardCardProps {
  readonly title: string
  readonly skeleton: ReactNode
  /** Whether its data comes from the card provider, which may be unreachable. */
  readonly needsProvider?: boolean
  readonly children: (dashboard: Dashboard) => ReactNode
}

/** A card that shows part of the account dashboard, or that it is loading or unavailable. */
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
          <span>
            {isMissing ? 'The card provider isn’t responding right now.' : 'This is not available right now.'}
          </span>
          <BusyButton variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
            Retry
          </BusyButton>
        </div>
      )}
    </Card>
  )
}

interface OpenPortalButtonProps {
  readonly portalUrl: string | null
  readonly size?: 'xs' | 'sm'
}

/** Opens the card provider's billing portal in a new tab. */
export function OpenPortalButton({ portalUrl, size = 'sm' }: OpenPortalButtonProps) {
  function open() {
    if (portalUrl) window.open(portalUrl, '_blank', 'noopener')
    else notifyError('Unable to load billing portal link.')
  }
  return (
    <Button variant="default" size={size} leftSection={<IconExternalLink size={18} stroke={1.75} />} onClick={open}>
      Open Billing Portal
      <VisuallyHidden component="span"> (opens in a new tab)</VisuallyHidden>
    </Button>
  )
}
