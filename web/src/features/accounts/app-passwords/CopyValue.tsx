import { IconCopy } from '@tabler/icons-react'
import { copyText } from '../../../lib/copy-text.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import styles from './CopyValue.module.css'

interface CopyValueProps {
  readonly label: string
  readonly value: string
  /** An app password, which is shown large and in its groups of four. */
  readonly isSecret?: boolean
  /** The value only stands for one that isn't known yet. */
  readonly isPlaceholder?: boolean
}

/** A value with its label and a button that copies it. It stands in a `dl`. */
export function CopyValue({ label, value, isSecret = false, isPlaceholder = false }: CopyValueProps) {
  async function copy() {
    if (await copyText(value)) notifySuccess(`${label} copied!`)
    else notifyError('This browser doesn’t allow copying. Select the text and copy it yourself.')
  }

  return (
    <div className={styles.value}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.line}>
        <code className={styles.text} data-secret={isSecret || undefined}>
          <Groups text={value} at={isSecret ? /(?<=-)/ : /(?<= )/} />
        </code>
        {!isPlaceholder && (
          <IconButton className={styles.copy} label={`Copy ${label}`} onClick={() => void copy()}>
            <IconCopy size={18} stroke={1.75} />
          </IconButton>
        )}
      </dd>
    </div>
  )
}

interface GroupsProps {
  readonly text: string
  /** Where a group ends. */
  readonly at: RegExp
}

/**
 * The groups of an app password, or the words of a command. None is broken between two lines if it fits on one: half an option,
 * such as `--`, would look like a word.
 */
function Groups({ text, at }: GroupsProps) {
  return text.split(at).map((group, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two groups can be equal, and their order never changes
    <span key={index} className={styles.group}>
      {group}
    </span>
  ))
}
