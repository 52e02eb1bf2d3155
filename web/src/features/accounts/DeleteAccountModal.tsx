import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useRef, useState } from 'react'
import { CallCancelled } from '../../api/reauthentication.ts'
import { isPaid, useSession } from '../../api/session.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './DeleteAccountModal.module.css'
import { deleteAccountNow } from './delete-account.ts'
import { failureText } from './failure-text.ts'

/** What has to be typed, so that neither a second click nor Enter deletes by accident. */
const WORD = 'DELETE'

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
  const [word, setWord] = useState('')
  const isRunning = useRef(false)
  const isTyped = word.trim() === WORD

  async function confirm() {
    if (!isTyped || isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await deleteAccountNow()
      onClose()
    } catch (error) {
      if (!(error instanceof CallCancelled))
        setProblem(failureText(error, 'Failed to delete account.', 'Server error during deletion.'))
    } finally {
      isRunning.current = false
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
      <TextInput
        mt="md"
        label={`Type ${WORD} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={word}
        onChange={(event) => setWord(event.currentTarget.value)}
      />
      {problem && (
        <div className={styles.notice}>
          <Notice tone="error" text={problem} />
        </div>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" data-autofocus disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton color="brick" loading={isBusy} disabled={!isTyped} onClick={() => void confirm()}>
          Delete Account
        </BusyButton>
      </Group>
    </>
  )
}
