import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { VaseNiche } from '../../ui/art/niches.tsx'
import styles from './FolderStates.module.css'
import { folderAddress } from './folder-address.ts'

interface EmptyFolderProps {
  /** The user came here by opening the folder: the keyboard starts at this text. */
  readonly isArrival: boolean
}

export function EmptyFolder({ isArrival }: EmptyFolderProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isArrival) box.current?.focus({ preventScroll: true })
  }, [isArrival])
  return (
    <div ref={box} className={styles.empty} tabIndex={-1}>
      <VaseNiche className={styles.art} />
      <h2 className={styles.title}>An empty shelf</h2>
      <p className={styles.hint}>
        <span className={styles.dropHint}>Drop files anywhere on this page, or use the buttons above.</span>
        <span className={styles.touchHint}>Use the buttons above.</span> Whole folders keep their shape.
      </p>
    </div>
  )
}

interface FolderErrorProps {
  readonly isRoot: boolean
  readonly isBusy: boolean
  readonly onRetry: () => void
}

export function FolderError({ isRoot, isBusy, onRetry }: FolderErrorProps) {
  return (
    <div className={styles.error} role="alert">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
      <span className={styles.errorText}>Unable to fetch files/folders.</span>
      {!isRoot && (
        <Button component={Link} to={folderAddress(undefined)} variant="subtle" size="xs">
          Go to Root
        </Button>
      )}
      <Button variant="default" size="xs" loading={isBusy} onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}

/** What a folder will look like, while it loads. */
export function FolderSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading files and folders">
      <div className={styles.folders}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className={styles.folder}>
            <Skeleton w={38} h={30} radius={8} />
            <div className={styles.lines}>
              <Skeleton w="70%" h={10} />
              <Skeleton w="40%" h={8} />
            </div>
          </div>
        ))}
      </div>
      <div className={styles.files}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((key) => (
          <div key={key} className={styles.file}>
            <Skeleton className={styles.bed} radius={12} />
            <Skeleton w="75%" h={10} />
            <Skeleton w="45%" h={8} />
          </div>
        ))}
      </div>
    </div>
  )
}
