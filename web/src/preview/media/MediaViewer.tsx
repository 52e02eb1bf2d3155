import { previewKindOf } from '@alcove/contract/preview-kind'
import {
  MediaControlBar,
  MediaController,
  MediaFullscreenButton,
  MediaLoadingIndicator,
  MediaMuteButton,
  MediaPlayButton,
  MediaTimeDisplay,
  MediaTimeRange,
  MediaVolumeRange,
} from 'media-chrome/react'
import { useEffect, useRef, useState } from 'react'
import { useSound } from '../../player/use-sound.ts'
import { CoverArt } from '../../ui/CoverArt.tsx'
import { canFetch } from '../fetch-bytes.ts'
import type { MediaTags, PreviewItem, ViewerProps } from '../preview-item.ts'
import { usePicture } from '../use-picture.ts'
import { PreviewSpinner, useViewKeys } from '../viewer-parts.tsx'
import styles from './MediaViewer.module.css'
import { useMediaSource } from './use-media-source.ts'

/** Plays audio and video with our own controls; audio with its cover, title, artist and album. */
export function MediaViewer({ item, isInline, isBegun, onFail }: ViewerProps) {
  const isVideo = previewKindOf(item.name) === 'video'
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const [isReady, setIsReady] = useState(false)
  const tags = useTags(item)
  const sound = useSound(media, { title: tags?.title ?? item.name, artist: tags?.artist, album: tags?.album })
  const { src, resume, recover } = useMediaSource(media, item, {
    isBegun,
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
    slot: 'media',
    preload: 'metadata',
    'aria-label': item.name,
    ...sound,
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
        <MediaController className={styles.film} data-ready={isReady || undefined} noHotkeys>
          <video {...shared} className={styles.video} playsInline />
          <MediaLoadingIndicator slot="centered-chrome" noAutohide />
          <div className={styles.shade} />
          <Controls isVideo />
        </MediaController>
      ) : (
        <div className={styles.audio}>
          <Cover name={item.name} tags={tags} />
          <p className={styles.name}>{tags?.title ?? item.name}</p>
          <p className={styles.byline}>{[tags?.artist, tags?.album].filter(Boolean).join(' · ')}</p>
          <MediaController className={styles.player} audio noHotkeys>
            <audio {...shared} />
            <Controls />
          </MediaController>
        </div>
      )}
    </div>
  )
}

/** `data-own-keys` keeps the arrow keys for seeking and the volume; they don't change the file. */
function Controls({ isVideo = false }: { readonly isVideo?: boolean }) {
  return (
    <div className={styles.controls} data-own-keys>
      <MediaTimeRange className={styles.time} />
      <MediaControlBar className={styles.bar}>
        <MediaPlayButton />
        <MediaMuteButton />
        <MediaVolumeRange className={styles.volume} />
        <MediaTimeDisplay className={styles.clock} showDuration noToggle />
        <span className={styles.space} />
        {isVideo && <MediaFullscreenButton />}
      </MediaControlBar>
    </div>
  )
}

function Cover({ name, tags }: { readonly name: string; readonly tags: MediaTags | undefined }) {
  const picture = usePicture(tags?.cover)
  if (picture) return <img className={styles.cover} src={picture} alt="" />
  return <CoverArt className={styles.cover ?? ''} name={name} />
}

/** Returns the metadata of a file once it is loaded. Failures are ignored, because the preview works without it. */
function useTags(item: PreviewItem): MediaTags | undefined {
  const [found, setFound] = useState<{ readonly id: string; readonly tags: MediaTags }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each list has new item objects
  useEffect(() => {
    let isOver = false
    item.tags?.().then(
      (tags) => !isOver && setFound({ id: item.id, tags }),
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [item.id])
  return found?.id === item.id ? found.tags : undefined
}
