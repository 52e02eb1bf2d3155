import { playPlaylist } from '../../../player/play-playlist.ts'
import type { StreamSource } from '../media-file.ts'

/** The events of the track that the deck plays. */
export interface DeckEvents {
  readonly onPlaying: () => void
  readonly onPaused: () => void
  readonly onWaiting: () => void
  readonly onTime: (seconds: number, duration: number) => void
  readonly onEnded: () => void
  readonly onFailed: () => void
}

/** One of the two audio elements of the deck, with its source. */
interface Player {
  readonly element: HTMLAudioElement
  url: string | undefined
  /** Resolves once the element can play. */
  ready: Promise<void>
  /** Whether the prepared source turned out to be unplayable. */
  hasFailed: boolean
  detach: () => void
}

/**
 * Plays one source after another without a gap. Two audio elements take turns: while one plays, the other fetches the
 * next source. Volume and speed apply to both.
 */
export function createAudioDeck(events: DeckEvents) {
  let playing = createPlayer()
  let waiting = createPlayer()
  /** Whether the user wants to hear it. It may have to be loaded first. */
  let isWanted = false

  function createPlayer(): Player {
    const element = new Audio()
    element.preload = 'auto'
    const player: Player = { element, url: undefined, ready: Promise.resolve(), hasFailed: false, detach: () => {} }
    const whenHeard = (name: keyof HTMLMediaElementEventMap, tell: () => void) =>
      element.addEventListener(name, () => player === playing && player.url !== undefined && tell())
    const tellTime = () => events.onTime(element.currentTime, Number.isFinite(element.duration) ? element.duration : 0)
    whenHeard('playing', () => !element.paused && events.onPlaying())
    whenHeard('pause', () => !element.ended && events.onPaused())
    whenHeard('waiting', events.onWaiting)
    whenHeard('timeupdate', tellTime)
    whenHeard('durationchange', tellTime)
    whenHeard('seeked', tellTime)
    whenHeard('ended', events.onEnded)
    return player
  }

  function fail(player: Player, url: string): void {
    if (player.url !== url) return
    if (player === playing) events.onFailed()
    else player.hasFailed = true
  }

  function put(player: Player, { url, isPlaylist }: StreamSource, at: number): void {
    release(player)
    const { element } = player
    player.url = url
    if (isPlaylist) {
      player.ready = new Promise((resolve) => {
        player.detach = playPlaylist(element, url, { at, onAttached: resolve, onFailed: () => fail(player, url) })
      })
      return
    }
    const onError = () => fail(player, url)
    element.addEventListener('error', onError)
    player.detach = () => element.removeEventListener('error', onError)
    element.src = url
    element.load()
    if (at > 0) element.currentTime = at
  }

  return {
    /** Loads a source at a position in seconds, and stops the previous one. */
    load(source: StreamSource, at = 0): void {
      if (waiting.url !== source.url || waiting.hasFailed) {
        put(playing, source, at)
        return
      }
      playing.element.pause()
      const before = playing
      playing = waiting
      waiting = before
      if (playing.element.currentTime !== at) playing.element.currentTime = at
      release(waiting)
    },

    /** Fetches the next source, so that it can start without a gap. */
    prepare(source: StreamSource): void {
      if (waiting.url !== source.url) put(waiting, source, 0)
    },

    /** Plays. Rejects if the browser refuses autoplay. */
    async play(): Promise<void> {
      const { element, ready, url } = playing
      isWanted = true
      await ready
      if (isWanted && playing.element === element && playing.url === url) await element.play()
    },
    pause(): void {
      isWanted = false
      playing.element.pause()
    },

    /** Stops and releases the source, but not the one that is fetched ahead. */
    stop: () => release(playing),

    seek(seconds: number): void {
      playing.element.currentTime = seconds
    },

    /** Sets the volume from 0 to 1, and the speed as a factor. */
    adjust({ volume, isMuted, speed }: { volume: number; isMuted: boolean; speed: number }): void {
      for (const { element } of [playing, waiting]) {
        element.volume = volume
        element.muted = isMuted
        element.defaultPlaybackRate = speed
        element.playbackRate = speed
      }
    },

    /** Stops and releases both sources. */
    eject(): void {
      release(playing)
      release(waiting)
    },
  }
}

export type AudioDeck = ReturnType<typeof createAudioDeck>

function release(player: Player): void {
  player.url = undefined
  player.hasFailed = false
  player.ready = Promise.resolve()
  player.detach()
  player.detach = () => {}
  // This stops the sound without a pause event, which would be attributed to the next source.
  player.element.removeAttribute('src')
  player.element.load()
}
