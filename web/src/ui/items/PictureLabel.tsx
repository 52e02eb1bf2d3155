import { extensionOf } from '@alcove/contract/file-types'
import { thumbnailKindOf } from '@alcove/contract/thumbnails'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { fileTypeColor } from '../file-type-colors.ts'
import styles from './PictureLabel.module.css'

/** What a picture of a file does not show by itself: that it is a page of a PDF, or a frame of a video. Decorative. */
export function PictureLabel({ filename }: { readonly filename: string }) {
  const kind = thumbnailKindOf(filename)
  if (kind !== 'page' && kind !== 'video') return null
  const type = extensionOf(filename).toUpperCase()
  return (
    <span
      className={styles.label}
      style={kind === 'page' ? { backgroundColor: fileTypeColor.pdf } : undefined}
      data-kind={kind}
      aria-hidden="true"
    >
      {kind === 'video' && <IconPlayerPlayFilled size={10} className={styles.play} />}
      <span className={styles.type}>{type}</span>
    </span>
  )
}
