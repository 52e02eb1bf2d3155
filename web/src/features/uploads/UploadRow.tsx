import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import type { UploadView } from '../../lib/upload-entries.ts'
import { uploads } from '../../lib/uploads.ts'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { ChooseAgainButton } from './ChooseAgainButton.tsx'
import styles from './UploadRow.module.css'
import { factsOf, percentOf } from './upload-texts.ts'

interface UploadRowProps {
  readonly upload: UploadView
  readonly isOffline: boolean
}

/** One upload of the tray: a file, or a folder with all its files. */
export const UploadRow = memo(function UploadRow({ upload, isOffline }: UploadRowProps) {
  const { id, kind, name, status } = upload
  const percent = percentOf(upload)
  const hasBar = status !== 'done' && status !== 'conflict'
  return (
    <div className={styles.row} data-status={status}>
      <span className={styles.icon}>
        {kind === 'folder' ? <FolderGlyph size={32} /> : <FileTypeSquare filename={name} />}
      </span>
      <div className={styles.text}>
        <div className={styles.line}>
          <ItemName name={name} className={styles.name} />
          {hasBar && <span className={styles.percent}>{percent}%</span>}
        </div>
        {hasBar && (
          <div
            className={styles.track}
            role="progressbar"
            aria-label={`Upload of ${name}`}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <div className={styles.bar} style={{ width: `${percent}%` }} />
          </div>
        )}
        <span className={styles.facts}>{factsOf(upload, isOffline)}</span>
        {status === 'conflict' && <ConflictAnswers id={id} name={name} />}
      </div>
      {status === 'done' ? (
        <IconCircleCheckFilled className={styles.tick} size={20} aria-label="Done" role="img" />
      ) : (
        <div className={styles.actions}>
          <GoOnButton upload={upload} />
          {status !== 'conflict' && (
            <IconButton label={`Cancel the upload of ${name}`} onClick={() => uploads.cancel(id)}>
              <IconX size={18} stroke={1.75} />
            </IconButton>
          )}
        </div>
      )}
    </div>
  )
})

/** Pause, resume or retry: the one that fits. */
function GoOnButton({ upload }: { readonly upload: UploadView }): ReactNode {
  const { id, name, status } = upload
  if (upload.needsFile) return <ChooseAgainButton id={id} name={name} />
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

/** What happens to names that are taken. */
function ConflictAnswers({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a look of its own
    <div className={styles.answers} role="group" aria-label={`${name} exists already`}>
      <Button size="xs" onClick={() => uploads.resolve(id, 'keepBoth')}>
        Keep both
      </Button>
      <Button size="xs" variant="default" onClick={() => uploads.resolve(id, 'replace')}>
        Replace
      </Button>
      <Button size="xs" variant="subtle" onClick={() => uploads.resolve(id, 'skip')}>
        Skip
      </Button>
    </div>
  )
}
