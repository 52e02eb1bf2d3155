import { getDownloadUrl } from '@alcove/contract/files'
import type { Item } from '@alcove/contract/items'
import { send } from '../../lib/api.ts'
import { notifyError } from '../../ui/notify.tsx'
import { sentenceOf } from './use-item-changes.ts'

/** Has the browser download a file, or a folder as a ZIP, by itself: the bytes never pass through the page. */
export async function startDownload(item: Item): Promise<void> {
  try {
    const { url } = await send(getDownloadUrl, { id: item.id })
    const link = document.createElement('a')
    link.href = url
    link.download = ''
    link.click()
  } catch (error) {
    notifyError(sentenceOf(error) ?? 'Failed to download file.')
  }
}
