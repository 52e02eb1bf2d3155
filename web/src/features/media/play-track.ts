import { changePlayerQueue, togglePlaying } from './player/player.ts'
import { getPlayer } from './player/player-state.ts'

/** Plays one track: where it is in the queue, or else as the queue's last. */
export function playTrack(id: string): void {
  const { library, queue } = getPlayer()
  const track = library.findIndex((known) => known.id === id)
  if (track === -1) return
  const queuedAt = queue.tracks.indexOf(track)
  if (queuedAt === queue.position && queue.tracks.length > 0) {
    if (getPlayer().status === 'paused') togglePlaying()
    return
  }
  if (queuedAt === -1) changePlayerQueue({ type: 'add', track })
  changePlayerQueue({ type: 'jump', position: queuedAt === -1 ? queue.tracks.length : queuedAt })
}
