import { copyText } from '../../../lib/copy-text.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'

export async function copyLink(link: string): Promise<void> {
  if (await copyText(link)) notifySuccess('Link copied!')
  else notifyError('This browser doesn’t allow copying. Open the settings of the link and copy it from there.')
}
