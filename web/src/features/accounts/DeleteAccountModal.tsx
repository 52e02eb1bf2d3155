import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { isPaid, useSession } from '../../lib/session.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './DeleteAccountModal.module.css'
import { deleteAccountNow } from './delete-account.ts'
import { failureText } from './failure-text.ts'

/** Asks whether the account is to be deleted, and says what goes with it. */
export function openDeleteAccountModal(): void {
  const modalId = modals.open({
    title: 'Delete your account?',
    size: 460,
    children: <DeleteAccountQuestion onClose={() => modals.close(modalId)} />,
  })
}

interface DeleteAccountQuestionProps {
  readonly onClose: () => void
}

function DeleteAccountQuestion({ onClose }: DeleteAccountQuestionProps) {
  const session = useSession()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function confirm() {
    setBusy(true)
    setProblem(undefined)
    try {
      await deleteAccountNow()
      onClose()
    } catch (error) {
      setProblem(failureText(error, 'Failed to delete account.', 'Server error during deletion.'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <p className={styles.text}>
        <span className={styles.account}>{session.email}</span> is deleted at once, and with it:
      </p>
      <ul className={styles.lost}>
        <li>every file and folder, in the vault and the trash too</li>
        <li>your public links, which stop working for everyone</li>
        <li>your sessions, on this and every other device</li>
        {isPaid(session) && <li>your paid plan; nothing is refunded</li>}
      </ul>
      <p className={styles.text}>This cannot be undone. Download your data before, if you want to keep any of it.</p>
      {problem && (
        <div className={styles.notice}>
          <Notice tone="error" text={problem} />
        </div>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" data-autofocus disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton color="brick" loading={isBusy} onClick={() => void confirm()}>
          Delete Account
        </BusyButton>
      </Group>
    </>
  )
}
