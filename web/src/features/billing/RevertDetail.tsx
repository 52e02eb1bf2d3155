import { Anchor } from '@mantine/core'
import { formatDate } from '../../lib/format.ts'
import type { Dashboard } from './queries.ts'

interface RevertDetailProps {
  readonly dashboard: Dashboard | undefined
}

/** What reverting means, and the other way where there is one: to stay until the end of what is paid for. */
export function RevertDetail({ dashboard }: RevertDetailProps) {
  const { plan = 'Your plan', status, next_billing_date, cancelAtPeriodEnd, endsAt } = dashboard?.subscription ?? {}
  const portalUrl = dashboard?.portal_url
  const end = endsAt ?? next_billing_date
  const paidUntil = end ? `until ${formatDate(end)}` : 'to the end of the period you have paid for'
  if (status === 'lifetime') return `${plan} is given up for good, and nothing is refunded. Your files stay.`
  if (cancelAtPeriodEnd)
    return `${plan} ends at once and nothing is refunded. Your files stay. It is cancelled already: if you do nothing, you keep it ${paidUntil}.`
  return (
    <>
      {plan} ends at once and nothing is refunded. Your files stay.
      {portalUrl && (
        <>
          {' '}
          To keep it {paidUntil}, cancel it in the{' '}
          <Anchor href={portalUrl} target="_blank" rel="noopener" underline="always" inherit>
            billing portal
          </Anchor>{' '}
          instead.
        </>
      )}
    </>
  )
}
