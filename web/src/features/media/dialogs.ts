import type { MediaFile, Playlist } from '@alcove/contract/media'
import { later } from '../../lib/later.ts'
import { openLater } from '../../ui/dialogs.tsx'

/** The dialogs of music, each fetched when it is first needed. */

const addToPlaylist = later(() => import('./AddToPlaylistModal.tsx'))
const editPlaylist = later(() => import('./EditPlaylistModal.tsx'))
const renamePlaylist = later(() => import('./RenamePlaylistModal.tsx'))

export function askForPlaylist(track: MediaFile): void {
  void openLater(addToPlaylist, ({ openAddToPlaylistModal }) => openAddToPlaylistModal(track))
}

export function showPlaylistTracks(playlist: Playlist): void {
  void openLater(editPlaylist, ({ openEditPlaylistModal }) => openEditPlaylistModal(playlist))
}

export function askPlaylistName(playlist: Playlist): void {
  void openLater(renamePlaylist, ({ openRenamePlaylistModal }) => openRenamePlaylistModal(playlist))
}
