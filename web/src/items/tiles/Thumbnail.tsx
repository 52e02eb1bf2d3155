import type { File } from '@alcove/contract/items'
import { type ThumbnailSize, thumbnailKindOf } from '@alcove/contract/thumbnails'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { FileTypeSheet } from '../../ui/FileTypeSheet.tsx'
import { findThumbnailSource, type ThumbnailSource, thumbnails } from '../thumbnails.ts'
import { PictureLabel } from './PictureLabel.tsx'
import styles from './Thumbnail.module.css'

interface ThumbnailProps {
  readonly file: File
  /**
   * Shown until the picture has loaded, and if there is none; by default the type sheet. Pass one in small places such as
   * rows, where a page of text would be unreadable.
   */
  readonly fallback?: ReactNode
  /** The size of the picture; by default as large as a tile needs it on this screen. */
  readonly size?: ThumbnailSize
  /** The source of the picture, if it isn't the user's own file. */
  readonly source?: ThumbnailSource | undefined
}

/**
 * A small picture of a file, or its type. Fills its parent and takes on its corners. Decorative, because the name is
 * beside it.
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
  /** Whether to show the top of the picture, as for a page. */
  readonly isPage: boolean
  /** Shown over the picture. */
  readonly label: ReactNode
}

function Picture({ source, fallback, isPage, label }: PictureProps) {
  const [url, setUrl] = useState(() => thumbnails.find(source.key))
  // A cached picture shows with its tile; one that loads later fades in.
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
