import type { RowKind } from '../grid/layout.ts'
import styles from './SkeletonTile.module.css'

interface SkeletonTileProps {
  readonly kind: Exclude<RowKind, 'heading'>
  readonly index: number
  readonly isActive: boolean
}

/** The place of an item that has not been loaded yet, in its true shape. It keeps the focus until the item is there. */
export function SkeletonTile({ kind, index, isActive }: SkeletonTileProps) {
  const common = {
    className: styles.skeleton,
    'data-kind': kind,
    'data-index': index,
    'aria-busy': true,
    tabIndex: isActive ? 0 : -1,
  }
  if (kind === 'list') {
    return (
      // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows that are walked through with the arrows are no table
      <div {...common} role="row" aria-rowindex={index + 2}>
        {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
        <div role="gridcell" className={styles.parts} aria-label="Loading">
          <Parts />
        </div>
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: tiles that are walked through with the arrows are no table
    <div {...common} role="gridcell" aria-label="Loading">
      <Parts />
    </div>
  )
}

function Parts() {
  return (
    <>
      <span className={styles.picture} />
      <span className={styles.lines}>
        <span className={styles.name} />
        <span className={styles.details} />
      </span>
    </>
  )
}
