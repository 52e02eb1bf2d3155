import { Button, TextInput } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useRef } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { notifyError, notifySuccess } from '../../ui/toasts/notify.tsx'
import styles from './LinkField.module.css'

interface LinkFieldProps {
  readonly link: string
  /** Nobody can open the link now. */
  readonly isOff?: boolean
  /** Whether Copy Link takes the focus when a dialog opens. */
  readonly isFirst?: boolean
}

/** A link that can't be edited, and the button that copies it. */
export function LinkField({ link, isOff = false, isFirst = false }: LinkFieldProps) {
  const field = useRef<HTMLInputElement>(null)

  async function copy() {
    if (await copyText(link, field.current)) notifySuccess('Link copied!')
    else notifyError('This browser doesn’t allow copying. The link is selected: copy it from there.')
  }

  return (
    <div className={styles.link}>
      <TextInput
        ref={field}
        className={styles.field}
        aria-label="Public link"
        value={link}
        readOnly
        dir="ltr"
        data-off={isOff || undefined}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        leftSection={<IconCopy size={18} stroke={1.75} />}
        data-autofocus={isFirst || undefined}
        onClick={() => void copy()}
      >
        Copy Link
      </Button>
    </div>
  )
}
