import { CloseButton } from '@mantine/core'
import { type ComponentProps, useEffect, useLayoutEffect } from 'react'
import type { ItemActions } from '../../../items/item-actions.ts'
import type { Selected } from '../../../items/ListFrame.tsx'
import { lazyModule, useLazyModule } from '../../../lib/lazy-module.ts'
import { useMedia } from '../../../lib/use-media.ts'
import type { DetailsContent } from './DetailsContent.tsx'
import styles from './DetailsPane.module.css'
import { hideDetails, setDetailsItem, useDetails } from './details-state.ts'

const details = lazyModule(() => import('./DetailsContent.tsx'))
const sheet = lazyModule(() => import('./DetailsSheet.tsx'))

interface DetailsPaneProps {
  readonly selected: Selected
  /** The folder that is shown; undefined for the root, and for a list that isn't a folder. */
  readonly folderId: string | undefined
  /** Shows the earlier versions of a file. */
  readonly onHistory: ItemActions['history']
}

/** From this width on, the details are beside the list instead of in a sheet over it. */
const BESIDE = '(min-width: 62em)'

/** The details of a requested item, of the selection, or of the folder that is shown. */
export function DetailsPane({ selected, folderId, onHistory }: DetailsPaneProps) {
  const isBeside = useMedia(BESIDE)
  const { isOpen, isSheetOpen, requested } = useDetails()
  const { items } = selected
  const sheetPart = useLazyModule(sheet, isSheetOpen && !isBeside)

  // A new selection or another folder replaces the requested item.
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows each change of the selection
  useEffect(() => setDetailsItem(undefined), [items, folderId])

  // What stands at the foot of the list keeps clear of the pane. `:has` would be checked at each change of the page.
  const isShown = isBeside && isOpen
  useLayoutEffect(() => {
    if (!isShown) return
    document.documentElement.dataset.detailsPane = 'shown'
    return () => {
      delete document.documentElement.dataset.detailsPane
    }
  }, [isShown])

  const content = <Content requested={requested} selected={selected} folderId={folderId} onHistory={onHistory} />

  if (isShown) {
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

/** The details, loaded after the list shows. */
function Content(props: ComponentProps<typeof DetailsContent>) {
  const part = useLazyModule(details)
  return part ? <part.DetailsContent {...props} /> : null
}
