import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './confirm.module.css'

export interface Confirmation {
  /** The whole question, as the specification words it. */
  readonly question: string
  /** What the confirming button says. */
  readonly verb: string
  /** What follows from a yes, where the question does not say it. */
  readonly detail?: ReactNode
  readonly icon?: ReactNode
}

/** Shows the question; `answer` is told the first answer, and then perhaps a no that means nothing any more. */
export function openConfirmation(
  { question, verb, detail, icon }: Confirmation,
  response: (yes: boolean) => void,
): void {
  const modalId = modals.open({
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
