import type { MediaFile } from '@alcove/contract/media'
import { findThumbnailSource, thumbnails } from '../../../items/thumbnails.ts'
import { coverDataUrl } from '../../../ui/CoverArt.tsx'
import { fileOf } from '../media-file.ts'
import { next, pause, previous, seek, togglePlaying } from './player.ts'
import { currentTrack, getPlayer, getPlayerTime, onPlayerChange } from './player-state.ts'

/** How far the keys that seek go by default, in seconds. */
const JUMP = 10

/** Lets the media keys and the system's media controls operate the player, and shows the track there. */
function connectMediaSession(): void {
  if (!('mediaSession' in navigator)) return
  onPlayerChange(showTrack)
  const actions: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => getPlayer().status === 'paused' && togglePlaying()],
    ['pause', () => pause()],
    ['nexttrack', () => next()],
    ['previoustrack', () => previous()],
    ['seekto', ({ seekTime }) => seekTime != null && seek(seekTime)],
    ['seekbackward', ({ seekOffset }) => seek(getPlayerTime().position - (seekOffset ?? JUMP))],
    ['seekforward', ({ seekOffset }) => seek(getPlayerTime().position + (seekOffset ?? JUMP))],
  ]
  for (const [action, handler] of actions) {
    try {
      navigator.mediaSession.setActionHandler(action, handler)
    } catch {
      // Not every browser supports every action.
    }
  }
}

let shown = ''

/** Shows the current track and its state in the system's media controls. */
function showTrack(): void {
  const track = currentTrack()
  const { status, speed } = getPlayer()
  const { position, duration } = getPlayerTime()
  // The system counts the seconds itself, so it is updated only when something else changes.
  const now = [track?.id, status, speed, duration].join(' ')
  if (now === shown) return
  shown = now
  navigator.mediaSession.playbackState = status === 'playing' || status === 'loading' ? 'playing' : 'paused'
  describeTrack(track)
  if (duration <= 0) return
  navigator.mediaSession.setPositionState({ duration, position: Math.min(position, duration), playbackRate: speed })
}

let described: MediaFile | undefined
let letGoOfCover = () => {}

function describeTrack(track: MediaFile | undefined): void {
  if (track === described) return
  described = track
  letGoOfCover()
  letGoOfCover = () => {}
  if (!track) {
    navigator.mediaSession.metadata = null
    return
  }
  const { filename, title = filename, artist = '', album = '', hasCover } = track
  const show = (src: string, type: string) => {
    navigator.mediaSession.metadata = new MediaMetadata({
      ...{ title, artist, album },
      artwork: [{ src, sizes: '512x512', type }],
    })
  }
  show(coverDataUrl(filename), 'image/svg+xml')
  const cover = findThumbnailSource(fileOf(track), 512, hasCover)
  if (cover) letGoOfCover = thumbnails.request(cover, (url) => show(url, 'image/webp'))
}

connectMediaSession()
