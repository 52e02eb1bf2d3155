import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import type { Item, File as StoredFile } from '@alcove/contract/items'
import { send } from '../../api/api.ts'
import { findFileAddress } from '../../api/file-address.ts'
import { sentenceOf } from '../../api/sentence-of.ts'
import { downloadBlob, downloadFrom } from '../../lib/browser-download.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { failureMessage } from './failure-message.ts'
import { openFile } from './opened-files.ts'
import { needPassphrase } from './passphrase/ask-passphrase.ts'
import { getPassphrase } from './passphrase/passphrase.ts'
import { DOWNLOAD_FAILED, PASSPHRASE_MISSING } from './vault-texts.ts'

/** Decrypts a file and has the browser save it, once all of it has proved right. Asks for the passphrase if need be. */
export async function downloadDecrypted(file: StoredFile): Promise<void> {
  const passphrase = await needPassphrase()
  if (passphrase !== undefined) await save(file, passphrase)
}

/** The same by the button of a tile, which takes the passphrase above the list. */
export async function downloadAndDecrypt(file: StoredFile): Promise<void> {
  const passphrase = getPassphrase()
  if (passphrase !== '') return save(file, passphrase)
  notifyError(PASSPHRASE_MISSING)
  document.querySelector<HTMLElement>('[data-master-passphrase]')?.focus()
}

async function save(file: StoredFile, passphrase: string): Promise<void> {
  try {
    downloadBlob(await openFile(file, passphrase), file.name)
  } catch (error) {
    failureMessage(error)
  }
}

/** Has the browser download the bytes as they are stored. */
export async function downloadEncrypted(item: Item): Promise<void> {
  try {
    if (item.type === 'file') return downloadFrom(await findFileAddress(item.id, true))
    downloadFrom((await send(getItemsDownloadUrl, { itemIds: [item.id] })).url)
  } catch (error) {
    notifyError(sentenceOf(error) ?? DOWNLOAD_FAILED)
  }
}
