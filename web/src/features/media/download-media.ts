import { getDownloadUrl } from '@alcove/contract/bytes'
import type { MediaFile } from '@alcove/contract/media'
import { send } from '../../api/api.ts'
import { sentenceOf } from '../../api/sentence-of.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'

/** Has the browser download a track or a video by itself: what is left where it cannot be played. */
export async function downloadMedia({ id, filename }: MediaFile): Promise<void> {
  try {
    downloadFrom((await send(getDownloadUrl, { id })).url)
  } catch (error) {
    notifyError(sentenceOf(error) ?? `"${filename}" could not be downloaded. Check your connection, then try again.`)
  }
}
