import type { Folder, Item } from '@alcove/contract/items'
import { memo } from 'react'
import { formatDayWithYear, formatSize } from '../../lib/format.ts'
import { FileTypeSquare } from '../../ui/FileTypeSquare.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { useFolderDrop } from '../drag/use-folder-drop.ts'
import { contentSizeOf } from '../lists/content-size.ts'
import { describeFolder } from '../lists/describe-folder.ts'
import { FavoriteButton } from '../tiles/FavoriteButton.tsx'
import { SelectBox } from '../tiles/SelectBox.tsx'
import { SharedSign } from '../tiles/SharedSign.tsx'
import { Thumbnail } from '../tiles/Thumbnail.tsx'
import { TileActions } from '../tiles/TileActions.tsx'
import { type TileProps, useTile } from '../tiles/use-tile.ts'
import styles from './ItemRow.module.css'

/** A file or folder in the list view. */
export const ItemRow = memo(function ItemRow(props: TileProps<Item>) {
  const { item, index, isActive, isSelected, handlers, hasTools, parts } = props
  const folder = item.type === 'folder' ? describeFolder(item) : undefined
  const size = item.type === 'file' ? formatSize(contentSizeOf(item)) : folder?.contents
  const modified = formatDayWithYear(item.updatedAt)
  const details = [size, folder?.modified ?? modified].filter(Boolean).join(' · ')
  const row = useTile(props, `${item.name}, ${details}${folder ? ', folder' : ''}${item.isShared ? ', shared' : ''}`)
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its focus comes with `row`
    <div {...row} role="row" aria-rowindex={index + 2} data-shape="row" className={styles.row}>
      {item.type === 'folder' && <FolderTarget row={row.ref} folder={item} handlers={handlers} />}
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.box}>
        <SelectBox item={item} isActive={isActive} isSelected={isSelected} onToggle={handlers.onToggle} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="rowheader" className={styles.what}>
        <span className={styles.icon}>
          {item.type === 'folder' ? (
            <FolderGlyph size={32} isVault={item.isEncrypted} />
          ) : parts ? (
            <parts.Picture file={item} isSmall />
          ) : (
            <Thumbnail file={item} fallback={<FileTypeSquare filename={item.name} />} size={256} />
          )}
        </span>
        <span className={styles.text}>
          <span className={styles.title}>
            <ItemName name={item.name} className={styles.name} />
            {item.isShared && <SharedSign />}
          </span>
          <span className={styles.details}>{details}</span>
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.size}>
        {size}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.modified}>
        {modified}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
      <div role="gridcell" className={styles.tools}>
        {parts && item.type === 'file' && <parts.Foot file={item} isActive={isActive} isSmall />}
        {hasTools && <TileActions item={item} isActive={isActive} handlers={handlers} />}
        {handlers.onToggleFavorite && (hasTools || item.isFavorite) && (
          <FavoriteButton item={item} isActive={isActive} onToggle={handlers.onToggleFavorite} />
        )}
      </div>
    </div>
  )
})

interface FolderTargetProps {
  readonly row: React.RefObject<HTMLDivElement | null>
  readonly folder: Folder
  readonly handlers: TileProps<Item>['handlers']
}

/** What a row shows while something hangs over it that its folder takes. */
function FolderTarget({ row, folder, handlers }: FolderTargetProps) {
  const target = useFolderDrop(row, folder, handlers)
  return target === undefined ? null : <span className={styles.target}>{target}</span>
}
