import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { isFocusInDialog } from '../../ui/dialogs/open-layers.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import styles from './FolderStates.module.css'
import type { FolderHome } from './folder-address.ts'

const art = lazyModule(() => import('../../ui/art/niches.tsx'))

interface EmptyFolderProps {
  /** Whether to explain how to upload. */
  readonly hasHint: boolean
  readonly isVault: boolean
  /** Whether the user just opened the folder. Then this text gets the focus. */
  readonly isArrival: boolean
}

export function EmptyFolder({ hasHint, isVault, isArrival }: EmptyFolderProps) {
  const box = useRef<HTMLDivElement>(null)
  const part = useLazyModule(art)
  useEffect(() => {
    if (isArrival && !isFocusInDialog()) box.current?.focus({ preventScroll: true })
  }, [isArrival])
  return (
    <div ref={box} className={styles.empty} tabIndex={-1}>
      <EmptyState
        art={part && (isVault ? <part.PadlockNiche /> : <part.VaseNiche />)}
        title="An empty shelf"
        hint={
          hasHint && (
            <>
              <span className={styles.dropHint}>Drop files anywhere on this page, or use the buttons above.</span>
              <span className={styles.touchHint}>Use the buttons above.</span> Folders keep their structure.
            </>
          )
        }
      />
    </div>
  )
}

interface FolderErrorProps {
  readonly home: FolderHome
  /** Whether the folder is the home itself. Otherwise a button leads there. */
  readonly isHome: boolean
  readonly isBusy: boolean
  readonly onRetry: () => void
}

export function FolderError({ home, isHome, ...others }: FolderErrorProps) {
  const elsewhere = !isHome && (
    <Button component={Link} to={home.addressOf(undefined)} variant="subtle" size="xs">
      Go to {home.name}
    </Button>
  )
  return <LoadError text={home.loadFailed} action={elsewhere} {...others} />
}
