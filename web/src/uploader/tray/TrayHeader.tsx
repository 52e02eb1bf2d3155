import {
  IconChevronDown,
  IconChevronUp,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { IconButton } from '../../ui/IconButton.tsx'
import type { UploadsSnapshot } from '../engine/upload-snapshot.ts'
import { uploads } from '../engine/uploads.ts'
import styles from './UploadTray.module.css'
import { summaryOf, titleOf } from './upload-texts.ts'

interface TrayHeaderProps {
  readonly snapshot: UploadsSnapshot
  readonly isCollapsed: boolean
  readonly onCollapse: () => void
  readonly onClose: () => void
}

/** How it goes on the whole, and what can be done to all uploads at once. */
export function TrayHeader({ snapshot, isCollapsed, onCollapse, onClose }: TrayHeaderProps) {
  const { views, uploading, waiting, filesFailed, sent, total } = snapshot
  const isRunning = uploading + waiting > 0
  const canResume = !isRunning && views.some(({ status, filesNeeded }) => status === 'paused' && filesNeeded === 0)
  return (
    <>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h2 className={styles.title}>{titleOf(snapshot)}</h2>
          <p className={styles.summary}>{summaryOf(snapshot)}</p>
        </div>
        {filesFailed > 0 && (
          <IconButton label="Retry all that failed" onClick={uploads.retryAll}>
            <IconRefresh size={18} stroke={1.75} />
          </IconButton>
        )}
        {isRunning && (
          <IconButton label="Pause all uploads" onClick={uploads.pauseAll}>
            <IconPlayerPause size={18} stroke={1.75} />
          </IconButton>
        )}
        {canResume && (
          <IconButton label="Resume all uploads" onClick={uploads.resumeAll}>
            <IconPlayerPlay size={18} stroke={1.75} />
          </IconButton>
        )}
        <IconButton
          label={isCollapsed ? 'Show the list of uploads' : 'Hide the list of uploads'}
          aria-expanded={!isCollapsed}
          onClick={onCollapse}
        >
          {isCollapsed ? <IconChevronUp size={18} stroke={1.75} /> : <IconChevronDown size={18} stroke={1.75} />}
        </IconButton>
        <IconButton label="Close uploads" onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </IconButton>
      </header>
      <div className={styles.total} aria-hidden>
        <div className={styles.totalBar} style={{ width: `${total > 0 ? (sent / total) * 100 : 0}%` }} />
      </div>
    </>
  )
}
