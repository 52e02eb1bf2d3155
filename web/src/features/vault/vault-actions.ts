import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import type { Item, File as StoredFile } from '@alcove/contract/items'
import { send, sentenceOf } from '../../api/api.ts'
import { findFileAddress } from '../../api/file-address.ts'
import type { Everything, ItemActions } from '../../items/item-actions.ts'
import { downloadBlob, downloadFrom } from '../../lib/browser-download.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { notifyFailure } from './failure-message.ts'
import { type OpenableFile, openFile } from './opened-files.ts'
import { getPassphrase, needPassphrase } from './passphrase/passphrase.ts'
import { DOWNLOAD_FAILED, PASSPHRASE_MISSING } from './vault-texts.ts'

const zip = lazyModule(() => import('./download-as-zip.ts'))

/** The actions that differ in the vault: downloads are decrypted. */
export const vaultActions: Partial<ItemActions> = {
  download: (items, everything) => void download(items, everything),
  downloadEncrypted: (item) => void downloadEncrypted(item),
}

async function download(items: readonly Item[], everything: Everything | undefined): Promise<void> {
  const [only] = items
  if (!everything && items.length === 1 && only?.type === 'file') return downloadDecrypted(only)
  const passphrase = await needPassphrase()
  if (passphrase === undefined) return
  try {
    const { downloadAsZip, listFolder, zipNameOf } = await zip.load()
    const all = everything ? exclude(await listFolder(everything.folderId), everything.exceptIds) : items
    await downloadAsZip(all, { passphrase, name: zipNameOf(all) })
  } catch {
    notifyError(DOWNLOAD_FAILED)
  }
}

function exclude(items: readonly Item[], ids: readonly string[]): Item[] {
  const excluded = new Set(ids)
  return items.filter(({ id }) => !excluded.has(id))
}

/** Decrypts and verifies a file, then has the browser save it. Asks for the passphrase if it isn't entered yet. */
export async function downloadDecrypted(file: OpenableFile): Promise<void> {
  const passphrase = await needPassphrase()
  if (passphrase !== undefined) await save(file, passphrase)
}

/** Does the same for the button of a tile, but moves the focus to the passphrase field instead of asking. */
export async function downloadAndDecrypt(file: StoredFile): Promise<void> {
  const passphrase = getPassphrase()
  if (passphrase !== '') return save(file, passphrase)
  notifyError(PASSPHRASE_MISSING)
  document.querySelector<HTMLElement>('[data-master-passphrase]')?.focus()
}

async function save(file: OpenableFile, passphrase: string): Promise<void> {
  try {
    downloadBlob(await openFile(file, passphrase), file.name)
  } catch (error) {
    notifyFailure(error)
  }
}

/** Has the browser download the encrypted bytes. */
async function downloadEncrypted(item: Item): Promise<void> {
  try {
    if (item.type === 'file') return downloadFrom(await findFileAddress(item, true))
    downloadFrom((await send(getItemsDownloadUrl, { itemIds: [item.id] })).url)
  } catch (error) {
    notifyError(sentenceOf(error) ?? DOWNLOAD_FAILED)
  }
}
