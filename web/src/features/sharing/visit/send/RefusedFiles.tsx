import { CloseButton } from '@mantine/core'
import { formatCount, plural } from '../../../../lib/format.ts'
import type { RefusedFile } from './check-files.ts'
import styles from './RefusedFiles.module.css'

/** How many are listed. More are not useful, because the reasons are visible by then. */
const LISTED = 20

interface RefusedFilesProps {
  readonly files: readonly RefusedFile[]
  readonly onClose: () => void
}

/** Lists the chosen files that the link doesn't accept. */
export function RefusedFiles({ files, onClose }: RefusedFilesProps) {
  return (
    <div role="alert" className={styles.alert}>
      {files.length > 0 && (
        <div className={styles.box}>
          <div>
            <p className={styles.title}>{plural(files.length, 'file')} can’t be sent</p>
            <ul className={styles.list}>
              {files.slice(0, LISTED).map(({ name, reason }) => (
                <li key={name}>
                  <bdi dir="auto">{name}</bdi>: {reason}
                </li>
              ))}
              {files.length > LISTED && <li>and {formatCount(files.length - LISTED)} more</li>}
            </ul>
          </div>
          <CloseButton aria-label="Close" onClick={onClose} />
        </div>
      )}
    </div>
  )
}
