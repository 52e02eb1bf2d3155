import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { playPlaylist } from '../../player/play-playlist.ts'
import type { PreviewItem } from '../preview-item.ts'

/** An address that fails sooner can't have expired, so the browser can't play the file. In milliseconds. */
const YOUNG = 60_000

interface MediaSourceOptions {
  /** Playback starts without a click, if the browser allows it. */
  readonly isBegun: boolean
  /** Called if the address can't be fetched. */
  readonly onUnreachable: () => void
  /** Called if the file can't be played, not even as a playlist. */
  readonly onUnplayable: () => void
}

/**
 * Chooses the source of a media element: the file itself, whose address is renewed when it has expired during playback,
 * and if the browser can't play that, one playlist after the other.
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
    // The browser may refuse to play without a click. The user can still press Play.
    const begin = () => void (isWanted.current && element.play().catch(() => {}))
    if (playlist === undefined) return begin()
    return playPlaylist(element, playlist, { onAttached: begin, onFailed: () => void changeWay() })
  }, [media, src, playlist])

  return {
    src,
    /** Continues after an error of the element at `seconds`. Errors of playlists are handled by `playPlaylist`. */
    recover: (seconds: number): void => {
      if (src === undefined) return
      if (performance.now() - since.current < YOUNG) return void changeWay()
      place.current = seconds
      take(true).catch(() => tellUnreachable())
    },
    /** Continues at the position before the new address. If a video plays without its picture, a playlist is tried. */
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
