import { Anchor, Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { formatDate } from '../../lib/format.ts'
import { formatTotal } from '../../lib/prices.ts'
import styles from './BillingHistoryCard.module.css'
import { DashboardCard } from './DashboardCard.tsx'
import type { Dashboard } from './queries.ts'

/** The number of invoices shown at first. */
const SHOWN_AT_FIRST = 6

/** Lists the invoices, the newest first. */
export function BillingHistoryCard() {
  return (
    <DashboardCard title="Billing History" skeleton={<HistorySkeleton />} needsProvider>
      {({ billing_history }) => <BillingHistory invoices={billing_history} />}
    </DashboardCard>
  )
}

function BillingHistory({ invoices }: { readonly invoices: Dashboard['billing_history'] }) {
  const [isExpanded, setExpanded] = useState(false)
  const listId = useId()
  if (invoices.length === 0) return <p className={styles.none}>No invoices yet.</p>
  return (
    <>
      <ul className={styles.invoices} id={listId}>
        {invoices.slice(0, isExpanded ? undefined : SHOWN_AT_FIRST).map((invoice) => (
          <InvoiceRow invoice={invoice} key={invoice.id} />
        ))}
      </ul>
      {invoices.length > SHOWN_AT_FIRST && (
        <Button
          mt="sm"
          variant="subtle"
          size="xs"
          aria-expanded={isExpanded}
          aria-controls={listId}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show fewer' : `Show all ${invoices.length}`}
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

interface InvoiceRowProps {
  readonly invoice: Dashboard['billing_history'][number]
}

/** One invoice: a row on wide screens, a few lines on narrow ones. */
function InvoiceRow({ invoice }: InvoiceRowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.number}>{invoice.number}</span>
      <span className={styles.when}>
        <time dateTime={invoice.created}>{formatDate(invoice.created)}</time>
        {invoice.is_prorated && <span className={styles.badge}>Includes proration</span>}
      </span>
      <span className={styles.badge} data-status={invoice.status}>
        {invoice.status}
      </span>
      <span className={styles.total}>{formatTotal(invoice.total, invoice.currency)}</span>
      {invoice.pdf_url ? (
        <Anchor className={styles.pdf} href={invoice.pdf_url} target="_blank" rel="noopener" inherit>
          <IconDownload size={18} stroke={1.75} aria-hidden />
          Download PDF
          <VisuallyHidden component="span"> of {invoice.number}</VisuallyHidden>
        </Anchor>
      ) : (
        <span className={styles.pdf} />
      )}
    </li>
  )
}
