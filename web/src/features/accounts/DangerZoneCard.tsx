import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { lazyModule } from '../../lib/lazy-module.ts'
import { Card } from '../../ui/Card.tsx'
import { openLater } from '../../ui/dialogs/dialogs.tsx'
import styles from './AccountCards.module.css'

const modal = lazyModule(() => import('./DeleteAccountModal.tsx'))

export function DangerZoneCard() {
  return (
    <Card title="Danger Zone" tone="danger">
      <div className={styles.body}>
        <p className={styles.text}>
          Deleting your account removes every file at once, including the vault and the trash. It cannot be undone.
        </p>
        <Button
          variant="default"
          className={styles.danger}
          leftSection={<IconTrash size={18} stroke={1.75} />}
          onClick={() => void openLater(modal, ({ openDeleteAccountModal }) => openDeleteAccountModal())}
        >
          Delete Account
        </Button>
      </div>
    </Card>
  )
}
