import type { Folder } from '@alcove/contract/items'
import { memo } from 'react'
import { formatDay } from '../../lib/format.ts'
import { useFileDrop } from '../../lib/use-file-drop.ts'
import { FolderGlyph } from '../FolderGlyph.tsx'
import { ItemName } from '../ItemName.tsx'
import { FavoriteButton } from './FavoriteButton.tsx'
import { TileActions } from './TileActions.tsx'
import styles from './tiles.module.css'
import { useItemDrop } from './use-item-drag.ts'
import { useTile } from './use-tile.ts'
import type { TileHandlers } from './use-tile-handlers.ts'

interface FolderTileProps {
  readonly folder: Folder
  readonly isActive: boolean
  readonly handlers: TileHandlers
}

/** A folder of the grid: a place to go, and a place where items and files of the computer can be dropped. */
export const FolderTile = memo(function FolderTile({ folder, isActive, handlers }: FolderTileProps) {
  const modified = `Modified ${formatDay(folder.updatedAt)}`
  const cell = useTile(folder, `${folder.name}, ${modified}, folder`, isActive, handlers)
  const isMoveTarget = useItemDrop(cell.ref, folder.id, handlers.onMoveInto)
  const isFileTarget = useFileDrop(cell.ref, (items) => handlers.onDropFiles(folder.id, items))
  const isTarget = isMoveTarget || isFileTarget
  return (
    <div
      {...cell}
      className={styles.folder}
      data-target={isTarget || undefined}
      data-hearts={handlers.onToggleFavorite !== undefined || undefined}
    >
      <span className={styles.glyph}>
        <FolderGlyph size={38} />
      </span>
      <div className={styles.text}>
        <ItemName name={folder.name} className={styles.name} />{' '}
        <span className={styles.meta}>{isMoveTarget ? 'Move here' : isFileTarget ? 'Upload here' : modified}</span>
      </div>
      <TileActions
        item={folder}
        isActive={isActive}
        onRename={() => handlers.onRename(folder)}
        onRemove={() => handlers.onRemove(folder)}
        onMenu={(x, y) => handlers.onMenu(folder, x, y)}
      />
      {handlers.onToggleFavorite && (
        <FavoriteButton item={folder} isActive={isActive} onToggle={handlers.onToggleFavorite} />
      )}
    </div>
  )
})
