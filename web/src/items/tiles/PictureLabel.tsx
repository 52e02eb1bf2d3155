import { extensionOf } from '@alcove/contract/file-types'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { formatClock } from '../../lib/format.ts'
import { fileTypeColor } from '../../ui/file-type-look.ts'
import styles from './PictureLabel.module.css'

interface PictureLabelProps {
  readonly filename: string
  /** The length of a video in seconds, once it is known. */
  readonly duration?: number | undefined
}

/** Says what a thumbnail doesn't show: that it is a page of a PDF, or the length of a video. Decorative. */
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
