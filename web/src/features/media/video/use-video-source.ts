import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { playPlaylist } from '../../../player/play-playlist.ts'
import { useStream } from './use-stream.ts'

/** What a video element plays: what the server thinks best, and where that fails, whatever else there is. */
export function useVideoSource(element: RefObject<HTMLVideoElement | null>, id: string, isAsked: boolean) {
  const { stream, error, isFetching, refetch, renew } = useStream(id)
  /** How many of the sources have failed. */
  const [tried, setTried] = useState(0)
  const source = stream?.sources[tried]
  const playlist = source?.isPlaylist ? source.url : undefined
  const url = source?.isPlaylist ? undefined : source?.url

  /** Another source makes the element forget that it was to play. */
  const isWanted = useRef(isAsked)
  const noteWish = (isOn: boolean) => {
    // A source that fails or makes way for another pauses too, and nobody has asked for that.
    const { error, readyState } = element.current ?? {}
    if (isOn || (!error && readyState)) isWanted.current = isOn
  }
  /** What was begun before, while one source made way for another, may have been forgotten once more. */
  const goOn = () => {
    if (isWanted.current && element.current?.paused) begin(element.current)
  }

  // The controls are heard too: where the source changes at that moment, the element never says that it was to play.
  useEffect(() => {
    const controls = element.current?.closest('media-controller')
    const play = () => {
      isWanted.current = true
    }
    const pause = () => {
      isWanted.current = false
    }
    controls?.addEventListener('mediaplayrequest', play)
    controls?.addEventListener('mediapauserequest', pause)
    return () => {
      controls?.removeEventListener('mediaplayrequest', play)
      controls?.removeEventListener('mediapauserequest', pause)
    }
  }, [element])

  useEffect(() => {
    if (!isAsked) return
    isWanted.current = true
    if (element.current?.currentSrc) begin(element.current)
  }, [element, isAsked])

  const fail = useRef(async () => {})
  fail.current = async () => {
    if (!(await renew())) setTried(tried + 1)
  }
  const onFailed = useCallback(() => void fail.current(), [])

  useEffect(() => {
    const video = element.current
    if (video && url && isWanted.current) begin(video)
  }, [element, url])

  useEffect(() => {
    const video = element.current
    if (!video || !playlist) return
    return playPlaylist(video, playlist, { onAttached: () => isWanted.current && begin(video), onFailed })
  }, [element, playlist, onFailed])

  /** A file whose sound alone is played has pictures that this browser does not know. */
  const checkPictures = () => {
    const hasOther = stream !== undefined && tried + 1 < stream.sources.length
    if (url !== undefined && hasOther && element.current?.videoWidth === 0) setTried(tried + 1)
  }
  return {
    ...{ url, error, isFetching, refetch, noteWish, goOn, checkPictures },
    storyboard: stream?.storyboard,
    isUnplayable: stream !== undefined && source === undefined,
    // What plays a playlist hears of its errors itself, and may mend them.
    onError: url === undefined ? undefined : onFailed,
  }
}

/** Autoplay is only attempted: where the browser refuses it, the button is there. */
function begin(video: HTMLVideoElement): void {
  video.play().catch((refusal: unknown) => {
    if (refusal instanceof DOMException && refusal.name === 'NotAllowedError') {
      console.warn('The browser did not start the video by itself:', refusal.message)
    }
  })
}
