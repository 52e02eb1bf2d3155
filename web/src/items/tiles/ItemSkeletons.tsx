import { Skeleton } from '@mantine/core'
import type { RowKind, View } from '../grid/layout.ts'
import styles from './ItemSkeletons.module.css'

const LABEL = 'Loading files and folders'

/** Outlines of folders and files, shown while the list loads. */
export function ItemSkeleton({ view = 'grid' }: { readonly view?: View }) {
  return view === 'list' ? <ListSkeleton /> : <GridSkeleton />
}

function GridSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label={LABEL}>
      <div className={styles.folders}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className={styles.folder}>
            <Skeleton w={38} h={30} radius={8} />
            <div className={styles.lines}>
              <Skeleton w="70%" h={10} />
              <Skeleton w="40%" h={8} />
            </div>
          </div>
        ))}
      </div>
      <div className={styles.files}>
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((key) => (
          <div key={key} className={styles.file}>
            <Skeleton className={styles.bed} radius={12} />
            <Skeleton w="75%" h={10} />
            <Skeleton w="45%" h={8} />
          </div>
        ))}
      </div>
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className={styles.rows} role="status" aria-label={LABEL}>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <div key={key} className={styles.row}>
          <Skeleton w={34} h={34} radius={10} />
          <Skeleton w="30%" h={10} />
        </div>
      ))}
    </div>
  )
}

interface SkeletonTileProps {
  readonly kind: Exclude<RowKind, 'heading'>
  readonly index: number
  readonly isActive: boolean
}

/** Stands in for an item that has not loaded yet, in its shape. Keeps the focus until the item arrives. */
export function SkeletonTile({ kind, index, isActive }: SkeletonTileProps) {
  const common = {
    className: styles.place,
    'data-kind': kind,
    'data-index': index,
    'aria-busy': true,
    tabIndex: isActive ? 0 : -1,
  }
  if (kind === 'list') {
    return (
      // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a grid of rows is not a table
      <div {...common} role="row" aria-rowindex={index + 2}>
        {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the row takes the focus */}
        <div role="gridcell" className={styles.parts} aria-label="Loading">
          <Parts />
        </div>
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a grid of tiles is not a table
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
