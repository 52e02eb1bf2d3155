import { IconDownload } from '@tabler/icons-react'
import { downloadFrom } from '../../lib/browser-download.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountCards.module.css'
import { failureText } from './failure-text.ts'
import { useDataUrl } from './queries.ts'

/** All that is kept of the user, as one ZIP that the browser downloads by itself. */
export function DownloadDataCard() {
  const data = useDataUrl()
  return (
    <Card title="Download my data">
      <div className={styles.body}>
        <p className={styles.text}>
          Everything in one ZIP: your files, and what we know of your account. Files in the vault come as they are kept,
          encrypted.
        </p>
        {data.isError && <Notice tone="error" text={failureText(data.error, 'The download could not be prepared.')} />}
        <BusyButton
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} />}
          loading={data.isPending}
          onClick={() => data.mutate({}, { onSuccess: ({ url }) => downloadFrom(url) })}
        >
          Download my data
        </BusyButton>
      </div>
    </Card>
  )
}
