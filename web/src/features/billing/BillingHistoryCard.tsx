import { Button, Skeleton } from '@mantine/core'
import { useId, useState } from 'react'
import styles from './BillingHistoryCard.module.css'
import { DashboardCard } from './DashboardCard.tsx'
import { InvoiceRow } from './InvoiceRow.tsx'
import type { Dashboard } from './queries.ts'

/** So many are shown at first. */
const FOLDED = 6

/** What was billed, the newest first. */
export function BillingHistoryCard() {
  return (
    <DashboardCard title="Billing History" skeleton={<HistorySkeleton />} needsProvider>
      {({ billing_history }) => <BillingHistory invoices={billing_history} />}
    </DashboardCard>
  )
}

function BillingHistory({ invoices }: { readonly invoices: Dashboard['billing_history'] }) {
  const [isWhole, setIsWhole] = useState(false)
  const listId = useId()
  if (invoices.length === 0) return <p className={styles.none}>No invoices yet.</p>
  return (
    <>
      <ul className={styles.invoices} id={listId}>
        {invoices.slice(0, isWhole ? undefined : FOLDED).map((invoice) => (
          <InvoiceRow invoice={invoice} key={invoice.id} />
        ))}
      </ul>
      {invoices.length > FOLDED && (
        <Button
          mt="sm"
          variant="subtle"
          size="xs"
          aria-expanded={isWhole}
          aria-controls={listId}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${invoices.length}`}
        </Button>
      )}
    </>
  )
}

function HistorySkeleton() {
  return (
    <div className={styles.invoices}>
      {['a', 'b', 'c'].map((place) => (
        <div className={styles.bone} key={place}>
          <Skeleton height={12} width={130} />
          <Skeleton height={12} width={110} />
          <Skeleton height={12} width={90} />
        </div>
      ))}
    </div>
  )
}
