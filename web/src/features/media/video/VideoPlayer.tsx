import { getDownloadUrl } from '@alcove/contract/bytes'
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
import { useRef } from 'react'
import { send } from '../../../lib/api.ts'
import { downloadFrom } from '../../../lib/browser-download.ts'
import { sentenceOf } from '../../../lib/sentence-of.ts'
import { getVideoPlace, setVideoPlace } from '../../../lib/session.ts'
import { FileTypeSheet } from '../../../ui/FileTypeSheet.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { notifyError } from '../../../ui/notify.tsx'
import { pause as pauseMusic } from '../player/player.ts'
import { isWorthResuming } from './resume-place.ts'
import { useSubtitles } from './use-subtitles.ts'
import { useVideoSource } from './use-video-source.ts'
import styles from './VideoPlayer.module.css'

interface VideoPlayerProps {
  readonly video: MediaFile
  /** The user has asked for this video, so it begins by itself where the browser allows that. */
  readonly isAsked: boolean
  readonly onEnded: () => void
}

/** Where in a video one is, is kept this often, in seconds. */
const REMEMBER_EVERY = 5

/** One video with controls of our own. It goes on where it was left, and music makes way for it. */
export function VideoPlayer({ video, isAsked, onEnded }: VideoPlayerProps) {
  const element = useRef<HTMLVideoElement>(null)
  const rememberedAt = useRef(0)
  const source = useVideoSource(element, video.id, isAsked)
  const subtitles = useSubtitles(video.id)

  function resume() {
    const player = element.current
    const place = getVideoPlace(video.id)
    if (player && isWorthResuming(place, player.duration)) player.currentTime = place
  }

  function remember() {
    const player = element.current
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
        preload="metadata"
        playsInline
        aria-label={video.filename}
        onLoadedMetadata={() => {
          source.checkPictures()
          resume()
        }}
        onTimeUpdate={remember}
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
          onEnded()
        }}
        onError={source.onError}
      >
        {subtitles.map(({ id, label, language, url: text }) => (
          <track key={id} kind="subtitles" label={label} srcLang={language} src={text} />
        ))}
      </video>
      <MediaLoadingIndicator slot="centered-chrome" noAutohide />
      <div className={styles.shade} />
      <MediaTimeRange className={styles.time} />
      <MediaControlBar className={styles.bar}>
        <MediaPlayButton />
        <MediaMuteButton />
        <MediaVolumeRange className={styles.volume} />
        <MediaTimeDisplay showDuration noToggle />
        <span className={styles.space} />
        {subtitles.length > 0 && <MediaCaptionsButton />}
        <MediaPipButton />
        <MediaFullscreenButton />
      </MediaControlBar>
    </MediaController>
  )
}

async function download({ id, filename }: MediaFile): Promise<void> {
  try {
    downloadFrom((await send(getDownloadUrl, { id })).url)
  } catch (error) {
    notifyError(sentenceOf(error) ?? `"${filename}" could not be downloaded. Check your connection, then try again.`)
  }
}

function Unplayable({ video }: { readonly video: MediaFile }) {
  return (
    <div className={styles.unplayable}>
      <FileTypeSheet filename={video.filename} size={72} />
      <p role="alert">This browser cannot play this video. It can be downloaded and watched with another program.</p>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} stroke={1.75} />}
        onClick={() => void download(video)}
      >
        Download
      </Button>
    </div>
  )
}
