import type { ComponentProps } from 'react'
import { useDelayed } from '../../lib/use-delayed.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import styles from './MediaStates.module.css'

/** Fills the place of music or videos where there are none. */
export function EmptyMedia(props: ComponentProps<typeof EmptyState>) {
  return <EmptyState {...props} className={styles.empty} />
}

/** Shows only if loading takes long enough to be noticed, in milliseconds. */
const SKELETON_DELAY = 150

/** An outline of the player, shown while the library loads. */
export function MediaSkeleton({ kind, text }: { readonly kind: 'music' | 'video'; readonly text: string }) {
  const isShown = useDelayed(true, SKELETON_DELAY)
  return (
    <div className={styles.skeleton} data-kind={kind} data-shown={isShown || undefined}>
      <p role="status">{text}</p>
      <div className={styles.player} />
    </div>
  )
}
