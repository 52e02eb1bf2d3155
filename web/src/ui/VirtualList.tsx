import type { ComponentPropsWithRef } from 'react'
import styles from './VirtualList.module.css'

interface VirtualListProps extends ComponentPropsWithRef<'ul'> {
  readonly isOrdered?: boolean
  /** The height of all rows together, in pixels. */
  readonly height: number
}

/** A list that has only the rows in view in the document. A virtualizer tells it where they are. */
export function VirtualList({ isOrdered = false, height, ...props }: VirtualListProps) {
  const List = (isOrdered ? 'ol' : 'ul') as 'ul'
  return <List {...props} className={styles.list} style={{ height }} />
}

interface VirtualRowProps extends ComponentPropsWithRef<'li'> {
  /** Pixels from the top of the list. */
  readonly top: number
}

/** A row of such a list. */
export function VirtualRow({ top, className = '', ...props }: VirtualRowProps) {
  return <li {...props} className={`${styles.row} ${className}`} style={{ transform: `translateY(${top}px)` }} />
}
