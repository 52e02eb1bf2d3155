import type { MediaFile, Playlist } from '@alcove/contract/media'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'

/** The dialogs of playlists, which are loaded later. */

const addToPlaylist = lazyModule(() => import('./PlaylistModals.tsx'))
const editPlaylist = lazyModule(() => import('./PlaylistModals.tsx'))
const renamePlaylist = lazyModule(() => import('./PlaylistModals.tsx'))

export function askForPlaylist(track: MediaFile): void {
  void openLater(addToPlaylist, ({ openAddToPlaylistModal }) => openAddToPlaylistModal(track))
}

export function showPlaylistTracks(playlist: Playlist): void {
  void openLater(editPlaylist, ({ openEditPlaylistModal }) => openEditPlaylistModal(playlist))
}

export function askPlaylistName(playlist: Playlist): void {
  void openLater(renamePlaylist, ({ openRenamePlaylistModal }) => openRenamePlaylistModal(playlist))
}
