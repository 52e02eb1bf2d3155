import { useRef, useState } from 'react'
import { FileTypeSheet } from '../../FileTypeSheet.tsx'
import { canFetch } from '../fetch-bytes.ts'
import { PreviewSpinner } from '../PreviewSpinner.tsx'
import { previewKindOf } from '../preview-kind.ts'
import { useViewKeys } from '../use-view-keys.ts'
import type { ViewerProps } from '../viewer.ts'
import styles from './MediaViewer.module.css'
import { useMediaSource } from './use-media-source.ts'

/** Plays sound and film with the browser's own controls. */
export function MediaViewer({ item, isInline, onFail }: ViewerProps) {
  const isVideo = previewKindOf(item.name) === 'video'
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const [isReady, setIsReady] = useState(false)
  const { src, resume, recover } = useMediaSource(media, item, {
    isBegun: !isInline,
    onUnreachable: () => onFail('unreachable'),
    onUnplayable: () => void explain(),
  })

  async function explain() {
    onFail((await canFetch(item)) ? 'unplayable' : 'unreachable')
  }

  function togglePlaying() {
    const element = media.current
    if (!element) return
    if (element.paused) void element.play().catch(() => {})
    else element.pause()
  }
  useViewKeys({ ' ': togglePlaying }, { isEnabled: !isInline })

  const shared = {
    ref: media,
    src,
    controls: true,
    preload: 'metadata',
    'aria-label': item.name,
    onLoadedMetadata: () => {
      setIsReady(true)
      if (media.current) resume(media.current)
    },
    onError: () => recover(media.current?.currentTime ?? 0),
  } as const
  return (
    <div className={styles.place}>
      {!isReady && <PreviewSpinner />}
      {isVideo ? (
        <video {...shared} className={styles.video} data-ready={isReady || undefined} playsInline />
      ) : (
        <div className={styles.audio}>
          <FileTypeSheet filename={item.name} size={96} />
          <p className={styles.name}>{item.name}</p>
          <audio {...shared} className={styles.player} />
        </div>
      )}
    </div>
  )
}
