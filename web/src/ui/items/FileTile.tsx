import { extensionOf } from '@alcove/contract/file-types'
import type { File } from '@alcove/contract/items'
import { memo } from 'react'
import { formatDay, formatSize } from '../../lib/format.ts'
import { FileTypeSheet } from '../FileTypeSheet.tsx'
import { ItemName } from '../ItemName.tsx'
import { FavoriteButton } from './FavoriteButton.tsx'
import { TileActions } from './TileActions.tsx'
import styles from './tiles.module.css'
import { useTile } from './use-tile.ts'
import type { TileHandlers } from './use-tile-handlers.ts'

interface FileTileProps {
  readonly file: File
  readonly isActive: boolean
  readonly handlers: TileHandlers
}

export const FileTile = memo(function FileTile({ file, isActive, handlers }: FileTileProps) {
  const facts = `${formatSize(file.size)} · ${formatDay(file.updatedAt)}`
  // The name that readers hear has what is to be seen, in its order, the label of the sheet too.
  const label = `${file.name}, ${facts}, ${extensionOf(file.name).toUpperCase() || 'file'}`
  const cell = useTile(file, label, isActive, handlers)
  return (
    <div {...cell} className={styles.file}>
      <div className={styles.text}>
        <ItemName name={file.name} className={styles.name} /> <span className={styles.meta}>{facts}</span>
      </div>{' '}
      <div className={styles.bed}>
        <FileTypeSheet filename={file.name} size={54} />
      </div>
      {handlers.onToggleFavorite && (
        <FavoriteButton item={file} isActive={isActive} onToggle={handlers.onToggleFavorite} />
      )}
      <TileActions
        item={file}
        isActive={isActive}
        onRename={() => handlers.onRename(file)}
        onRemove={() => handlers.onRemove(file)}
        onMenu={(x, y) => handlers.onMenu(file, x, y)}
      />
    </div>
  )
})
