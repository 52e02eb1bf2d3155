import { extensionOf } from '@alcove/contract/file-types'
import type { File, Folder } from '@alcove/contract/items'
import { memo } from 'react'
import { formatDayWithYear } from '../../lib/format.ts'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import { describeFolder, describeSize } from '../lists/describe-item.ts'
import { Thumbnail } from './Thumbnail.tsx'
import { FavoriteButton, MountSign, SelectBox, SharedSign, TileActions } from './TileControls.tsx'
import styles from './tile.module.css'
import shape from './tile-shape.module.css'
import { type TileProps, useFolderDrop, useTile } from './use-tile.ts'

export const FileTile = memo(function FileTile(props: TileProps<File>) {
  const { item, isActive, isSelected, handlers, hasTools, parts } = props
  const details = `${describeSize(item)} · ${formatDayWithYear(item.modifiedAt)}`
  // The accessible name has all visible texts in their order, including the label of the sheet.
  const sheet = (!parts || parts.showsType(item)) && (extensionOf(item.name).toUpperCase() || 'file')
  const label = [item.name, details, sheet, parts?.footLabel, item.isShared && 'shared'].filter(Boolean).join(', ')
  const tile = useTile(props, label)
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its focus comes with `tile`
    <div
      {...tile}
      role="gridcell"
      data-shape="file"
      className={`${shape.file} ${styles.file}`}
      data-foot={parts !== undefined || undefined}
    >
      <div className={`${shape.text} ${styles.text}`}>
        <span className={styles.title}>
          <ItemName name={item.name} className={shape.name} />
          {item.isShared && <SharedSign />}
        </span>{' '}
        <span className={`${shape.meta} ${styles.meta}`}>{details}</span>
      </div>{' '}
      <div className={`${shape.bed} ${styles.bed}`}>
        {parts ? <parts.Picture file={item} /> : <Thumbnail file={item} />}
      </div>{' '}
      {parts && <parts.Foot file={item} isActive={isActive} />}
      <div className={styles.box}>
        {hasTools && <SelectBox item={item} isActive={isActive} isSelected={isSelected} onToggle={handlers.onToggle} />}
      </div>
      {handlers.onToggleFavorite && (hasTools || item.isFavorite) && (
        <FavoriteButton item={item} isActive={isActive} onToggle={handlers.onToggleFavorite} />
      )}
      {hasTools && <TileActions item={item} isActive={isActive} handlers={handlers} />}
    </div>
  )
})

export const FolderTile = memo(function FolderTile(props: TileProps<Folder>) {
  const { item, isActive, isSelected, handlers, hasTools } = props
  const { contents, modified } = describeFolder(item)
  const tile = useTile(
    props,
    `${item.name}, ${contents ? `${contents}, ` : ''}${modified}, folder${item.isShared || item.mount ? ', shared' : ''}`,
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
          {item.mount && <MountSign />}
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
