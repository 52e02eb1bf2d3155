import { CloseButton, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect } from 'react'
import type { Selected } from '../../ui/items/ListFrame.tsx'
import styles from './DetailsPane.module.css'
import { hideDetails, setAskedDetails, useDetails } from './details-state.ts'
import { FolderFacts } from './FolderFacts.tsx'
import { ItemDetails } from './ItemDetails.tsx'
import { SelectionDetails } from './SelectionDetails.tsx'

interface DetailsPaneProps {
  readonly selected: Selected
  /** The folder that is shown; undefined is the root, or a list that is no folder. */
  readonly folderId: string | undefined
}

/** Beside the list where there is room, else a sheet over it. */
const BESIDE = '(min-width: 62em)'

/** All that is known of what is selected, or was asked about, or else of the folder that is shown. */
export function DetailsPane({ selected, folderId }: DetailsPaneProps) {
  const isBeside = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false })
  const { isOpen, isSheetOpen, asked } = useDetails()
  const { items, everything } = selected

  // What is selected next, or the next folder, is what the details are about then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: this is about the selection having changed
  useEffect(() => setAskedDetails(undefined), [items, folderId])

  const [only] = items
  const isSeveral = everything !== undefined || items.length > 1
  const shown = asked ?? (isSeveral ? undefined : only)
  const content = shown ? (
    <ItemDetails key={shown.id} item={shown} />
  ) : isSeveral ? (
    <SelectionDetails selected={selected} />
  ) : (
    <FolderFacts folderId={folderId} />
  )

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
    <Drawer
      opened={isSheetOpen}
      position="bottom"
      size="auto"
      title="Details"
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ content: styles.sheet, title: styles.sheetTitle, header: styles.sheetHeader }}
      overlayProps={{ color: 'var(--alcove-scrim)', backgroundOpacity: 1 }}
      onClose={hideDetails}
    >
      {content}
    </Drawer>
  )
}
