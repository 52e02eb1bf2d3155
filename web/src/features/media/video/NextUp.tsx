import type { MediaFile } from '@alcove/contract/media'
import { VisuallyHidden } from '@mantine/core'
import { Thumbnail } from '../../../items/tiles/Thumbnail.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { fileOf } from './file-of.ts'
import styles from './NextUp.module.css'

interface NextUpProps {
  readonly video: MediaFile
  readonly onPlay: () => void
}

/** Says over the end of a video which one comes behind it, and goes there at once when it is clicked. */
export function NextUp({ video, onPlay }: NextUpProps) {
  return (
    <button type="button" className={styles.card} onClick={onPlay}>
      <span className={styles.frame} aria-hidden>
        <Thumbnail file={fileOf(video)} />
      </span>
      <span className={styles.words}>
        <span className={styles.label}>Next up</span>
        {/* The name in one piece: what is seen is cut in two. */}
        <VisuallyHidden>{video.filename}</VisuallyHidden>
        <span className={styles.name} aria-hidden>
          <ItemName name={video.filename} />
        </span>
      </span>
    </button>
  )
}
