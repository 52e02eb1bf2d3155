import {
  IconChevronDown,
  IconChevronUp,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import type { UploadsSnapshot } from '../upload-view.ts'
import { useUploadQueue } from '../uploads.ts'
import { UnfinishedLine } from './ChooseAgain.tsx'
import { UploadRow } from './UploadRow.tsx'
import styles from './UploadTray.module.css'
import { summaryOf, titleOf } from './upload-texts.ts'
import { useKeptFocus } from './use-kept-focus.ts'

interface TrayContentProps {
  readonly snapshot: UploadsSnapshot
  readonly isCollapsed?: boolean
  /** Absent where the list always shows. */
  readonly onCollapse?: () => void
  readonly onClose?: () => void
}

/** The content of the tray: a lazy module, because most visits never open the tray. */
export function TrayContent({ snapshot, isCollapsed = false, onCollapse, onClose }: TrayContentProps) {
  return (
    <>
      <TrayHeader snapshot={snapshot} isCollapsed={isCollapsed} onCollapse={onCollapse} onClose={onClose} />
      {snapshot.filesNeeded > 1 && <UnfinishedLine count={snapshot.filesNeeded} />}
      {!isCollapsed && <UploadList snapshot={snapshot} />}
    </>
  )
}

/** Shows the overall progress, with the actions for all uploads. */
function TrayHeader({ snapshot, isCollapsed, onCollapse, onClose }: TrayContentProps) {
  const uploads = useUploadQueue()
  const header = useRef<HTMLElement>(null)
  const kept = useKeptFocus(header)
  const { views, uploading, waiting, filesFailed, sent, total } = snapshot
  const isRunning = uploading + waiting > 0
  const canResume = !isRunning && views.some(({ status, filesNeeded }) => status === 'paused' && filesNeeded === 0)
  return (
    <>
      <header ref={header} className={styles.header} {...kept}>
        <div className={styles.heading}>
          <h2 className={styles.title}>{titleOf(snapshot)}</h2>
          <p className={styles.summary}>{summaryOf(snapshot)}</p>
        </div>
        {filesFailed > 0 && (
          <IconButton label="Retry all failed uploads" onClick={() => uploads.retryAll()}>
            <IconRefresh size={18} stroke={1.75} />
          </IconButton>
        )}
        {(isRunning || canResume) && (
          <IconButton
            label={isRunning ? 'Pause all uploads' : 'Resume all uploads'}
            onClick={() => (isRunning ? uploads.pauseAll() : uploads.resumeAll())}
          >
            {isRunning ? <IconPlayerPause size={18} stroke={1.75} /> : <IconPlayerPlay size={18} stroke={1.75} />}
          </IconButton>
        )}
        {onCollapse && (
          <IconButton
            label={isCollapsed ? 'Show the list of uploads' : 'Hide the list of uploads'}
            aria-expanded={!isCollapsed}
            onClick={onCollapse}
          >
            {isCollapsed ? <IconChevronUp size={18} stroke={1.75} /> : <IconChevronDown size={18} stroke={1.75} />}
          </IconButton>
        )}
        {onClose && (
          <IconButton label="Close uploads" onClick={onClose}>
            <IconX size={18} stroke={1.75} />
          </IconButton>
        )}
      </header>
      <div className={styles.total} aria-hidden>
        <div className={styles.totalBar} style={{ width: `${total > 0 ? (sent / total) * 100 : 0}%` }} />
      </div>
    </>
  )
}

interface UploadListProps {
  readonly snapshot: UploadsSnapshot
}

const ROW_HEIGHT = 73

/** The list of uploads. Only the rows in view are in the document, because there may be ten thousand. */
function UploadList({ snapshot }: UploadListProps) {
  const { views, isOffline, filesInConflict } = snapshot
  // The 'for all' checkbox applies to all rows, so they share its state.
  const [isForAll, setIsForAll] = useState(false)
  const scroller = useRef<HTMLDivElement>(null)
  const kept = useKeptFocus(scroller)
  const virtualizer = useVirtualizer({
    count: views.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => views[index]?.id ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: the keyboard scrolls it
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="group" aria-label="Files" {...kept}>
      <ul className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const upload = views[index]
          return (
            upload && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                className={styles.item}
                data-index={index}
                aria-setsize={views.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <UploadRow
                  upload={upload}
                  isOffline={isOffline}
                  conflicts={upload.filesInConflict > 0 ? filesInConflict : 0}
                  isForAll={isForAll}
                  onForAll={setIsForAll}
                />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}
