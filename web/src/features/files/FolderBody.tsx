import { type ReactNode, useRef } from 'react'
import type { ItemList } from '../../lib/item-lists.ts'
import type { ItemActions } from '../../ui/items/item-actions.ts'
import { ListFrame } from '../../ui/items/ListFrame.tsx'
import { useItemDrop } from '../../ui/items/use-item-drag.ts'
import type { SelectionControl } from '../../ui/items/use-selection.ts'
import { DetailsPane } from './DetailsPane.tsx'
import { useDropItems } from './use-item-changes.ts'
import { usePaste } from './use-paste.ts'

interface FolderBodyProps {
  readonly folderId: string | undefined
  readonly name: string
  readonly list: ItemList
  readonly selection: SelectionControl
  readonly actions: ItemActions
  readonly children: ReactNode
}

/** The content of a folder, which takes what is dropped on it or pasted, with the details beside it. */
export function FolderBody({ folderId, name, children, ...list }: FolderBodyProps) {
  const body = useRef<HTMLDivElement>(null)
  const paste = usePaste(folderId)
  const isTarget = useItemDrop(body, folderId, useDropItems(), { name })
  return (
    <ListFrame
      {...list}
      ref={body}
      isTarget={isTarget !== false}
      onPaste={paste}
      details={(selected) => <DetailsPane selected={selected} folderId={folderId} />}
    >
      {children}
    </ListFrame>
  )
}
