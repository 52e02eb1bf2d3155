import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import type { UploadsSnapshot } from '../engine/upload-snapshot.ts'
import { UploadRow } from './UploadRow.tsx'
import styles from './UploadTray.module.css'

interface UploadListProps {
  readonly snapshot: UploadsSnapshot
}

const ROW_HEIGHT = 73

/** The list of the tray; only what is in view is in the document, since ten thousand files may be on their way. */
export function UploadList({ snapshot }: UploadListProps) {
  const { views, isOffline, filesInConflict } = snapshot
  // Whoever ticks 'for all' means all rows.
  const [isForAll, setIsForAll] = useState(false)
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: views.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => views[index]?.id ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: what scrolls must be in reach of the keyboard
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="group" aria-label="Files">
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
