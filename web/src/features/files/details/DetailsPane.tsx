import { CloseButton } from '@mantine/core'
import { type ComponentProps, useEffect } from 'react'
import type { Selected } from '../../../items/ListFrame.tsx'
import { lazyModule, useLazyModule } from '../../../lib/lazy-module.ts'
import { useMedia } from '../../../lib/use-media.ts'
import type { DetailsContent } from './DetailsContent.tsx'
import styles from './DetailsPane.module.css'
import { hideDetails, setAskedDetails, useDetails } from './details-state.ts'

const details = lazyModule(() => import('./DetailsContent.tsx'))
const sheet = lazyModule(() => import('./DetailsSheet.tsx'))

interface DetailsPaneProps {
  readonly selected: Selected
  /** The folder that is shown; undefined is the root, or a list that is no folder. */
  readonly folderId: string | undefined
}

/** Beside the list where there is room, else a sheet over it. */
const BESIDE = '(min-width: 62em)'

/** All that is known of what is selected, or was asked about, or else of the folder that is shown. */
export function DetailsPane({ selected, folderId }: DetailsPaneProps) {
  const isBeside = useMedia(BESIDE)
  const { isOpen, isSheetOpen, requested } = useDetails()
  const { items } = selected
  const sheetPart = useLazyModule(sheet, isSheetOpen && !isBeside)

  // What is selected next, or the next folder, is what the details are about then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: this is about the selection having changed
  useEffect(() => setAskedDetails(undefined), [items, folderId])

  const content = <Content requested={requested} selected={selected} folderId={folderId} />

  if (isBeside && isOpen) {
    return (
      <aside className={styles.pane} aria-label="Details">
        <div className={styles.header}>
          <h2 className={styles.title}>Details</h2>
          <CloseButton aria-label="Close details" onClick={hideDetails} />
        </div>
        {content}
      </aside>
    )
  }
  if (isBeside) return null
  return (
    sheetPart && (
      <sheetPart.DetailsSheet isOpen={isSheetOpen} onClose={hideDetails}>
        {content}
      </sheetPart.DetailsSheet>
    )
  )
}

/** The details, fetched after the list shows, or when they are first asked for. */
function Content(props: ComponentProps<typeof DetailsContent>) {
  const part = useLazyModule(details)
  return part ? <part.DetailsContent {...props} /> : null
}
