import { DEFAULT_ALLOCATION, GIGABYTE } from '@alcove/contract/limits'
import { Logo } from '../../../ui/Logo.tsx'
import styles from './ShareFoot.module.css'

/** Tells a visitor what this place is. */
export function ShareFoot() {
  return (
    <div className={styles.foot}>
      <span className={styles.mark} aria-hidden>
        <Logo />
      </span>
      <p className={styles.text}>
        Alcove is a private room for files. Start with {DEFAULT_ALLOCATION / GIGABYTE} GB, free.
      </p>
    </div>
  )
}
