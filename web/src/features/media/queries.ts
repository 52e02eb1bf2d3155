import { listAudio, listPlaylists, listVideo } from '@alcove/contract/media'
import { useQuery } from '@tanstack/react-query'
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
