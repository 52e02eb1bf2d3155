import { getDownloadUrl } from '@alcove/contract/bytes'
import { send } from './api.ts'

/** Has the browser download a file by itself, the bytes never passing through the page. */
export async function startFileDownload(id: string): Promise<void> {
  const { url } = await send(getDownloadUrl, { id })
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
