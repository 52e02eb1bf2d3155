/** What the deck tells of the track that it plays. */
export interface DeckEvents {
  readonly onPlaying: () => void
  readonly onPaused: () => void
  readonly onWaiting: () => void
  readonly onTime: (seconds: number, duration: number) => void
  readonly onEnded: () => void
  readonly onFailed: () => void
}

/**
 * Plays one address after another without a gap: two players take turns, and while one is heard, the other fetches what
 * comes next. Volume and speed are those of both.
 */
export function createAudioDeck(events: DeckEvents) {
  let playing = createElement()
  let waiting = createElement()
  let isLoaded = false

  function createElement(): HTMLAudioElement {
    const element = new Audio()
    element.preload = 'auto'
    const whenHeard = (name: keyof HTMLMediaElementEventMap, tell: () => void) =>
      element.addEventListener(name, () => element === playing && isLoaded && tell())
    const tellTime = () => events.onTime(element.currentTime, Number.isFinite(element.duration) ? element.duration : 0)
    whenHeard('playing', events.onPlaying)
    whenHeard('pause', () => !element.ended && events.onPaused())
    whenHeard('waiting', events.onWaiting)
    whenHeard('timeupdate', tellTime)
    whenHeard('durationchange', tellTime)
    whenHeard('seeked', tellTime)
    whenHeard('ended', events.onEnded)
    whenHeard('error', events.onFailed)
    return element
  }

  return {
    /** Puts a track on, `at` so many seconds; what was heard before ends. */
    load(url: string, at = 0): void {
      const [before, next] = waiting.src === url ? [playing, waiting] : [waiting, playing]
      isLoaded = true
      if (next !== playing) {
        playing.pause()
        playing = next
        waiting = before
        playing.currentTime = at
        release(waiting)
      } else {
        playing.src = url
        playing.load()
        if (at > 0) playing.currentTime = at
      }
    },

    /** Fetches a track ahead, to be put on without a gap. */
    prepare(url: string): void {
      if (waiting.src === url) return
      waiting.src = url
      waiting.load()
    },

    /** Rejects where the browser refuses to play what nobody asked for. */
    play: () => playing.play(),
    pause: () => playing.pause(),

    seek(seconds: number): void {
      playing.currentTime = seconds
    },

    /** Volume from 0 to 1, speed as a factor. */
    adjust({ volume, isMuted, speed }: { volume: number; isMuted: boolean; speed: number }): void {
      for (const element of [playing, waiting]) {
        element.volume = volume
        element.muted = isMuted
        element.defaultPlaybackRate = speed
        element.playbackRate = speed
      }
    },

    /** Ends playing and lets go of what was fetched. */
    eject(): void {
      isLoaded = false
      release(playing)
      release(waiting)
    },
  }
}

export type AudioDeck = ReturnType<typeof createAudioDeck>

function release(element: HTMLAudioElement): void {
  element.pause()
  element.removeAttribute('src')
  element.load()
}
