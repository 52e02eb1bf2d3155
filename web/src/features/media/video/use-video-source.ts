import { getStreamUrl } from '@alcove/contract/media'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { send } from '../../../api/api.ts'
import { ownAddress } from '../../../api/file-address.ts'
import { playPlaylist } from '../../../player/play-playlist.ts'
import { sourcesOf } from '../media-file.ts'

/** Chooses what a video element plays: the best source of the server, and after a failure the next one. */
export function useVideoSource(element: RefObject<HTMLVideoElement | null>, id: string, isAsked: boolean) {
  const { stream, error, isFetching, refetch, renew } = useStream(id)
  /** How many sources have failed. */
  const [tried, setTried] = useState(0)
  const source = stream?.sources[tried]
  const playlist = source?.isPlaylist ? source.url : undefined
  const url = source?.isPlaylist ? undefined : source?.url

  /** Whether the video should play. The element forgets this when its source changes. */
  const isWanted = useRef(isAsked)
  const setWanted = (isPlaying: boolean) => {
    // The element also pauses when its source fails or changes, without the user having paused it.
    const { error, readyState } = element.current ?? {}
    if (isPlaying || (!error && readyState)) isWanted.current = isPlaying
  }
  /** Resumes playback that started while the source was changing, which the element may have forgotten too. */
  const resume = () => {
    if (isWanted.current && element.current?.paused) begin(element.current)
  }

  // Listens to the controls too: if the source changes at that moment, the element fires no event for playing.
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

  /** If only the sound of a file plays, the browser doesn't support its video codec. */
  const checkPictures = () => {
    const hasOther = stream !== undefined && tried + 1 < stream.sources.length
    if (url !== undefined && hasOther && element.current?.videoWidth === 0) setTried(tried + 1)
  }
  return {
    ...{ url, error, isFetching, refetch, setWanted, resume, checkPictures },
    storyboard: stream?.storyboard,
    isUnplayable: stream !== undefined && source === undefined,
    // The HLS player handles its errors itself, and may recover from them.
    onError: url === undefined ? undefined : onFailed,
  }
}

/** Tries to play. If the browser refuses autoplay, the user has to press Play. */
function begin(video: HTMLVideoElement): void {
  video.play().catch((refusal: unknown) => {
    if (refusal instanceof DOMException && refusal.name === 'NotAllowedError') {
      console.warn('The browser blocked autoplay of the video:', refusal.message)
    }
  })
}

/** Addresses are valid for six hours. They are refetched a little earlier, in milliseconds. */
const FRESH = 5 * 3600_000
/** If an address fails sooner than this, the video is the problem and not the address, in milliseconds. */
const YOUNG = 60_000

/** Queries the sources of a video. `renew` fetches new addresses, once, and returns false if that is pointless. */
function useStream(id: string) {
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['stream', id],
    queryFn: async ({ signal }) => {
      const stream = await send(getStreamUrl, { id }, { signal })
      return { sources: sourcesOf(stream), storyboard: stream.storyboard && ownAddress(stream.storyboard) }
    },
    staleTime: FRESH,
    gcTime: FRESH,
  })
  const isRenewed = useRef(false)

  async function renew(): Promise<boolean> {
    if (isRenewed.current || Date.now() - dataUpdatedAt < YOUNG) return false
    isRenewed.current = true
    return (await refetch()).isSuccess
  }
  return { stream: data, error, isFetching, refetch, renew }
}
