import { extensionOf } from '@alcove/contract/file-types'
import type { File } from '@alcove/contract/items'
import { memo } from 'react'
import { formatDayWithYear, formatSize } from '../../lib/format.ts'
import { ItemName } from '../../ui/ItemName.tsx'
import { contentSizeOf } from '../lists/content-size.ts'
import { FavoriteButton } from './FavoriteButton.tsx'
import { SelectBox } from './SelectBox.tsx'
import { SharedSign } from './SharedSign.tsx'
import { Thumbnail } from './Thumbnail.tsx'
import { TileActions } from './TileActions.tsx'
import styles from './tile.module.css'
import shape from './tile-shape.module.css'
import { type TileProps, useTile } from './use-tile.ts'

export const FileTile = memo(function FileTile(props: TileProps<File>) {
  const { item, isActive, isSelected, handlers, hasTools, parts } = props
  const details = `${formatSize(contentSizeOf(item))} · ${formatDayWithYear(item.updatedAt)}`
  // The name that readers hear has what is to be seen, in its order, the label of the sheet too.
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
