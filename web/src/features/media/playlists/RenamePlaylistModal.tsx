import { MAX_PLAYLIST_NAME_LENGTH } from '@alcove/contract/limits'
import type { Playlist } from '@alcove/contract/media'
import { modals } from '@mantine/modals'
import { NameForm } from '../../../ui/NameForm.tsx'
import { checkPlaylistName } from './check-playlist-name.ts'
import { usePlaylistChanges } from './use-playlist-changes.ts'

export function openRenamePlaylistModal(playlist: Playlist): void {
  const modalId = modals.open({
    title: 'Rename Playlist',
    size: 420,
    children: <RenamePlaylist playlist={playlist} onClose={() => modals.close(modalId)} />,
  })
}

interface RenamePlaylistProps {
  readonly playlist: Playlist
  readonly onClose: () => void
}

function RenamePlaylist({ playlist: { id, name: initialName }, onClose }: RenamePlaylistProps) {
  const { update } = usePlaylistChanges()
  return (
    <NameForm
      label="Playlist Name"
      verb="Rename"
      initialName={initialName}
      maxLength={MAX_PLAYLIST_NAME_LENGTH}
      check={checkPlaylistName}
      failure="The playlist could not be renamed. Check your connection, then try again."
      isBusy={update.isPending}
      onSubmit={(name) => update.mutateAsync({ id, name })}
      onClose={onClose}
    />
  )
}
