import { memo } from 'react'
import { SpaceOffers } from '../../items/SpaceOffers.tsx'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import type { UploadView } from '../engine/upload-view.ts'
import { ConflictChoices } from './ConflictChoices.tsx'
import { FailureList } from './FailureList.tsx'
import { UploadActions } from './UploadActions.tsx'
import styles from './UploadRow.module.css'
import { detailsOf, percentOf } from './upload-texts.ts'

export interface UploadRowProps {
  readonly upload: UploadView
  readonly isOffline: boolean
  /** How many names are taken in all uploads, where this is one of them. */
  readonly conflicts: number
  readonly isForAll: boolean
  readonly onForAll: (isForAll: boolean) => void
}

/** One upload of the tray: a file, or a folder with all its files. */
export const UploadRow = memo(function UploadRow(props: UploadRowProps) {
  const { upload, isOffline, conflicts, isForAll, onForAll } = props
  const { id, kind, name, status, conflict, filesFailed } = upload
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
        <span className={styles.details}>
          {detailsOf(upload, isOffline)}
          {upload.exceedsQuota && <SpaceOffers />}
        </span>
        {kind === 'folder' && filesFailed > 0 && <FailureList id={id} count={filesFailed} />}
        {status === 'conflict' && conflict && (
          <ConflictChoices id={id} conflict={conflict} all={conflicts} isForAll={isForAll} onForAll={onForAll} />
        )}
      </div>
      <UploadActions upload={upload} />
    </div>
  )
})
