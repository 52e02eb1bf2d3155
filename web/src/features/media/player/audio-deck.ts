import { playPlaylist } from '../../../player/play-playlist.ts'
import type { StreamSource } from '../stream-sources.ts'

/** What the deck tells of the track that it plays. */
export interface DeckEvents {
  readonly onPlaying: () => void
  readonly onPaused: () => void
  readonly onWaiting: () => void
  readonly onTime: (seconds: number, duration: number) => void
  readonly onEnded: () => void
  readonly onFailed: () => void
}

/** One of the two players of the deck, with what lies on it. */
interface Player {
  readonly element: HTMLAudioElement
  url: string | undefined
  /** Resolved once the element can be told to play. */
  ready: Promise<void>
  /** What it was given to play cannot be played, as has been found out ahead. */
  hasFailed: boolean
  detach: () => void
}

/**
 * Plays one source after another without a gap: two players take turns, and while one is heard, the other fetches what
 * comes next. Volume and speed are those of both.
 */
export function createAudioDeck(events: DeckEvents) {
  let playing = createPlayer()
  let waiting = createPlayer()

  function createPlayer(): Player {
    const element = new Audio()
    element.preload = 'auto'
    const player: Player = { element, url: undefined, ready: Promise.resolve(), hasFailed: false, detach: () => {} }
    const whenHeard = (name: keyof HTMLMediaElementEventMap, tell: () => void) =>
      element.addEventListener(name, () => player === playing && player.url !== undefined && tell())
    const tellTime = () => events.onTime(element.currentTime, Number.isFinite(element.duration) ? element.duration : 0)
    whenHeard('playing', events.onPlaying)
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
    /** Puts a track on, `at` so many seconds; what was heard before ends. */
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

    /** Fetches a track ahead, to be put on without a gap. */
    prepare(source: StreamSource): void {
      if (waiting.url !== source.url) put(waiting, source, 0)
    },

    /** Rejects where the browser refuses to play what nobody asked for. */
    async play(): Promise<void> {
      const { element, ready, url } = playing
      await ready
      if (playing.element === element && playing.url === url) await element.play()
    },
    pause: () => playing.element.pause(),

    seek(seconds: number): void {
      playing.element.currentTime = seconds
    },

    /** Volume from 0 to 1, speed as a factor. */
    adjust({ volume, isMuted, speed }: { volume: number; isMuted: boolean; speed: number }): void {
      for (const { element } of [playing, waiting]) {
        element.volume = volume
        element.muted = isMuted
        element.defaultPlaybackRate = speed
        element.playbackRate = speed
      }
    },

    /** Ends playing and lets go of what was fetched. */
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
  // This ends what is heard without the word that it was paused, which would be taken for that of what comes next.
  player.element.removeAttribute('src')
  player.element.load()
}
