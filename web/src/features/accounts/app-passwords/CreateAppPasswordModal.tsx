import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useEffect, useRef, useState } from 'react'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import cardStyles from '../AccountCards.module.css'
import { holdDialog } from '../hold-dialog.ts'
import { CopyValue } from './CopyValue.tsx'
import styles from './CreateAppPassword.module.css'
import { CreateAppPasswordForm, type FolderChoiceComponent } from './CreateAppPasswordForm.tsx'
import { type CreatedAppPassword, davAddress } from './created-app-password.ts'

export interface CreateAppPasswordOptions {
  /** The name that the form suggests. */
  readonly name?: string
  /** Called as soon as there is a new app password. */
  readonly onCreated?: (created: CreatedAppPassword) => void
  /** Continues with the instructions for apps. Without it, the dialog has no button for that. */
  readonly onSetUp?: (created: CreatedAppPassword) => void
}

interface ModalOptions extends CreateAppPasswordOptions {
  /** Lets the user choose a folder. It belongs to another feature, so pages pass it. */
  readonly FolderChoice: FolderChoiceComponent
}

/** Opens the dialog that creates an app password and then shows it, this once. */
export function openCreateAppPasswordModal(options: ModalOptions): void {
  const modalId = openDialog({
    title: 'Create app password',
    size: 520,
    children: (
      <CreateSteps
        {...options}
        onCreated={(created) => {
          modals.updateModal({ modalId, title: 'Your new app password' })
          options.onCreated?.(created)
        }}
        onHold={(isHeld) => holdDialog(modalId, isHeld)}
        onClose={() => modals.close(modalId)}
      />
    ),
  })
}

interface CreateStepsProps extends ModalOptions {
  /** Called with whether the dialog must stay open, see `holdDialog`. */
  readonly onHold: (isHeld: boolean) => void
  readonly onClose: () => void
}

function CreateSteps({ FolderChoice, name, onCreated, onSetUp, onHold, onClose }: CreateStepsProps) {
  const [created, setCreated] = useState<CreatedAppPassword>()
  if (!created)
    return (
      <CreateAppPasswordForm
        FolderChoice={FolderChoice}
        initialName={name}
        onHold={onHold}
        onCreated={(next) => {
          setCreated(next)
          onCreated?.(next)
        }}
        onClose={onClose}
      />
    )
  return (
    <CreatedStep
      {...created}
      onSetUp={
        onSetUp &&
        (() => {
          onClose()
          onSetUp(created)
        })
      }
      onClose={onClose}
    />
  )
}

interface CreatedStepProps extends CreatedAppPassword {
  readonly onSetUp: (() => void) | undefined
  readonly onClose: () => void
}

/** Shows the new app password with all that an app asks for. Only its buttons close the dialog. */
function CreatedStep({ secret, user, onSetUp, onClose }: CreatedStepProps) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <div className={cardStyles.form}>
      <p ref={text} className={styles.once} tabIndex={-1}>
        You can’t see this password again. Create another one if you lose it.
      </p>
      <dl className={styles.values}>
        <CopyValue label="App password" value={secret} isSecret />
        <CopyValue label="User name" value={user} />
        <CopyValue label="Server address" value={davAddress()} />
      </dl>
      <Group className={cardStyles.end} gap="xs">
        {onSetUp && (
          <Button variant="default" onClick={onSetUp}>
            Set up an app
          </Button>
        )}
        <Button onClick={onClose}>Done</Button>
      </Group>
    </div>
  )
}
