import styles from './Avatar.module.css'

interface AvatarProps {
  readonly email?: string
}

/** The user's initial. Decorative: the address is shown beside it or labels the link around it. */
export function Avatar({ email }: AvatarProps) {
  // Drawn by the style sheet. As text it would be read aloud, and the link's visible text would differ from its label.
  return <span className={styles.avatar} data-initial={email?.charAt(0).toUpperCase() || '·'} aria-hidden="true" />
}
