import type { MediaFile } from '@alcove/contract/media'
import { useSyncExternalStore } from 'react'
import { EMPTY_QUEUE, type PlayQueue } from '../play-queue.ts'

/** What the player is doing with the current track. `failed`: it cannot be played. */
export type PlayerStatus = 'paused' | 'loading' | 'playing' | 'failed'

/** The music player, which outlives the screens. */
export interface PlayerState {
  /** All music, in the order of the server; the queue's tracks are places in it. */
  readonly library: readonly MediaFile[]
  readonly queue: PlayQueue
  readonly status: PlayerStatus
  /** 0 to 1. */
  readonly volume: number
  readonly isMuted: boolean
  /** 1 is as recorded. */
  readonly speed: number
  readonly repeatsOne: boolean
  /** Something has been played, or was before a reload: the small bar shows on other screens. */
  readonly isInUse: boolean
}

/** Where in the current track the player is, in seconds; apart, since it changes several times a second. */
export interface PlayerTime {
  readonly position: number
  readonly duration: number
}

let state: PlayerState = {
  library: [],
  queue: EMPTY_QUEUE,
  status: 'paused',
  volume: 1,
  isMuted: false,
  speed: 1,
  repeatsOne: false,
  isInUse: false,
}
let time: PlayerTime = { position: 0, duration: 0 }
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

export function getPlayer(): PlayerState {
  return state
}

export function getPlayerTime(): PlayerTime {
  return time
}

export function updatePlayer(changes: Partial<PlayerState>): void {
  state = { ...state, ...changes }
  tell()
}

export function updatePlayerTime(next: PlayerTime): void {
  if (next.position === time.position && next.duration === time.duration) return
  time = next
  tell()
}

/** Calls `listener` at each change of the player until the returned function is called. */
export function subscribeToPlayer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function usePlayer(): PlayerState {
  return useSyncExternalStore(subscribeToPlayer, getPlayer)
}

export function usePlayerTime(): PlayerTime {
  return useSyncExternalStore(subscribeToPlayer, getPlayerTime)
}

/** The track that is on, if any. */
export function currentTrack({
  library,
  queue,
}: Pick<PlayerState, 'library' | 'queue'> = state): MediaFile | undefined {
  const place = queue.tracks[queue.position]
  return place === undefined ? undefined : library[place]
}
