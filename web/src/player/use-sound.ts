import { type RefObject, useEffect, useRef, useState } from 'react'
import { hasFocus, JUMP, releaseFocus, type Sound, takeFocus } from './audio-focus.ts'

interface SoundDetails {
  readonly title: string
  readonly artist?: string | undefined
  readonly album?: string | undefined
  /** The address of a picture. */
  readonly artwork?: string | undefined
  readonly onNext?: () => void
  readonly onPrevious?: () => void
}

/**
 * Pauses other sounds when a media element begins to play, and lets the media keys control it until it unmounts. Returns
 * the handlers of the element.
 */
export function useSound(media: RefObject<HTMLMediaElement | null>, details: SoundDetails) {
  const latest = useRef(details)
  latest.current = details
  const [sound] = useState(() => soundOf(media, latest))
  const update = () => {
    if (hasFocus(sound)) sound.show()
  }
  const { title, artist, album, artwork } = details
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what is shown
  useEffect(update, [sound, title, artist, album, artwork])
  useEffect(() => () => releaseFocus(sound), [sound])
  return {
    onPlay() {
      takeFocus(sound)
      update()
    },
    ...{ onPause: update, onDurationChange: update, onRateChange: update, onSeeked: update },
  }
}

function soundOf(media: RefObject<HTMLMediaElement | null>, details: RefObject<SoundDetails>): Sound {
  const { onNext, onPrevious } = details.current
  const seek = (find: (position: number) => number) => {
    if (media.current) media.current.currentTime = find(media.current.currentTime)
  }
  return {
    pause: () => media.current?.pause(),
    actions: {
      play: () => void media.current?.play().catch(() => {}),
      pause: () => media.current?.pause(),
      ...(onNext && { nexttrack: () => details.current.onNext?.() }),
      ...(onPrevious && { previoustrack: () => details.current.onPrevious?.() }),
      seekto: ({ seekTime }) => seek((position) => seekTime ?? position),
      seekbackward: ({ seekOffset }) => seek((position) => position - (seekOffset ?? JUMP)),
      seekforward: ({ seekOffset }) => seek((position) => position + (seekOffset ?? JUMP)),
    },
    show() {
      if (!media.current || !('mediaSession' in navigator)) return
      const { title, artist = '', album = '', artwork } = details.current
      const { paused, duration, currentTime, playbackRate } = media.current
      navigator.mediaSession.metadata = new MediaMetadata({
        ...{ title, artist, album, artwork: artwork ? [{ src: artwork }] : [] },
      })
      navigator.mediaSession.playbackState = paused ? 'paused' : 'playing'
      if (!(duration > 0 && Number.isFinite(duration))) return
      navigator.mediaSession.setPositionState({ duration, position: Math.min(currentTime, duration), playbackRate })
    },
  }
}
