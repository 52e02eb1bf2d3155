import { IconLink } from '@tabler/icons-react'
import styles from './SharedSign.module.css'

/** Stands behind the name of an item whose public link is enabled. Readers hear it in the name of the tile. */
export function SharedSign() {
  return <IconLink className={styles.sign} size={14} stroke={1.75} aria-hidden />
}
