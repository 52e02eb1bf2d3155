import type { ComponentProps } from 'react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import styles from './EmptyMedia.module.css'

/** Stands where music or videos would be, and fills their place. */
export function EmptyMedia(props: ComponentProps<typeof EmptyState>) {
  return <EmptyState {...props} className={styles.place} />
}
