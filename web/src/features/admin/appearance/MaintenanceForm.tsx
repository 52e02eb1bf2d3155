import { MAX_MAINTENANCE_MESSAGE_LENGTH } from '@alcove/contract/limits'
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import styles from './AppearanceSection.module.css'
import { useSetMaintenance } from './queries.ts'
import { SaveState } from './SaveState.tsx'

interface MaintenanceFormProps {
  readonly settings: { readonly on: boolean; readonly message: string }
}

/** Begins and ends maintenance. */
export function MaintenanceForm({ settings: { on, message } }: MaintenanceFormProps) {
  const change = useSetMaintenance()
  const [text, setText] = useState(message)
  const given = text.replace(/\s+/g, ' ')

  async function begin() {
    const isSure = await confirm({
      question: 'Begin maintenance?',
      detail: 'Everybody but administrators is kept out until you end it. Transfers that are running finish.',
      verb: 'Begin',
    })
    if (isSure) change.mutate({ on: true, message: given })
  }

  return (
    <div className={styles.form}>
      <SaveState action={change} saved={on ? 'Maintenance is on.' : 'Maintenance is off.'} />
      <p className={styles.text}>
        {on
          ? 'Only administrators can use the server now. Everybody else, and every app, reads the message.'
          : 'During maintenance, only administrators can use the server. Everybody else, and every app, reads a message. Sessions stay.'}
      </p>
      <Textarea
        label="Message"
        placeholder="We are moving to a new disk. Back at 21:00."
        dir="auto"
        rows={2}
        maxLength={MAX_MAINTENANCE_MESSAGE_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        {on ? (
          <>
            <BusyButton loading={change.isPending} onClick={() => change.mutate({ on: false })}>
              End maintenance
            </BusyButton>
            <BusyButton
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ on: true, message: given })}
            >
              Change the message
            </BusyButton>
          </>
        ) : (
          <BusyButton variant="default" loading={change.isPending} onClick={() => void begin()}>
            Begin maintenance
          </BusyButton>
        )}
      </div>
    </div>
  )
}
