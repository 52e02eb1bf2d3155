import type { Folder } from '@alcove/contract/items'
import type { RefObject } from 'react'
import type { TileHandlers } from '../tiles/use-tile-handlers.ts'
import { useFileDrop } from './use-file-drop.ts'
import { useItemDrop } from './use-item-drag.ts'

const dropTexts = { move: 'Move here', copy: 'Copy here' } as const

/** Lets items and files be dropped on a folder; gives what would become of those that hang over it, in words. */
export function useFolderDrop(
  ref: RefObject<HTMLElement | null>,
  folder: Folder,
  handlers: TileHandlers,
): string | undefined {
  const drop = useItemDrop(ref, folder.id, handlers.onMoveInto, {
    name: folder.name,
    onSpring: () => handlers.onOpen(folder),
  })
  const isFileTarget = useFileDrop(ref, (items) => handlers.onDropFiles(folder.id, items))
  if (drop !== false) return dropTexts[drop]
  return isFileTarget ? 'Upload here' : undefined
}
