import type { PublicFile } from '@alcove/contract/sharing'
import { useState } from 'react'
import { PictureLabel } from '../../../items/tiles/PictureLabel.tsx'
import { FileTypeSheet } from '../../../ui/FileTypeSheet.tsx'
import { thumbnailAddress, type Visit } from './link-address.ts'
import styles from './PublicThumbnail.module.css'

interface PublicThumbnailProps {
  readonly visit: Visit
  readonly file: PublicFile
}

/** A server that has many to make may be ready a moment later. */
const RETRY_DELAY = 3000
const MAX_TRIES = 2

/** A small picture of a shared file, fetched when it comes into view, or the file's type. Decorative. */
export function PublicThumbnail({ visit, file }: PublicThumbnailProps) {
  const [state, setState] = useState<'loading' | 'drawn' | 'failed'>('loading')
  const [tries, setTries] = useState(1)
  const address = thumbnailAddress(visit, file, window.devicePixelRatio > 1 ? 512 : 256)

  function handleError() {
    setState('failed')
    if (tries >= MAX_TRIES) return
    setTimeout(() => {
      setTries(tries + 1)
      setState('loading')
    }, RETRY_DELAY)
  }

  return (
    <>
      {state !== 'drawn' && <FileTypeSheet filename={file.name} size={54} />}
      {address && state !== 'failed' && (
        <img
          key={tries}
          className={styles.picture}
          data-drawn={state === 'drawn' || undefined}
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setState('drawn')}
          onError={handleError}
        />
      )}
      {state === 'drawn' && <PictureLabel filename={file.name} />}
    </>
  )
}
