import { splitForEllipsis } from '../lib/file-names.ts'
import styles from './ItemName.module.css'

interface ItemNameProps {
  readonly name: string
  readonly className?: string
}

/** The name of a file or folder on one line. Where it does not fit, its middle gives way and its end stays. */
export function ItemName({ name, className }: ItemNameProps) {
  const { head, tail } = splitForEllipsis(name)
  return (
    <bdi className={className ? `${styles.name} ${className}` : styles.name} dir="auto" title={name}>
      <span className={styles.head}>{head}</span>
      {tail && <span className={styles.tail}>{tail}</span>}
    </bdi>
  )
}
