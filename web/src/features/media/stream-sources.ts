import type { OutputOf } from '@alcove/contract/call'
import type { getStreamUrl } from '@alcove/contract/media'
import { ownAddress } from '../../api/own-address.ts'

/** From where something is played: the file as it is, or a playlist of parts that the server makes playable. */
export interface StreamSource {
  readonly url: string
  readonly isPlaylist: boolean
}

/** All that may be tried, the best first: the file where some browser plays it, then its playlists. None for what cannot be played. */
export function sourcesOf({ kind, url, playlists }: OutputOf<typeof getStreamUrl>): readonly StreamSource[] {
  return [
    ...(kind === 'file' ? [{ url: ownAddress(url), isPlaylist: false }] : []),
    ...playlists.map((playlist) => ({ url: ownAddress(playlist), isPlaylist: true })),
  ]
}
