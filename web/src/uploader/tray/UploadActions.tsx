import {
  IconCircleCheckFilled,
  IconFolderOpen,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconShieldLock,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { IconButton } from '../../ui/IconButton.tsx'
import type { UploadView } from '../upload-view.ts'
import { uploads } from '../uploads.ts'
import { ChooseAgainButton } from './ChooseAgain.tsx'
import styles from './UploadRow.module.css'
import { placeOf } from './upload-texts.ts'

interface UploadActionsProps {
  readonly upload: UploadView
}

/** The actions for an upload, or a check mark and a link to its folder when it is done. */
export function UploadActions({ upload }: UploadActionsProps) {
  const { id, name, status } = upload
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
  const navigate = useNavigate()
  const { name } = upload
  return (
    <div className={styles.actions}>
      <IconButton
        className={styles.show}
        label={`Show ${name} in ${placeOf(upload)}`}
        onClick={() => void navigate(addressOf(upload))}
      >
        <IconFolderOpen size={18} stroke={1.75} />
      </IconButton>
      <IconCircleCheckFilled className={styles.tick} size={20} aria-label="Done" role="img" />
    </div>
  )
}

/** Returns the address of the folder that contains the upload. */
function addressOf({ folderId, isEncrypted }: UploadView): string {
  return `${isEncrypted ? '/vault' : '/profile'}${folderId ? `?folder=${encodeURIComponent(folderId)}` : ''}`
}

/** Leads to the vault, where a file is chosen again because its upload also needs the passphrase. */
function ToVaultButton({ upload }: UploadActionsProps) {
  const navigate = useNavigate()
  return (
    <IconButton
      label={`Choose ${upload.name} again in the vault to resume`}
      onClick={() => void navigate(addressOf(upload))}
    >
      <IconShieldLock size={18} stroke={1.75} />
    </IconButton>
  )
}

/** The button for pausing, resuming or retrying, depending on the status. */
function GoOnButton({ upload }: UploadActionsProps): ReactNode {
  const { id, name, status } = upload
  if (upload.filesNeeded > 0)
    return upload.isEncrypted ? <ToVaultButton upload={upload} /> : <ChooseAgainButton upload={upload} />
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
