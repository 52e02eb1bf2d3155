import type { getStreamPlaylist as call } from '@alcove/contract/media'
import type { Operation } from '../../../platform/http/api.ts'
import { getGranted } from './find-stream.ts'
import { playlistResponse } from './stream-response.ts'

/** Every part has an address that is good for this file alone, as long as that of the playlist is. */
export const getStreamPlaylist: Operation<typeof call> = async (ctx, { way, ...grant }) => {
  const file = await getGranted(ctx, grant)
  const { owner, expires, signature } = grant
  const query = new URLSearchParams({ owner, expires, signature, way })
  return playlistResponse(ctx, { file, way }, (index) => `segments/${index}?${query}`)
}
