import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Confirmation.module.css'
import { openDialog } from './open-dialog.tsx'

export interface Confirmation {
  /** The question, in the wording of the specification. */
  readonly question: string
  /** The label of the confirming button. */
  readonly verb: string
  /** The consequences, if the question doesn't mention them. */
  readonly detail?: ReactNode
  readonly icon?: ReactNode
}

/** Shows the question. `response` is called with the answer. A second call, when the dialog closes, means nothing. */
export function openConfirmation(
  { question, verb, detail, icon }: Confirmation,
  response: (yes: boolean) => void,
): void {
  const modalId = openDialog({
    withCloseButton: false,
    size: 380,
    attributes: { content: { 'aria-label': question } },
    onClose: () => response(false),
    children: (
      <>
        <div className={styles.requested}>
          <span className={styles.plate} aria-hidden>
            {icon ?? <IconTrash size={20} stroke={1.75} />}
          </span>
          <div>
            <p className={styles.question}>{question}</p>
            {detail && <p className={styles.detail}>{detail}</p>}
          </div>
        </div>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="subtle" data-autofocus onClick={() => modals.close(modalId)}>
            Cancel
          </Button>
          <Button
            color="brick"
            onClick={() => {
              response(true)
              modals.close(modalId)
            }}
          >
            {verb}
          </Button>
        </Group>
      </>
    ),
  })
}
