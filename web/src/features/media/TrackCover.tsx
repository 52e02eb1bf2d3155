import type { MediaFile } from '@alcove/contract/media'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { useMemo } from 'react'
import { findThumbnailSource } from '../../items/thumbnails.ts'
import { Thumbnail } from '../../items/tiles/Thumbnail.tsx'
import { CoverArt } from '../../ui/CoverArt.tsx'
import { fileOf } from './media-file.ts'
import styles from './TrackCover.module.css'

interface TrackCoverProps {
  readonly track: MediaFile
  readonly size?: ThumbnailSize
  /** Shows it in the size for a row. */
  readonly isSmall?: boolean
  readonly className?: string | undefined
}

/** The cover stored in a music file, or one drawn from its name if it has none. */
export function TrackCover({
  track,
  size = 256,
  isSmall,
  className = (isSmall && styles.small) || '',
}: TrackCoverProps) {
  const file = useMemo(() => fileOf(track), [track])
  const source = useMemo(() => findThumbnailSource(file, size, track.hasCover), [file, size, track.hasCover])
  if (!source) return <CoverArt className={className} name={track.filename} />
  return (
    <span className={`${styles.cover} ${className}`} aria-hidden>
      <Thumbnail
        file={file}
        source={source}
        fallback={<CoverArt className={styles.drawn ?? ''} name={track.filename} />}
      />
    </span>
  )
}
