import { siteName } from '../lib/site.ts'
import styles from './Logo.module.css'

interface LogoProps {
  /** `onDark` is for green backgrounds in both color schemes. */
  readonly tone?: 'default' | 'onDark'
}

/** The logo with the name. The server puts the operator's logo in the place of what has `data-mark` (brand-style.ts). */
export function Logo({ tone = 'default' }: LogoProps) {
  return (
    <span className={styles.logo} data-tone={tone}>
      <svg className={styles.mark} data-mark="" viewBox="0 0 28 31" aria-hidden="true" focusable="false">
        <path className={styles.outer} d="M0 31V14a14 14 0 0 1 28 0v17z" />
        <path className={styles.reveal} d="M7.5 31V17a8 8 0 0 1 16 0v14z" />
        <path className={styles.light} d="M10.5 31V17.5a6.5 6.5 0 0 1 13 0V31z" />
      </svg>
      <span>{siteName}</span>
    </span>
  )
}
