/**
 * The play queue: indexes into the library, and the position of the current track in the queue (specification, section
 * 4). `position` is 0 while the queue is empty.
 */
export interface PlayQueue {
  readonly tracks: readonly number[]
  readonly position: number
  readonly isShuffled: boolean
}

export type QueueChange =
  | { readonly type: 'next' }
  | { readonly type: 'previous' }
  | { readonly type: 'jump'; readonly position: number }
  /** `order` is the queue's tracks in a random order, drawn by the caller so that the change is deterministic. */
  | { readonly type: 'shuffle on'; readonly order: readonly number[] }
  | { readonly type: 'shuffle off' }
  | { readonly type: 'add'; readonly track: number }
  | { readonly type: 'remove'; readonly position: number }
  | { readonly type: 'move'; readonly from: number; readonly to: number }
  /** Replaces the queue by a playlist or a track. */
  | { readonly type: 'replace'; readonly tracks: readonly number[] }

export const EMPTY_QUEUE: PlayQueue = { tracks: [], position: 0, isShuffled: false }

/** Returns the queue after a change. A change that isn't possible returns the same queue. */
export function changeQueue(queue: PlayQueue, change: QueueChange): PlayQueue {
  const { tracks, position } = queue
  switch (change.type) {
    case 'next':
      return at(queue, position + 1 < tracks.length ? position + 1 : 0)
    case 'previous':
      return at(queue, position > 0 ? position - 1 : Math.max(0, tracks.length - 1))
    case 'jump':
      return has(tracks, change.position) ? at(queue, change.position) : queue
    case 'shuffle on':
      return { tracks: change.order, position: 0, isShuffled: true }
    case 'shuffle off':
      return { tracks: tracks.toSorted((a, b) => a - b), position: 0, isShuffled: false }
    case 'add':
      return tracks.includes(change.track) ? queue : { ...queue, tracks: [...tracks, change.track] }
    case 'remove':
      return remove(queue, change.position)
    case 'move':
      return move(queue, change.from, change.to)
    case 'replace':
      return { tracks: change.tracks, position: 0, isShuffled: false }
  }
}

function at(queue: PlayQueue, position: number): PlayQueue {
  return { ...queue, position }
}

function has(tracks: readonly number[], position: number): boolean {
  return position >= 0 && position < tracks.length
}

/** Removes a track, unless it is the current one. The tracks behind it move up. */
function remove(queue: PlayQueue, removed: number): PlayQueue {
  if (removed === queue.position || !has(queue.tracks, removed)) return queue
  const position = removed < queue.position ? queue.position - 1 : queue.position
  return { ...queue, tracks: queue.tracks.toSpliced(removed, 1), position }
}

/** Moves a track. The position follows the current track. */
function move(queue: PlayQueue, from: number, to: number): PlayQueue {
  const { tracks, position } = queue
  if (from === to || !has(tracks, from) || !has(tracks, to)) return queue
  const track = tracks[from] as number
  return {
    ...queue,
    tracks: tracks.toSpliced(from, 1).toSpliced(to, 0, track),
    position: followPosition(position, from, to),
  }
}

function followPosition(position: number, from: number, to: number): number {
  if (position === from) return to
  if (from < position && position <= to) return position - 1
  if (to <= position && position < from) return position + 1
  return position
}

/** Returns the tracks in a random order (Fisher and Yates). `random` returns numbers from 0 up to 1. */
export function shuffle(tracks: readonly number[], random: () => number = Math.random): number[] {
  const order = [...tracks]
  for (let last = order.length - 1; last > 0; last--) {
    const drawn = Math.floor(random() * (last + 1))
    ;[order[last], order[drawn]] = [order[drawn] as number, order[last] as number]
  }
  return order
}

interface Named {
  readonly id: string
}

/**
 * Adapts the queue to a changed library, by the ids of its tracks. Removes tracks that are gone. If the current track is
 * gone, the one behind it becomes current.
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

/** Returns the indexes of tracks in the library, in the given order. Skips tracks that are gone. */
export function placesOf(ids: readonly string[], library: readonly Named[]): number[] {
  const places = new Map(library.map(({ id }, place) => [id, place]))
  return ids.flatMap((id) => places.get(id) ?? [])
}
