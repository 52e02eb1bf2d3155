import type { MediaFile } from '@alcove/contract/media'
import { getPlayerMemory, getSession, setPlayerMemory, setPlayerOpen } from '../../../api/session.ts'
import { placesOf } from './play-queue.ts'
import { currentTrack, type PlayerState } from './player-state.ts'

/** A longer queue is remembered only if it is the whole library in order, because browsers have little storage. */
const MAX_REMEMBERED = 5000

/** What is restored after a reload. `trackIds` is null for the whole library in order. */
interface PlayerMemory {
  readonly trackIds: readonly string[] | null
  readonly position: number
  /** The current track. Its position in the library changes with other tracks. */
  readonly trackId: string
  /** Seconds into the current track. */
  readonly time: number
  readonly isShuffled: boolean
  readonly volume: number
  readonly isMuted: boolean
  readonly speed: number
  readonly repeatsOne: boolean
}

export function rememberPlayer(state: PlayerState, time: number): void {
  const { library, queue, volume, isMuted, speed, repeatsOne } = state
  const isLibrary = queue.tracks.length === library.length && queue.tracks.every((place, index) => place === index)
  const isKept = !isLibrary && queue.tracks.length <= MAX_REMEMBERED
  const memory: PlayerMemory = {
    trackIds: isKept ? queue.tracks.map((place) => library[place]?.id ?? '') : null,
    position: queue.position,
    trackId: currentTrack(state)?.id ?? '',
    time,
    isShuffled: isKept && queue.isShuffled,
    ...{ volume, isMuted, speed, repeatsOne },
  }
  setPlayerMemory(JSON.stringify(memory))
  if (getSession().player === undefined) setPlayerOpen(true)
}

/** Restores the player for the current library. Returns undefined if nothing valid is remembered. */
export function recallPlayer(library: readonly MediaFile[]): (Partial<PlayerState> & { time: number }) | undefined {
  const memory = readMemory()
  if (!memory || getSession().player === undefined) return undefined
  const { trackIds, position, trackId, time, isShuffled, volume, isMuted, speed, repeatsOne } = memory
  const tracks = trackIds === null ? library.map((_, place) => place) : placesOf(trackIds, library)
  if (tracks.length === 0) return undefined
  const now =
    trackIds === null
      ? library.findIndex(({ id }) => id === trackId)
      : placesOf(trackIds.slice(0, position), library).length
  // If the track is gone, the one behind it starts from its beginning.
  const isThere = library[tracks[now] ?? -1]?.id === trackId
  return {
    queue: { tracks, position: now in tracks ? now : 0, isShuffled },
    time: isThere ? time : 0,
    ...{ volume, isMuted, speed, repeatsOne },
  }
}

/** Forgets that there is music to resume, which hides the small player, except in other tabs that sound. */
export function forgetPlayer(): void {
  setPlayerOpen(false)
}

function readMemory(): PlayerMemory | undefined {
  try {
    const memory: unknown = JSON.parse(getPlayerMemory() ?? 'null')
    return isMemory(memory) ? memory : undefined
  } catch {
    return undefined
  }
}

function isMemory(value: unknown): value is PlayerMemory {
  if (typeof value !== 'object' || value === null) return false
  const memory = value as Record<keyof PlayerMemory, unknown>
  const isWithin = (part: unknown, least: number, max: number) =>
    typeof part === 'number' && part >= least && part <= max
  return (
    (memory.trackIds === null ||
      (Array.isArray(memory.trackIds) && memory.trackIds.every((id) => typeof id === 'string'))) &&
    Number.isInteger(memory.position) &&
    isWithin(memory.position, 0, Number.MAX_SAFE_INTEGER) &&
    typeof memory.trackId === 'string' &&
    isWithin(memory.time, 0, Number.MAX_SAFE_INTEGER) &&
    isWithin(memory.volume, 0, 1) &&
    isWithin(memory.speed, 0.25, 4) &&
    [memory.isShuffled, memory.isMuted, memory.repeatsOne].every((flag) => typeof flag === 'boolean')
  )
}
