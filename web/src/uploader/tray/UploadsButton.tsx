import { Button, RingProgress } from '@mantine/core'
import { formatCount } from '../../lib/format.ts'
import { showTray, useTray, useUploads } from '../uploads.ts'
import styles from './UploadsButton.module.css'

/** The header's button for the tray. It shows the number of uploads while there are any. */
export function UploadsButton() {
  const { views, uploading, waiting, sent, total } = useUploads()
  const isShown = useTray() !== 'closed'
  const running = uploading + waiting
  if (views.length === 0 || (running === 0 && isShown)) return null
  return (
    <Button
      className={styles.button}
      variant="default"
      aria-expanded={isShown}
      leftSection={
        <RingProgress
          size={22}
          thickness={3}
          roundCaps
          rootColor="var(--alcove-press)"
          sections={[{ value: total > 0 ? (sent / total) * 100 : 0, color: 'var(--alcove-primary)' }]}
          aria-hidden
        />
      }
      onClick={() => showTray(isShown ? 'closed' : 'list')}
    >
      {formatCount(running > 0 ? running : views.length)}
      <span className={styles.word}>&nbsp;{running > 0 ? 'uploading' : 'in uploads'}</span>
    </Button>
  )
}
