import styles from './Avatar.module.css'

interface AvatarProps {
  readonly email?: string
}

/** The user's initial in an arch. Decorative: the address stands beside it or names what it is in. */
export function Avatar({ email }: AvatarProps) {
  // Drawn by the styles: as text it would be a name that readers hear, and that differs from the link's own.
  return <span className={styles.avatar} data-initial={email?.charAt(0).toUpperCase() || '·'} aria-hidden="true" />
}
