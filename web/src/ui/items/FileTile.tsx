import { extensionOf } from '@alcove/contract/file-types'
import type { File } from '@alcove/contract/items'
import { memo } from 'react'
import { formatDay, formatSize } from '../../lib/format.ts'
import { ItemName } from '../ItemName.tsx'
import { FavoriteButton } from './FavoriteButton.tsx'
import { SelectBox } from './SelectBox.tsx'
import { SharedSign } from './SharedSign.tsx'
import { Thumbnail } from './Thumbnail.tsx'
import { TileActions } from './TileActions.tsx'
import styles from './tiles.module.css'
import { type TileProps, useTile } from './use-tile.ts'

export const FileTile = memo(function FileTile(props: TileProps<File>) {
  const { item, isActive, isSelected, handlers } = props
  const facts = `${formatSize(item.size)} · ${formatDay(item.updatedAt)}`
  // The name that readers hear has what is to be seen, in its order, the label of the sheet too.
  const sheet = extensionOf(item.name).toUpperCase() || 'file'
  const tile = useTile(props, `${item.name}, ${facts}, ${sheet}${item.isShared ? ', shared' : ''}`)
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its focus comes with `tile`
    <div {...tile} role="gridcell" className={styles.file}>
      <div className={styles.text}>
        <span className={styles.title}>
          <ItemName name={item.name} className={styles.name} />
          {item.isShared && <SharedSign />}
        </span>{' '}
        <span className={styles.meta}>{facts}</span>
      </div>{' '}
      <div className={styles.bed}>
        <Thumbnail file={item} />
      </div>
      <div className={styles.box}>
        <SelectBox item={item} isActive={isActive} isSelected={isSelected} onToggle={handlers.onToggle} />
      </div>
      {handlers.onToggleFavorite && (
        <FavoriteButton item={item} isActive={isActive} onToggle={handlers.onToggleFavorite} />
      )}
      <TileActions item={item} isActive={isActive} handlers={handlers} />
    </div>
  )
})
