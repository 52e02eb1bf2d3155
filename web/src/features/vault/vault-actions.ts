import type { Item } from '@alcove/contract/items'
import type { Everything, ItemActions } from '../../items/item-actions.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { downloadDecrypted, downloadEncrypted } from './download-decrypted.ts'
import { listFolder } from './list-vault-files.ts'
import { needPassphrase } from './passphrase/ask-passphrase.ts'
import { DOWNLOAD_FAILED } from './vault-texts.ts'

const zip = lazyModule(() => import('./download-as-zip.ts'))

/** What is done with items of the vault otherwise than in the drive: what is downloaded comes decrypted. */
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
    const [{ downloadAsZip, zipNameOf }, all] = await Promise.all([
      zip.load(),
      everything ? listAll(everything) : items,
    ])
    await downloadAsZip(all, { passphrase, name: zipNameOf(all) })
  } catch {
    notifyError(DOWNLOAD_FAILED)
  }
}

async function listAll({ folderId, exceptIds }: Everything): Promise<Item[]> {
  const excepted = new Set(exceptIds)
  return (await listFolder(folderId)).filter(({ id }) => !excepted.has(id))
}
