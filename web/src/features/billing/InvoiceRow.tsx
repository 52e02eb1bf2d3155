import { Anchor, VisuallyHidden } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { formatDate } from '../../lib/format.ts'
import styles from './InvoiceRow.module.css'
import { formatTotal } from './plans/prices.ts'
import type { Dashboard } from './queries.ts'

interface InvoiceRowProps {
  readonly invoice: Dashboard['billing_history'][number]
}

/** One invoice: a row where there is room for it, else a few lines. */
export function InvoiceRow({ invoice }: InvoiceRowProps) {
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
