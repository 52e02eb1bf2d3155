import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useStream } from './use-stream.ts'

/** The file as it is, or parts of it that the server makes playable, or nothing that could be played. */
type Way = 'file' | 'hls' | 'unplayable'

/** A browser that takes no parts from scripts plays playlists by itself. */
const TAKES_PARTS = 'MediaSource' in window || 'ManagedMediaSource' in window

/** What a video element plays: what the server thinks best, and where that fails, whatever else there is. */
export function useVideoSource(element: RefObject<HTMLVideoElement | null>, id: string, isAsked: boolean) {
  const { stream, error, isFetching, refetch, renew } = useStream(id)
  const [found, setFound] = useState<Way>()
  const way = found ?? stream?.kind
  const playlist = way === 'hls' ? stream?.playlist : undefined
  const url = way === 'file' ? stream?.url : undefined

  /** Another source makes the element forget that it was to play. */
  const isWanted = useRef(isAsked)
  const noteWish = (isOn: boolean) => {
    // A source that fails pauses too, and nobody has asked for that.
    if (isOn || !element.current?.error) isWanted.current = isOn
  }

  useEffect(() => {
    if (!isAsked) return
    isWanted.current = true
    if (element.current?.currentSrc) begin(element.current)
  }, [element, isAsked])

  const fail = useRef(async () => {})
  fail.current = async () => {
    if (await renew()) return
    setFound(way === 'file' && stream?.playlist !== undefined ? 'hls' : 'unplayable')
  }
  const onFailed = useCallback(() => void fail.current(), [])

  useEffect(() => {
    const video = element.current
    if (video && url && isWanted.current) begin(video)
  }, [element, url])

  useEffect(() => {
    const video = element.current
    if (!video || !playlist) return
    let isOver = false
    let detach = () => {}
    async function attach(into: HTMLVideoElement, address: string): Promise<void> {
      if (!TAKES_PARTS) {
        into.src = address
      } else {
        const { attachHls } = await import('./attach-hls.ts')
        if (isOver) return
        detach = attachHls(into, address, onFailed)
      }
      if (isWanted.current) begin(into)
    }
    attach(video, playlist).catch(onFailed)
    return () => {
      isOver = true
      detach()
    }
  }, [element, playlist, onFailed])

  /** A file whose sound alone is played has pictures that this browser does not know. */
  const checkPictures = () => {
    if (way === 'file' && stream?.playlist !== undefined && element.current?.videoWidth === 0) setFound('hls')
  }
  // What feeds it with parts hears of its errors itself, and may mend them.
  const onError = way === 'hls' && TAKES_PARTS ? undefined : onFailed
  return { url, isUnplayable: way === 'unplayable', error, isFetching, refetch, onError, noteWish, checkPictures }
}

/** Autoplay is only attempted: where the browser refuses it, the button is there. */
function begin(video: HTMLVideoElement): void {
  video.play().catch((refusal: unknown) => {
    if (refusal instanceof DOMException && refusal.name === 'NotAllowedError') {
      console.warn('The browser did not start the video by itself:', refusal.message)
    }
  })
}
