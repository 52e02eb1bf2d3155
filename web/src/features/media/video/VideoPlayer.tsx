import type { MediaFile } from '@alcove/contract/media'
import { Button } from '@mantine/core'
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
import { findThumbnailSource } from '../../../items/thumbnails/thumbnails.ts'
import { usePicture } from '../../../preview/use-picture.ts'
import { FileTypeSheet } from '../../../ui/FileTypeSheet.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { downloadMedia } from '../download-media.ts'
import { pause as pauseMusic } from '../player/player.ts'
import { fileOf } from './file-of.ts'
import { isNearEnd } from './is-near-end.ts'
import { NextUp } from './NextUp.tsx'
import { isWorthResuming } from './resume-place.ts'
import { useSubtitles } from './use-subtitles.ts'
import { useVideoSource } from './use-video-source.ts'
import styles from './VideoPlayer.module.css'

interface VideoPlayerProps {
  readonly video: MediaFile
  /** The user has asked for this video, so it begins by itself where the browser allows that. */
  readonly isAsked: boolean
  /** What comes behind it; undefined when it is the only one. */
  readonly next: MediaFile | undefined
  readonly onNext: () => void
}

/** To the player's own elements: it stays when the controls hide. */
const STAYS = { noautohide: '' }
/** Where in a video one is, is kept this often, in seconds. */
const REMEMBER_EVERY = 5

/** One video with controls of our own. It goes on where it was left, and music makes way for it. */
export function VideoPlayer({ video, isAsked, next, onNext }: VideoPlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  const rememberedAt = useRef(0)
  const [isEnding, setIsEnding] = useState(false)
  const source = useVideoSource(element, video.id, isAsked)
  const subtitles = useSubtitles(video.id)
  // Before the first picture of a film, which is often black, has come.
  const poster = usePicture(useMemo(() => findThumbnailSource(fileOf(video), 1280), [video]))

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
    return <LoadError text="This video could not be reached." isBusy={isFetching} onRetry={() => void refetch()} />
  }
  return (
    <MediaController className={styles.player} aria-label={video.filename}>
      {/* biome-ignore lint/a11y/useMediaCaption: there are some where the user has stored them beside it */}
      <video
        ref={element}
        slot="media"
        className={styles.screen}
        src={source.url}
        poster={poster}
        preload="metadata"
        playsInline
        aria-label={video.filename}
        onLoadedMetadata={() => {
          source.checkPictures()
          resume()
        }}
        onTimeUpdate={follow}
        onLoadedData={source.goOn}
        onPlay={() => {
          source.noteWish(true)
          pauseMusic()
        }}
        onPause={() => {
          source.noteWish(false)
          if (element.current) setVideoPlace(video.id, element.current.currentTime)
        }}
        onEnded={() => {
          setVideoPlace(video.id, 0)
          onNext()
        }}
        onError={source.onError}
      >
        {/* The name by which the controls know it. */}
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
      <p role="alert">This browser cannot play this video. It can be downloaded and watched with another program.</p>
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

/** It can be on or off, which buttons cannot tell; and its hint has other words than its name. */
function markAsSwitch(button: HTMLElement | null): void {
  button?.setAttribute('role', 'switch')
}
