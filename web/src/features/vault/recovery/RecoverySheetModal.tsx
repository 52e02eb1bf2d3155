import { Button, Group, Portal } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useSession } from '../../../api/session.ts'
import { downloadFrom } from '../../../lib/browser-download.ts'
import { RecoverySheet } from './RecoverySheet.tsx'
import styles from './RecoverySheetModal.module.css'

export function openRecoverySheetModal(): void {
  modals.open({ title: 'Recovery Sheet', size: 720, children: <RecoverySheetContent /> })
}

/** The sheet on screen, and once more beside the page, which is what a printer gets. */
function RecoverySheetContent() {
  const { email = '' } = useSession()
  const site = window.location.origin
  return (
    <>
      <div className={styles.paper}>
        <RecoverySheet email={email} site={site} />
      </div>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} />}
          onClick={() => downloadFrom('/open-vault-file.html', 'open-vault-file.html')}
        >
          Download the Decryptor
        </Button>
        <Button leftSection={<IconPrinter size={18} stroke={1.75} />} onClick={() => window.print()}>
          Print
        </Button>
      </Group>
      <Portal reuseTargetNode={false} className={styles.printed}>
        <RecoverySheet email={email} site={site} />
      </Portal>
    </>
  )
}
