import type { File } from '@alcove/contract/items'
import { type ThumbnailSize, thumbnailKindOf } from '@alcove/contract/thumbnails'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { FileTypeSheet } from '../../ui/FileTypeSheet.tsx'
import type { ThumbnailSource } from '../thumbnails/thumbnail-store.ts'
import { findThumbnailSource, thumbnails } from '../thumbnails/thumbnails.ts'
import { PictureLabel } from './PictureLabel.tsx'
import styles from './Thumbnail.module.css'

interface ThumbnailProps {
  readonly file: File
  /**
   * What stands here until the picture has come, and where there is none; the type sheet unless given. Given in small
   * places such as rows, where a page of text would show nothing.
   */
  readonly fallback?: ReactNode
  /** How large a picture is needed; by default what fills a tile's bed on this screen. */
  readonly size?: ThumbnailSize
  /** Where the picture comes from, where it is not the user's own file. */
  readonly source?: ThumbnailSource | undefined
}

/**
 * What a file looks like: a small picture of it, or its type. Fills the box it stands in, whose corners it takes on.
 * Decorative: the name stands beside it.
 */
export function Thumbnail({ file, fallback, size, source: given }: ThumbnailProps) {
  const own = useMemo(() => (given ? undefined : findThumbnailSource(file, size)), [file, size, given])
  const isPage = thumbnailKindOf(file.name) === 'page'
  const source = isPage && fallback ? undefined : (given ?? own)
  const sheet = fallback ?? <FileTypeSheet filename={file.name} size={54} />
  return (
    <span className={styles.thumbnail}>
      {source ? (
        <Picture
          key={source.key}
          source={source}
          fallback={sheet}
          isPage={isPage}
          label={<PictureLabel filename={file.name} duration={file.duration} />}
        />
      ) : (
        sheet
      )}
    </span>
  )
}

interface PictureProps {
  readonly source: ThumbnailSource
  readonly fallback: ReactNode
  /** A page is seen from its top. */
  readonly isPage: boolean
  /** Lies over the picture. */
  readonly label: ReactNode
}

function Picture({ source, fallback, isPage, label }: PictureProps) {
  const [url, setUrl] = useState(() => thumbnails.find(source.key))
  // One that was there already comes with its tile; one that comes later fades in.
  const [isLate] = useState(url === undefined)
  const [isLoaded, setLoaded] = useState(false)
  const isDrawn = url !== undefined && (isLoaded || !isLate)
  useEffect(() => thumbnails.request(source, setUrl), [source])
  return (
    <>
      {!isDrawn && fallback}
      {url !== undefined && (
        <img
          className={styles.picture}
          src={url}
          alt=""
          draggable={false}
          data-page={isPage || undefined}
          data-late={isLate || undefined}
          data-drawn={isDrawn || undefined}
          onLoad={() => setLoaded(true)}
          onError={() => {
            thumbnails.reject(source.key)
            setUrl(undefined)
          }}
        />
      )}
      {isDrawn && label}
    </>
  )
}
