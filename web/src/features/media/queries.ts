import type { InputOf } from '@alcove/contract/call'
import {
  createPlaylist,
  deletePlaylist,
  listAudio,
  listPlaylists,
  listVideo,
  type Playlist,
  updatePlaylist,
} from '@alcove/contract/media'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

export function useAudio() {
  return useQuery({ queryKey: queryKeys.audio, queryFn: ({ signal }) => send(listAudio, {}, { signal }) })
}

export function useVideo() {
  return useQuery({ queryKey: queryKeys.video, queryFn: ({ signal }) => send(listVideo, {}, { signal }) })
}

export function usePlaylists() {
  return useQuery({ queryKey: queryKeys.playlists, queryFn: ({ signal }) => send(listPlaylists, {}, { signal }) })
}

/** Returns the mutations of playlists. Each refetches the list, also after a failure. */
export function usePlaylistChanges() {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: queryKeys.playlists })
  const create = useMutation({
    mutationFn: (input: InputOf<typeof createPlaylist>) => send(createPlaylist, input),
    onSettled,
  })
  const update = useMutation({
    mutationFn: (input: InputOf<typeof updatePlaylist>) => send(updatePlaylist, input),
    // One after the other, because each sends all track ids.
    scope: { id: 'playlists' },
    onSettled,
  })
  const remove = useMutation({ mutationFn: ({ id }: Playlist) => send(deletePlaylist, { id }), onSettled })
  return { create, update, remove }
}
