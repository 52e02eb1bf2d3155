import { IconCircleCheckFilled, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import type { UploadView } from '../upload-view.ts'
import { useUploadQueue } from '../uploads.ts'
import { ChooseAgainButton } from './ChooseAgain.tsx'
import { useRowParts } from './row-parts.ts'
import styles from './UploadRow.module.css'

interface UploadActionsProps {
  readonly upload: UploadView
}

/** The actions for an upload, or a check mark and a link to its folder when it is done. */
export function UploadActions({ upload }: UploadActionsProps) {
  const { id, name, status } = upload
  const uploads = useUploadQueue()
  if (status === 'done') return <Done upload={upload} />
  return (
    <div className={styles.actions}>
      <GoOnButton upload={upload} />
      {status !== 'conflict' && (
        <IconButton label={`Cancel the upload of ${name}`} onClick={() => uploads.cancel(id)}>
          <IconX size={18} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
}

function Done({ upload }: UploadActionsProps) {
  const parts = useRowParts()
  return (
    <div className={styles.actions}>
      {parts && <parts.ShowButton upload={upload} />}
      <IconCircleCheckFilled className={styles.tick} size={20} aria-label="Done" role="img" />
    </div>
  )
}

/** The button for pausing, resuming or retrying, depending on the status. */
function GoOnButton({ upload }: UploadActionsProps): ReactNode {
  const { id, name, status } = upload
  const uploads = useUploadQueue()
  const parts = useRowParts()
  if (upload.filesNeeded > 0)
    return parts && upload.isEncrypted ? <parts.ToVaultButton upload={upload} /> : <ChooseAgainButton upload={upload} />
  switch (status) {
    case 'waiting':
    case 'uploading':
      return (
        <IconButton label={`Pause the upload of ${name}`} onClick={() => uploads.pause(id)}>
          <IconPlayerPause size={18} stroke={1.75} />
        </IconButton>
      )
    case 'paused':
      return (
        <IconButton label={`Resume the upload of ${name}`} onClick={() => uploads.resume(id)}>
          <IconPlayerPlay size={18} stroke={1.75} />
        </IconButton>
      )
    case 'failed':
      return (
        <IconButton className={styles.retry} label={`Retry the upload of ${name}`} onClick={() => uploads.retry(id)}>
          <IconRefresh size={18} stroke={1.75} />
        </IconButton>
      )
    default:
      return null
  }
}
