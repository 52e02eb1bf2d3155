/** Something that plays sound: the music, a film or a preview. */
export interface Sound {
  readonly pause: () => void
  /** Shows what it plays in the system's media controls. */
  readonly show: () => void
  /** What the media keys do. */
  readonly actions: Partial<Record<MediaSessionAction, MediaSessionActionHandler>>
}

const ACTIONS = ['play', 'pause', 'nexttrack', 'previoustrack', 'seekto', 'seekbackward', 'seekforward'] as const
/** How far the keys that seek go by default, in seconds. */
export const JUMP = 10

/** What has sounded and may go on, the latest last. Only that one sounds, and the media keys control it. */
let sounds: readonly Sound[] = []

export function hasFocus(sound: Sound): boolean {
  return sounds.at(-1) === sound
}

/** Called when a sound begins. Pauses the one before, and gives it the media keys. */
export function takeFocus(sound: Sound): void {
  if (hasFocus(sound)) return
  sounds.at(-1)?.pause()
  sounds = [...sounds.filter((other) => other !== sound), sound]
  connect()
}

/** Called when a sound can't go on. Gives the media keys back to the one before. */
export function releaseFocus(sound: Sound): void {
  const hadFocus = hasFocus(sound)
  sounds = sounds.filter((other) => other !== sound)
  if (hadFocus) connect()
}

function connect(): void {
  if (!('mediaSession' in navigator)) return
  const sound = sounds.at(-1)
  for (const action of ACTIONS) {
    try {
      navigator.mediaSession.setActionHandler(action, sound?.actions[action] ?? null)
    } catch {
      // Not every browser supports every action.
    }
  }
  navigator.mediaSession.metadata = null
  navigator.mediaSession.playbackState = 'none'
  sound?.show()
}
