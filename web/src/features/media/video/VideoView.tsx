import type { MediaFile } from '@alcove/contract/media'
import { Button } from '@mantine/core'
import { IconArrowsShuffle, IconPlayerSkipBackFilled, IconPlayerSkipForwardFilled } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { TelevisionNiche } from '../../../ui/art/media-niches.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { SharedBy } from '../../../ui/SharedBy.tsx'
import { EmptyMedia, MediaSkeleton } from '../MediaStates.tsx'
import { useVideo } from '../queries.ts'
import { VideoList } from './VideoList.tsx'
import { VideoPlayer } from './VideoPlayer.tsx'
import styles from './VideoView.module.css'
import { nextVideo, previousVideo } from './video-rules.ts'

interface VideoViewProps {
  /** The button that an empty library shows. */
  readonly emptyAction: ReactNode
}

/** The Video screen: the player, with all videos beside it. */
export function VideoView({ emptyAction }: VideoViewProps) {
  const { data: videos, error, isFetching, refetch } = useVideo()
  useEffect(() => {
    if (error) console.error("Couldn't load the videos.", error)
  }, [error])

  if (videos && videos.length > 0) return <Theater videos={videos} />
  if (videos) {
    return (
      <EmptyMedia
        art={<TelevisionNiche />}
        title="No videos yet"
        hint="Upload a film, a clip or a screen recording. It plays here, without a download."
        action={emptyAction}
      />
    )
  }
  if (error) return <LoadError text="Couldn't load your videos." isBusy={isFetching} onRetry={() => void refetch()} />
  return <MediaSkeleton kind="video" text="Loading videos..." />
}

function Theater({ videos }: { readonly videos: readonly MediaFile[] }) {
  // Nothing plays by itself until the user has chosen a video.
  const [current, setCurrent] = useState({ id: videos[0]?.id, index: 0, isChosen: false })
  const [isShuffled, setIsShuffled] = useState(false)
  const found = videos.findIndex(({ id }) => id === current.id)
  // If the video is gone, the one behind it is shown, and waits for the user.
  const index = found === -1 ? current.index % videos.length : found
  const video = videos[index] as MediaFile
  if (index !== current.index || found === -1)
    setCurrent({ id: video.id, index, isChosen: current.isChosen && found !== -1 })

  const show = (next: number) => setCurrent({ id: videos[next]?.id, index: next, isChosen: true })
  // Drawn when the video begins, so that the announced video is the one that follows.
  const next = useMemo(() => nextVideo(index, videos.length, isShuffled), [index, videos.length, isShuffled])
  const showNext = () => show(next)
  const showPrevious = () => show(previousVideo(index, videos.length))

  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <VideoPlayer
          key={video.id}
          video={video}
          isAsked={current.isChosen}
          next={next === index ? undefined : videos[next]}
          onNext={showNext}
          onPrevious={showPrevious}
        />
        <div className={styles.below}>
          <div className={styles.details}>
            <p className={styles.position}>
              {formatCount(index + 1)}/{formatCount(videos.length)}
            </p>
            <h2 className={styles.name}>
              <ItemName name={video.filename} />
            </h2>
            {video.sharedBy && (
              <p className={styles.position}>
                <SharedBy sharedBy={video.sharedBy} />
              </p>
            )}
          </div>
          <div className={styles.controls}>
            <Button variant="default" leftSection={<IconPlayerSkipBackFilled size={18} />} onClick={showPrevious}>
              Previous
            </Button>
            <Button variant="default" rightSection={<IconPlayerSkipForwardFilled size={18} />} onClick={showNext}>
              Next
            </Button>
            <Button
              className={styles.shuffle}
              data-on={isShuffled || undefined}
              variant="default"
              aria-pressed={isShuffled}
              leftSection={<IconArrowsShuffle size={18} stroke={1.75} />}
              onClick={() => setIsShuffled(!isShuffled)}
            >
              {isShuffled ? 'Shuffle On' : 'Shuffle Off'}
            </Button>
          </div>
        </div>
      </div>
      <VideoList videos={videos} index={index} onChoose={show} />
    </div>
  )
}
