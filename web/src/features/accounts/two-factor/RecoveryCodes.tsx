import { Button, Checkbox, Group } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { downloadText } from '../../../lib/browser-download.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { formatMoment } from '../../../lib/format.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import cardStyles from '../AccountCards.module.css'
import styles from './RecoveryCodes.module.css'
import { recoveryCodesText } from './secret-text.ts'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows new recovery codes, this once. The user confirms having stored them before the dialog closes. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { email = '' } = useSession()
  const [isKept, setKept] = useState(false)
  const [createdOn] = useState(() => formatMoment(new Date().toISOString()))
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])

  async function copy() {
    if (await copyText(codes.join('\n'))) notifySuccess('Recovery codes copied!')
    else notifyError('This browser doesn’t allow copying.')
  }

  return (
    <div className={cardStyles.form}>
      <p ref={text} className={styles.text} tabIndex={-1}>
        Two-factor sign-in is on. If you lose your phone, you can sign in with these recovery codes, each of which works
        once. They won’t be shown again, so store them somewhere you can reach without your phone.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={cardStyles.actions}>
        <Button variant="default" leftSection={<IconCopy size={18} stroke={1.75} />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} />}
          onClick={() => downloadText(recoveryCodesText({ email, codes, createdOn }), 'alcove-recovery-codes.txt')}
        >
          Download as text
        </Button>
      </div>
      <Checkbox label="I have saved them" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Group className={cardStyles.end}>
        <Button disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      </Group>
    </div>
  )
}
