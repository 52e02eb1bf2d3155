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
import { ApiError, send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { TrackChange } from './playlists/track-changes.ts'

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
  const rename = useMutation({
    mutationFn: (input: { readonly id: string; readonly name: string }) => send(updatePlaylist, input),
    onSettled,
  })
  const changeTracks = useMutation({
    mutationFn: ({ id, change }: { readonly id: string; readonly change: TrackChange }) => saveTracks(id, change),
    // One after the other, because each sends all track ids.
    scope: { id: 'playlists' },
    onSettled,
  })
  const remove = useMutation({ mutationFn: ({ id }: Playlist) => send(deletePlaylist, { id }), onSettled })
  return { create, rename, changeTracks, remove }
}

/** How often a change of tracks is tried while other devices change the playlist. */
const MAX_TRIES = 5

/** Applies a change to the tracks that the server has by now. */
async function saveTracks(id: string, change: TrackChange): Promise<void> {
  for (let tries = 1; ; tries++) {
    const playlist = (await send(listPlaylists, {})).find((other) => other.id === id)
    const track_ids = [...change(playlist?.track_ids ?? [])]
    try {
      await send(updatePlaylist, { id, track_ids, ifUpdatedAt: playlist?.updatedAt })
      return
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409) || tries === MAX_TRIES) throw error
    }
  }
}
