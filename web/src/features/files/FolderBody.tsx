import { type ReactNode, useRef } from 'react'
import { useItemDrop } from '../../items/drag/use-item-drag.ts'
import type { ItemActions } from '../../items/item-actions.ts'
import { ListFrame } from '../../items/ListFrame.tsx'
import type { ItemList } from '../../items/lists/item-lists.ts'
import type { SelectionControl } from '../../items/use-selection.ts'
import { useDropItems } from './changes/use-drop-items.ts'
import { usePaste } from './changes/use-paste.ts'
import { DetailsPane } from './details/DetailsPane.tsx'

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
