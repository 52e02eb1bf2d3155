import type { MediaFile } from '@alcove/contract/media'
import { findThumbnailSource, thumbnails } from '../../../items/thumbnails.ts'
import { hasFocus, JUMP, releaseFocus, type Sound, takeFocus } from '../../../player/audio-focus.ts'
import { coverDataUrl } from '../../../ui/CoverArt.tsx'
import { fileOf } from '../media-file.ts'
import { next, pause, previous, seek, togglePlaying } from './player.ts'
import { currentTrack, getPlayer, getPlayerTime, isPlayerOn, onPlayerChange } from './player-state.ts'

const music: Sound = {
  pause,
  show() {
    shown = ''
    described = undefined
    showTrack()
  },
  actions: {
    play: () => getPlayer().status === 'paused' && togglePlaying(),
    pause,
    nexttrack: next,
    previoustrack: previous,
    seekto: ({ seekTime }) => seekTime != null && seek(seekTime),
    seekbackward: ({ seekOffset }) => seek(getPlayerTime().position - (seekOffset ?? JUMP)),
    seekforward: ({ seekOffset }) => seek(getPlayerTime().position + (seekOffset ?? JUMP)),
  },
}

let wasOn = false

/** Takes the focus when the music begins, also before its bytes have arrived. */
function follow(): void {
  const isOn = isPlayerOn()
  const hasBegun = isOn && !wasOn
  wasOn = isOn
  if (hasBegun) takeFocus(music)
  if (!currentTrack()) releaseFocus(music)
  else if (hasFocus(music)) showTrack()
}

let shown = ''

/** Shows the current track and its state in the system's media controls. */
function showTrack(): void {
  if (!('mediaSession' in navigator)) return
  const track = currentTrack()
  const { status, speed } = getPlayer()
  const { position, duration } = getPlayerTime()
  // The system counts the seconds itself, so it is updated only when something else changes.
  const now = [track?.id, track?.filename, status, speed, duration].join(' ')
  if (now === shown) return
  shown = now
  navigator.mediaSession.playbackState = isPlayerOn() ? 'playing' : 'paused'
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
    if (!hasFocus(music)) return
    navigator.mediaSession.metadata = new MediaMetadata({
      ...{ title, artist, album },
      artwork: [{ src, sizes: '512x512', type }],
    })
  }
  show(coverDataUrl(filename), 'image/svg+xml')
  const cover = findThumbnailSource(fileOf(track), 512, hasCover)
  if (cover) letGoOfCover = thumbnails.request(cover, (url) => show(url, 'image/webp'))
}

// The media keys and the system's media controls operate the player, and show the track.
onPlayerChange(follow)
