import { extensionOf } from '@alcove/contract/file-types'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { formatClock } from '../../lib/format.ts'
import { fileTypeColor } from '../../ui/file-type-colors.ts'
import styles from './PictureLabel.module.css'

interface PictureLabelProps {
  readonly filename: string
  /** Seconds of a video, once its length is known. */
  readonly duration?: number | undefined
}

/** What a picture of a file does not show by itself: that it is a page of a PDF, or how long a video is. Decorative. */
export function PictureLabel({ filename, duration }: PictureLabelProps) {
  const kind = thumbnailKindOf(filename)
  if (kind !== 'page' && kind !== 'video') return null
  const text = duration === undefined ? extensionOf(filename).toUpperCase() : formatClock(duration)
  return (
    <span
      className={styles.label}
      style={kind === 'page' ? { backgroundColor: fileTypeColor.pdf } : undefined}
      data-kind={kind}
      aria-hidden="true"
    >
      {kind === 'video' && <IconPlayerPlayFilled size={10} className={styles.play} />}
      <span className={styles.text}>{text}</span>
    </span>
  )
}
