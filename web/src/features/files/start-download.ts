import { getDownloadUrl } from '@alcove/contract/bytes'
import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import { send } from '../../api/api.ts'
import { sentenceOf } from '../../api/sentence-of.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { type Chosen, countOf, selectionOf } from './changes/chosen-items.ts'

let isStarting = false

/**
 * Has the browser download by itself, the bytes never passing through the page: one file as it is, a folder or several
 * items as one ZIP.
 */
export async function startDownload(chosen: Chosen): Promise<void> {
  if (isStarting) return // a double click
  isStarting = true
  try {
    const [item] = chosen.items
    const { url } =
      countOf(chosen) === 1 && item
        ? await send(getDownloadUrl, { id: item.id })
        : await send(getItemsDownloadUrl, selectionOf(chosen))
    downloadFrom(url)
  } catch (error) {
    notifyError(sentenceOf(error) ?? 'Failed to download file.')
  } finally {
    isStarting = false
  }
}
