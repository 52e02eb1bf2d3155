import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { playPlaylist } from '../../player/play-playlist.ts'
import type { PreviewItem } from '../preview-item.ts'

/** An address is taken to have been good when it failed sooner than this: then the file itself is the matter. */
const YOUNG = 60_000

interface MediaSourceOptions {
  /** It begins by itself, as far as the browser lets it. */
  readonly isBegun: boolean
  /** Its address cannot be had. */
  readonly onUnreachable: () => void
  /** There is no other way to play it. */
  readonly onUnplayable: () => void
}

/**
 * From where a film or a sound plays: the bytes as they are, under an address that is replaced when it has expired in the
 * middle; and where the browser fails with them, one playlist after the other.
 */
export function useMediaSource(
  media: RefObject<HTMLMediaElement | null>,
  item: PreviewItem,
  { isBegun, onUnreachable, onUnplayable }: MediaSourceOptions,
) {
  const [src, setSrc] = useState<string>()
  const [playlist, setPlaylist] = useState<string>()
  const since = useRef(0)
  const place = useRef(0)
  const isWanted = useRef(isBegun)
  const playlists = useRef<string[]>(undefined)
  const tellUnreachable = useEffectEvent(onUnreachable)
  const tellUnplayable = useEffectEvent(onUnplayable)

  const take = useCallback(
    async (isFresh: boolean) => {
      const url = await item.url({ isFresh })
      since.current = performance.now()
      setSrc(url)
    },
    [item],
  )
  useEffect(() => {
    take(false).catch(() => tellUnreachable())
  }, [take])

  const changeWay = useEffectEvent(async ({ isNeeded = true } = {}) => {
    isWanted.current ||= media.current?.paused === false
    playlists.current ??= [...((await item.playlists?.().catch(() => [])) ?? [])]
    const next = playlists.current.shift()
    if (next === undefined) return isNeeded ? tellUnplayable() : undefined
    setSrc(undefined)
    setPlaylist(next)
  })

  useEffect(() => {
    const element = media.current
    if (!element || (src === undefined && playlist === undefined)) return
    // A browser may refuse what nobody asked for. The button is there.
    const begin = () => void (isWanted.current && element.play().catch(() => {}))
    if (playlist === undefined) return begin()
    return playPlaylist(element, playlist, { onAttached: begin, onFailed: () => void changeWay() })
  }, [media, src, playlist])

  return {
    src,
    /** Goes on after an error of the element at `seconds`, one way or another. What plays a playlist tells its errors itself. */
    recover: (seconds: number): void => {
      if (src === undefined) return
      if (performance.now() - since.current < YOUNG) return void changeWay()
      place.current = seconds
      take(true).catch(() => tellUnreachable())
    },
    /** Goes on where it stopped before the new address. Where only the sound of a film is played, a playlist may do better. */
    resume: (element: HTMLMediaElement): void => {
      const lacksPictures = element instanceof HTMLVideoElement && element.videoWidth === 0
      if (src !== undefined && lacksPictures) return void changeWay({ isNeeded: false })
      if (place.current === 0) return
      element.currentTime = place.current
      place.current = 0
      void element.play().catch(() => {})
    },
  }
}
