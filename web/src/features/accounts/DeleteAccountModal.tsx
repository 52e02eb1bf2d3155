import type { LostFolder } from '@alcove/contract/members'
import { NO_PLAN_NAME } from '@alcove/contract/plans'
import { Button, Group, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type ComponentProps, useState } from 'react'
import { isPaid, useSession } from '../../api/session.ts'
import { useAction } from '../../api/use-call.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { openDialog } from '../../ui/dialogs/open-dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './DeleteAccountModal.module.css'
import { deleteAccountNow } from './delete-account.ts'
import { failureText } from './failure-text.ts'
import { LostFolders } from './LostFolders.tsx'

/** The user types this word, so that neither a double click nor Enter deletes the account by accident. */
const CONFIRMATION = 'DELETE'

/** Lists what is deleted with the account, and asks for confirmation. */
export function openDeleteAccountModal(onHandOver: (folder: LostFolder) => void): void {
  const modalId = openDialog({
    title: 'Delete your account?',
    size: 460,
    children: (
      <DeleteAccountQuestion
        onClose={() => modals.close(modalId)}
        onHandOver={(folder) => {
          modals.close(modalId)
          onHandOver(folder)
        }}
      />
    ),
  })
}

interface DeleteAccountQuestionProps extends ComponentProps<typeof LostFolders> {
  readonly onClose: () => void
}

function DeleteAccountQuestion({ onClose, onHandOver }: DeleteAccountQuestionProps) {
  const session = useSession()
  const deletion = useAction(async () => {
    await deleteAccountNow()
    onClose()
  })
  const [word, setWord] = useState('')

  return (
    <>
      <p className={styles.text}>
        <span className={styles.account}>{session.email}</span> is deleted immediately, along with:
      </p>
      <ul className={styles.lost}>
        <li>all files and folders, including the vault and the trash</li>
        <li>your public links, which stop working for everyone</li>
        <li>your sessions on all devices</li>
        {isPaid(session) && session.planName !== NO_PLAN_NAME && <li>your paid plan; nothing is refunded</li>}
      </ul>
      <LostFolders onHandOver={onHandOver} />
      <p className={styles.text}>This can’t be undone. If you want to keep your data, download it first.</p>
      <TextInput
        mt="md"
        label={`Type ${CONFIRMATION} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={word}
        onChange={(event) => setWord(event.currentTarget.value)}
      />
      {deletion.error && (
        <div className={styles.notice}>
          <Notice
            tone="error"
            text={failureText(deletion.error, 'Failed to delete account.', 'Server error during deletion.')}
          />
        </div>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" data-autofocus disabled={deletion.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton
          color="brick"
          loading={deletion.isPending}
          disabled={word.trim() !== CONFIRMATION}
          onClick={() => deletion.mutate()}
        >
          Delete Account
        </BusyButton>
      </Group>
    </>
  )
}
