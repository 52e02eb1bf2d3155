import type { PlayQueue } from '../play-queue.ts'

interface Named {
  readonly id: string
}

/**
 * The queue when the library has changed under it: its tracks are found again by their ids. What is gone leaves the
 * queue; where that was the current track, the one behind it is next.
 */
export function followLibrary(queue: PlayQueue, before: readonly Named[], after: readonly Named[]): PlayQueue {
  const places = new Map(after.map(({ id }, place) => [id, place]))
  const tracks: number[] = []
  let position = 0
  for (const [index, place] of queue.tracks.entries()) {
    if (index === queue.position) position = tracks.length
    const moved = places.get(before[place]?.id ?? '')
    if (moved !== undefined) tracks.push(moved)
  }
  return { ...queue, tracks, position: position < tracks.length ? position : 0 }
}

/** The places of tracks in the library, in their order; those that are not there any more are skipped. */
export function placesOf(ids: readonly string[], library: readonly Named[]): number[] {
  const places = new Map(library.map(({ id }, place) => [id, place]))
  return ids.flatMap((id) => places.get(id) ?? [])
}
