import { Button, Group, PasswordInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type SubmitEvent, useId, useState } from 'react'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import styles from './ConfirmPassphraseModal.module.css'
import { estimateStrength } from './passphrase-strength.ts'

interface ConfirmPassphrase {
  readonly passphrase: string
  /** A file that the passphrase doesn't open, if the vault has files under another one. */
  readonly unopened?: string
  /** Only its first call counts. */
  readonly onAnswer: (isConfirmed: boolean) => void
}

/** Asks the user to repeat a passphrase before it encrypts the first files, or files next to ones under another passphrase. */
export function openConfirmPassphraseModal({ passphrase, unopened, onAnswer }: ConfirmPassphrase): void {
  const modalId = openDialog({
    title: unopened === undefined ? 'Set your passphrase' : 'This is not your passphrase',
    size: 460,
    onClose: () => onAnswer(false),
    children: (
      <ConfirmForm
        passphrase={passphrase}
        unopened={unopened}
        onConfirm={() => {
          onAnswer(true)
          modals.close(modalId)
        }}
        onCancel={() => modals.close(modalId)}
      />
    ),
  })
}

interface ConfirmFormProps {
  readonly passphrase: string
  readonly unopened?: string
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

function ConfirmForm({ passphrase, unopened, onConfirm, onCancel }: ConfirmFormProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const advice = useId()
  const strength = estimateStrength(passphrase)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (strength.isRefused) return
    if (typed === passphrase) onConfirm()
    else setProblem('The passphrases do not match.')
  }

  return (
    <form onSubmit={submit} noValidate>
      <p className={styles.text}>
        {unopened === undefined ? (
          'Type the passphrase of your vault again. Nobody can recover it, so files encrypted with a typo would be lost.'
        ) : (
          <>
            The passphrase you entered doesn’t open <bdi>{unopened}</bdi>. Nothing has been uploaded. Cancel and correct
            it, or type it again to encrypt only these files with it. You will then need to remember both.
          </>
        )}
      </p>
      <div className={styles.strength} data-score={strength.score} id={advice}>
        <div className={styles.bars} aria-hidden>
          {[1, 2, 3, 4].map((bar) => (
            <span key={bar} data-on={strength.score >= bar || undefined} />
          ))}
        </div>
        <p className={styles.label}>Strength: {strength.label}</p>
        {strength.advice && <p className={styles.advice}>{strength.advice}</p>}
      </div>
      {!strength.isRefused && (
        <PasswordInput
          label="Confirm passphrase"
          visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
          aria-describedby={advice}
          autoComplete="off"
          spellCheck={false}
          data-1p-ignore
          data-lpignore="true"
          data-autofocus
          value={typed}
          error={problem}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onCancel}>
          {strength.isRefused ? 'Choose another passphrase' : 'Cancel'}
        </Button>
        {!strength.isRefused && (
          <Button type="submit">
            {unopened === undefined ? 'Set passphrase' : 'Use a different passphrase for these files'}
          </Button>
        )}
      </Group>
    </form>
  )
}
