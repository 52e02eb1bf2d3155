import type { Folder } from '@alcove/contract/items'
import { memo } from 'react'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { useFolderDrop } from '../drag/use-folder-drop.ts'
import { describeFolder } from '../lists/describe-folder.ts'
import { FavoriteButton } from './FavoriteButton.tsx'
import { SelectBox } from './SelectBox.tsx'
import { SharedSign } from './SharedSign.tsx'
import { TileActions } from './TileActions.tsx'
import styles from './tile.module.css'
import shape from './tile-shape.module.css'
import { type TileProps, useTile } from './use-tile.ts'

export const FolderTile = memo(function FolderTile(props: TileProps<Folder>) {
  const { item, isActive, isSelected, handlers, hasTools } = props
  const { contents, modified } = describeFolder(item)
  const tile = useTile(
    props,
    `${item.name}, ${contents ? `${contents}, ` : ''}${modified}, folder${item.isShared ? ', shared' : ''}`,
  )
  const target = useFolderDrop(tile.ref, item, handlers)
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its focus comes with `tile`
    <div
      {...tile}
      role="gridcell"
      data-shape="folder"
      className={`${shape.folder} ${styles.folder}`}
      data-target={target !== undefined || undefined}
      data-hearts={handlers.onToggleFavorite !== undefined || undefined}
    >
      <span className={styles.glyph}>
        <FolderGlyph size={38} isVault={item.isEncrypted} />
      </span>
      <div className={`${shape.text} ${styles.text}`}>
        <span className={styles.title}>
          <ItemName name={item.name} className={shape.name} />
          {item.isShared && <SharedSign />}
        </span>{' '}
        <span className={`${shape.meta} ${styles.meta}`}>
          {target ?? (
            <>
              {contents}
              <span className={contents && styles.further}>
                {contents && ' · '}
                {modified}
              </span>
            </>
          )}
        </span>
      </div>
      <div className={styles.box}>
        {hasTools && <SelectBox item={item} isActive={isActive} isSelected={isSelected} onToggle={handlers.onToggle} />}
      </div>
      {hasTools && <TileActions item={item} isActive={isActive} handlers={handlers} />}
      {handlers.onToggleFavorite && (hasTools || item.isFavorite) && (
        <FavoriteButton item={item} isActive={isActive} onToggle={handlers.onToggleFavorite} />
      )}
    </div>
  )
})
