import { getDownloadUrl } from '@alcove/contract/bytes'
import type { OutputOf } from '@alcove/contract/call'
import { mimeTypeOf } from '@alcove/contract/file-types'
import type { File } from '@alcove/contract/items'
import type { getStreamUrl, MediaFile } from '@alcove/contract/media'
import { send, sentenceOf } from '../../api/api.ts'
import { ownAddress } from '../../api/file-address.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'

/** Converts a track or video into a file, for components that show any file. */
export function fileOf({ id, filename, folder_id, size, modifiedAt, updatedAt }: MediaFile): File {
  return {
    id,
    filename,
    name: filename,
    folder_id,
    type: 'file',
    mimeType: mimeTypeOf(filename),
    size,
    modifiedAt,
    createdAt: updatedAt,
    updatedAt,
    isEncrypted: false,
    isFavorite: false,
    isShared: false,
  }
}

/** A source for playback: the file itself, or a playlist of segments that the server converts. */
export interface StreamSource {
  readonly url: string
  readonly isPlaylist: boolean
}

/** Returns the sources to try, the best first: the file if some browser plays it, then the playlists. */
export function sourcesOf({ kind, url, playlists }: OutputOf<typeof getStreamUrl>): readonly StreamSource[] {
  return [
    ...(kind === 'file' ? [{ url: ownAddress(url), isPlaylist: false }] : []),
    ...playlists.map((playlist) => ({ url: ownAddress(playlist), isPlaylist: true })),
  ]
}

/** Makes the browser download a track or video, for those that can't be played. */
export async function downloadMedia({ id, filename }: MediaFile): Promise<void> {
  try {
    downloadFrom((await send(getDownloadUrl, { id })).url)
  } catch (error) {
    notifyError(sentenceOf(error) ?? `Couldn't download "${filename}". Check your connection, then try again.`)
  }
}
