import type { MediaFile } from '@alcove/contract/media'
import { createStore, useStore } from '../../../lib/store.ts'
import { EMPTY_QUEUE, type PlayQueue } from './play-queue.ts'

/** The state of the current track. `failed` means that it can't be played. */
export type PlayerStatus = 'paused' | 'loading' | 'playing' | 'failed'

/** The state of the music player, which continues across screens. */
export interface PlayerState {
  /** All tracks in the order of the server. The queue contains indexes into it. */
  readonly library: readonly MediaFile[]
  readonly queue: PlayQueue
  readonly status: PlayerStatus
  /** 0 to 1. */
  readonly volume: number
  readonly isMuted: boolean
  /** 1 is as recorded. */
  readonly speed: number
  readonly repeatsOne: boolean
  /** Whether something was played, also before a reload. Then other screens show the small player. */
  readonly isInUse: boolean
}

/** The position in the current track, in seconds. Kept separately, because it changes several times a second. */
export interface PlayerTime {
  readonly position: number
  readonly duration: number
}

const player = createStore<PlayerState>({
  library: [],
  queue: EMPTY_QUEUE,
  status: 'paused',
  volume: 1,
  isMuted: false,
  speed: 1,
  repeatsOne: false,
  isInUse: false,
})
const time = createStore<PlayerTime>({ position: 0, duration: 0 })

export const getPlayer = player.get
export const getPlayerTime = time.get
export const usePlayer = () => useStore(player)
export const usePlayerTime = () => useStore(time)

export function updatePlayer(changes: Partial<PlayerState>): void {
  player.set({ ...player.get(), ...changes })
}

export function updatePlayerTime(next: PlayerTime): void {
  const { position, duration } = time.get()
  if (next.position !== position || next.duration !== duration) time.set(next)
}

/** Returns whether the music plays, or will once its bytes have arrived. */
export function isPlayerOn({ status }: Pick<PlayerState, 'status'> = player.get()): boolean {
  return status === 'playing' || status === 'loading'
}

/** Calls `listener` on each change of the player or its time. */
export function onPlayerChange(listener: () => void): void {
  player.subscribe(listener)
  time.subscribe(listener)
}

/** Returns the current track, if there is one. */
export function currentTrack(
  { library, queue }: Pick<PlayerState, 'library' | 'queue'> = player.get(),
): MediaFile | undefined {
  const place = queue.tracks[queue.position]
  return place === undefined ? undefined : library[place]
}
