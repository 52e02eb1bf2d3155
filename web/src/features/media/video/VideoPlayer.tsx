import type { MediaFile } from '@alcove/contract/media'
import { Button, VisuallyHidden } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import {
  MediaCaptionsButton,
  MediaControlBar,
  MediaController,
  MediaFullscreenButton,
  MediaLoadingIndicator,
  MediaMuteButton,
  MediaPipButton,
  MediaPlayButton,
  MediaTimeDisplay,
  MediaTimeRange,
  MediaVolumeRange,
} from 'media-chrome/react'
import { useMemo, useRef, useState } from 'react'
import { getVideoPlace, setVideoPlace } from '../../../api/session.ts'
import { findThumbnailSource } from '../../../items/thumbnails.ts'
import { Thumbnail } from '../../../items/tiles/Thumbnail.tsx'
import { useSound } from '../../../player/use-sound.ts'
import { usePicture } from '../../../preview/use-picture.ts'
import { FileTypeSheet } from '../../../ui/FileTypeSheet.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { downloadMedia, fileOf } from '../media-file.ts'
import { useSubtitles } from './use-subtitles.ts'
import { useVideoSource } from './use-video-source.ts'
import styles from './VideoPlayer.module.css'
import { isNearEnd, isWorthResuming } from './video-rules.ts'

interface VideoPlayerProps {
  readonly video: MediaFile
  /** Whether the user chose this video. Then it starts by itself if the browser allows it. */
  readonly isAsked: boolean
  /** The next video; undefined if this is the only one. */
  readonly next: MediaFile | undefined
  readonly onNext: () => void
  readonly onPrevious: () => void
}

/** Tells the player to keep an element visible when the controls hide. */
const STAYS = { noautohide: '' }
/** How often the position in the video is remembered, in seconds. */
const REMEMBER_EVERY = 5

/** A video with our own controls. Resumes where the user left it. */
export function VideoPlayer({ video, isAsked, next, onNext, onPrevious }: VideoPlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  const rememberedAt = useRef(0)
  const [isEnding, setIsEnding] = useState(false)
  const source = useVideoSource(element, video.id, isAsked)
  const subtitles = useSubtitles(video.id)
  // Shown before the first frame, which is often black.
  const poster = usePicture(useMemo(() => findThumbnailSource(fileOf(video), 1280), [video]))
  const sound = useSound(element, { title: video.filename, artwork: poster, onNext, onPrevious })

  function resume() {
    const player = element.current
    const place = getVideoPlace(video.id)
    if (player && isWorthResuming(place, player.duration)) player.currentTime = place
  }

  function follow() {
    const player = element.current
    if (player) setIsEnding(isNearEnd(player))
    if (!player || Math.abs(player.currentTime - rememberedAt.current) < REMEMBER_EVERY) return
    rememberedAt.current = player.currentTime
    setVideoPlace(video.id, player.currentTime)
  }

  if (source.isUnplayable) return <Unplayable video={video} />
  if (source.error) {
    const { isFetching, refetch } = source
    return <LoadError text="Couldn't load this video." isBusy={isFetching} onRetry={() => void refetch()} />
  }
  return (
    <MediaController className={styles.player} aria-label={video.filename}>
      <video
        ref={element}
        slot="media"
        className={styles.screen}
        src={source.url}
        poster={poster}
        preload="metadata"
        playsInline
        aria-label={video.filename}
        {...sound}
        onLoadedMetadata={() => {
          source.checkPictures()
          resume()
        }}
        onTimeUpdate={follow}
        onLoadedData={source.resume}
        onPlay={() => {
          source.setWanted(true)
          sound.onPlay()
        }}
        onPause={() => {
          source.setWanted(false)
          sound.onPause()
          if (element.current) setVideoPlace(video.id, element.current.currentTime)
        }}
        onEnded={() => {
          setVideoPlace(video.id, 0)
          onNext()
        }}
        onError={source.onError}
      >
        {/* The controls look for a track with this label. */}
        {source.storyboard && <track kind="metadata" label="thumbnails" src={source.storyboard} default />}
        {subtitles.map(({ id, label, language, url: text }) => (
          <track key={id} kind="subtitles" label={label} srcLang={language} src={text} />
        ))}
      </video>
      <MediaLoadingIndicator slot="centered-chrome" noAutohide />
      <div className={styles.shade} />
      {isEnding && next && (
        <div {...STAYS}>
          <NextUp video={next} onPlay={onNext} />
        </div>
      )}
      <MediaTimeRange className={styles.time} />
      <MediaControlBar className={styles.bar}>
        <MediaPlayButton />
        <MediaMuteButton />
        <MediaVolumeRange className={styles.volume} />
        <MediaTimeDisplay className={styles.clock} showDuration noToggle />
        <span className={styles.space} />
        {subtitles.length > 0 && <MediaCaptionsButton ref={markAsSwitch} noTooltip />}
        <MediaPipButton />
        <MediaFullscreenButton />
      </MediaControlBar>
    </MediaController>
  )
}

function Unplayable({ video }: { readonly video: MediaFile }) {
  return (
    <div className={styles.unplayable}>
      <FileTypeSheet filename={video.filename} size={72} />
      <p role="alert">This browser can’t play this video. Download it to watch it in another program.</p>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} stroke={1.75} />}
        onClick={() => void downloadMedia(video)}
      >
        Download
      </Button>
    </div>
  )
}

/** Gives the captions button the role of a switch, because it is on or off. */
function markAsSwitch(button: HTMLElement | null): void {
  button?.setAttribute('role', 'switch')
}

interface NextUpProps {
  readonly video: MediaFile
  readonly onPlay: () => void
}

/** Names the next video over the end of the current one. A click plays it at once. */
function NextUp({ video, onPlay }: NextUpProps) {
  return (
    <button type="button" className={styles.card} onClick={onPlay}>
      <span className={styles.frame} aria-hidden>
        <Thumbnail file={fileOf(video)} />
      </span>
      <span className={styles.words}>
        <span className={styles.label}>Next up</span>
        {/* The whole name for screen readers, because the visible one is split in two. */}
        <VisuallyHidden>{video.filename}</VisuallyHidden>
        <span className={styles.name} aria-hidden>
          <ItemName name={video.filename} />
        </span>
      </span>
    </button>
  )
}
