import type { MediaFile } from '@alcove/contract/media'
import type { ThumbnailSize } from '@alcove/contract/thumbnails'
import { useMemo } from 'react'
import { findThumbnailSource } from '../../items/thumbnails/thumbnails.ts'
import { Thumbnail } from '../../items/tiles/Thumbnail.tsx'
import { CoverArt } from '../../ui/CoverArt.tsx'
import styles from './TrackCover.module.css'
import { fileOf } from './video/file-of.ts'

interface TrackCoverProps {
  readonly track: MediaFile
  readonly size?: ThumbnailSize
  readonly className?: string | undefined
}

/** The cover that lies in a piece of music; where there is none, the one that is drawn from its name. */
export function TrackCover({ track, size = 256, className = '' }: TrackCoverProps) {
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
