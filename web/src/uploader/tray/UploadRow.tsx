import { Button, Checkbox, UnstyledButton } from '@mantine/core'
import { memo, useState } from 'react'
import { formatCount, plural } from '../../lib/format.ts'
import { keepsVersions } from '../../lib/site.ts'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import type { ConflictChoice } from '../transfer.ts'
import type { ConflictView, UploadView } from '../upload-view.ts'
import { useUploadQueue } from '../uploads.ts'
import conflictStyles from './ConflictChoices.module.css'
import failureStyles from './FailureList.module.css'
import { useRowParts } from './row-parts.ts'
import { UploadActions } from './UploadActions.tsx'
import styles from './UploadRow.module.css'
import { detailsOf, percentOf, sidesOf } from './upload-texts.ts'

interface UploadRowProps {
  readonly upload: UploadView
  readonly isOffline: boolean
  /** The number of taken names in all uploads, or 0 if this upload has none. */
  readonly conflicts: number
  readonly isForAll: boolean
  readonly onForAll: (isForAll: boolean) => void
}

/** One upload in the tray: a file, or a folder with all its files. */
export const UploadRow = memo(function UploadRow(props: UploadRowProps) {
  const { upload, isOffline, conflicts, isForAll, onForAll } = props
  const { id, kind, name, status, conflict, filesFailed } = upload
  const parts = useRowParts()
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
          {parts && <parts.Help upload={upload} />}
        </span>
        {parts && <parts.Notes upload={upload} />}
        {kind === 'folder' && filesFailed > 0 && <FailureList id={id} count={filesFailed} />}
        {status === 'conflict' && conflict && (
          <ConflictChoices id={id} conflict={conflict} all={conflicts} isForAll={isForAll} onForAll={onForAll} />
        )}
      </div>
      <UploadActions upload={upload} />
    </div>
  )
})

interface ConflictChoicesProps {
  readonly id: string
  readonly conflict: ConflictView
  /** The number of taken names in all uploads. */
  readonly all: number
  readonly isForAll: boolean
  readonly onForAll: (isForAll: boolean) => void
}

/** Compares both files of a name conflict, with the choices for this file or for all. */
function ConflictChoices({ id, conflict, all, isForAll, onForAll }: ConflictChoicesProps) {
  const uploads = useUploadQueue()
  const canReplace = conflict.existing.type !== 'folder'
  const response = (given: ConflictChoice) => uploads.resolve(id, given, isForAll && all > 1)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its own styles
    <div className={conflictStyles.conflict} role="group" aria-label={`${conflict.name} exists already`}>
      <dl className={conflictStyles.sides}>
        {sidesOf(conflict).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {canReplace && keepsVersions && (
        <p className={conflictStyles.hint}>Replace keeps the old file as an earlier version.</p>
      )}
      {all > 1 && (
        <Checkbox
          className={conflictStyles.forAll}
          size="xs"
          label={`Do this for all ${formatCount(all)}`}
          checked={isForAll}
          onChange={(event) => onForAll(event.currentTarget.checked)}
        />
      )}
      <div className={conflictStyles.responses}>
        <Button size="xs" onClick={() => response('keepBoth')}>
          Keep both
        </Button>
        {canReplace && (
          <Button size="xs" variant="default" onClick={() => response('replace')}>
            Replace
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={() => response('skip')}>
          Skip
        </Button>
      </div>
    </div>
  )
}

/** The maximum number of failures shown. More are not useful, because the common cause is visible by then. */
const LIMIT = 100

interface FailureListProps {
  readonly id: string
  readonly count: number
}

/** The failed files of a folder with their reasons, in a collapsible list. */
function FailureList({ id, count }: FailureListProps) {
  const [isOpen, setIsOpen] = useState(false)
  const uploads = useUploadQueue()
  const failures = isOpen ? uploads.listFailures(id, LIMIT) : []
  return (
    <>
      <UnstyledButton className={failureStyles.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} the {plural(count, 'failed file')}
      </UnstyledButton>
      {isOpen && (
        <ul className={failureStyles.list}>
          {failures.map(({ name, reason }) => (
            <li key={name}>
              <ItemName name={name} className={failureStyles.name} />
              {reason}
            </li>
          ))}
          {count > LIMIT && <li>and {formatCount(count - LIMIT)} more</li>}
        </ul>
      )}
    </>
  )
}
