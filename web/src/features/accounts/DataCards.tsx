import { getDataUrl } from '@alcove/contract/accounts'
import type { LostFolder } from '@alcove/contract/members'
import { Button, Checkbox } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '../../api/use-call.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { openLater } from '../../ui/dialogs/dialogs.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountCards.module.css'
import { failureText } from './failure-text.ts'

/** Has the browser download everything that is stored about the user, as one ZIP file. */
export function DownloadDataCard() {
  const data = useCall(getDataUrl)
  const [hasHistory, setHistory] = useState(false)
  return (
    <Card title="Download my data">
      <div className={styles.body}>
        <p className={styles.text}>
          Everything in one ZIP file: your files and the data of your account. Vault files stay encrypted.
        </p>
        <Checkbox
          label="Include earlier versions"
          checked={hasHistory}
          onChange={(event) => setHistory(event.currentTarget.checked)}
        />
        {data.isError && <Notice tone="error" text={failureText(data.error, 'Couldn’t prepare the download.')} />}
        <BusyButton
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} />}
          loading={data.isPending}
          onClick={() => data.mutate({ history: hasHistory }, { onSuccess: ({ url }) => downloadFrom(url) })}
        >
          Download my data
        </BusyButton>
      </div>
    </Card>
  )
}

const deleteAccountModal = lazyModule(() => import('./DeleteAccountModal.tsx'))

interface DangerZoneCardProps {
  /** Opens what hands a shared folder over to one of its people. */
  readonly onHandOver: (folder: LostFolder) => void
}

/** Offers to delete the account. */
export function DangerZoneCard({ onHandOver }: DangerZoneCardProps) {
  return (
    <Card title="Danger Zone" tone="danger">
      <div className={styles.body}>
        <p className={styles.text}>
          Deleting your account immediately deletes all your files, including the vault and the trash. This can’t be
          undone.
        </p>
        <Button
          variant="default"
          className={styles.danger}
          leftSection={<IconTrash size={18} stroke={1.75} />}
          onClick={() =>
            void openLater(deleteAccountModal, ({ openDeleteAccountModal }) => openDeleteAccountModal(onHandOver))
          }
        >
          Delete Account
        </Button>
      </div>
    </Card>
  )
}
