import type { InputOf } from '@alcove/contract/call'
import { createPlaylist, deletePlaylist, type Playlist, updatePlaylist } from '@alcove/contract/media'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'

/** The changes of playlists. Whatever comes of one, the list is asked for again. */
export function usePlaylistChanges() {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: queryKeys.playlists })
  const create = useMutation({
    mutationFn: (input: InputOf<typeof createPlaylist>) => send(createPlaylist, input),
    onSettled,
  })
  const update = useMutation({
    mutationFn: (input: InputOf<typeof updatePlaylist>) => send(updatePlaylist, input),
    // One after the other: each says anew which tracks there are.
    scope: { id: 'playlists' },
    onSettled,
  })
  const remove = useMutation({ mutationFn: ({ id }: Playlist) => send(deletePlaylist, { id }), onSettled })
  return { create, update, remove }
}
