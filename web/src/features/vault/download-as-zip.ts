import type { Item } from '@alcove/contract/items'
import { findFileAddress } from '../../api/file-address.ts'
import { downloadBlob } from '../../lib/browser-download.ts'
import { plural } from '../../lib/format.ts'
import { type ZippedFile, zipBlob } from '../../lib/zip/zip-blob.ts'
import { notifyBusy, notifyError } from '../../ui/toasts/notify.tsx'
import { type DecryptedFile, decryptToFile } from './crypto/index.ts'
import { failureMessage } from './failure-message.ts'
import { listFilesBelow } from './list-vault-files.ts'

/** A browser may still be saving the ZIP, which is made of the decrypted files. */
const DISCARD_DELAY = 30 * 60_000

interface ZipOptions {
  readonly passphrase: string
  /** Of the ZIP, without its ending. */
  readonly name: string
  /** Told how many of how many files are decrypted. */
  readonly onProgress?: (done: number, all: number) => void
}

/**
 * Decrypts all files among some items and below them, and has the browser save them as one ZIP. All of them or none: one
 * that does not open ends it. Answers whether it was done.
 */
export async function downloadAsZip(
  items: readonly Item[],
  { passphrase, name, onProgress }: ZipOptions,
): Promise<boolean> {
  const stopBusy = notifyBusy('Decrypting the files for a ZIP…')
  const decrypted: DecryptedFile[] = []
  const discard = () => void Promise.all(decrypted.map((one) => one.discard())).catch(() => undefined)
  try {
    const found = await listFilesBelow(items)
    if (found.length === 0) {
      notifyError('There are no files in here.')
      return false
    }
    const zipped: ZippedFile[] = []
    for (const { file, path } of found) {
      onProgress?.(zipped.length, found.length)
      const one = await decryptToFile((options) => findFileAddress(file.id, options?.isFresh), passphrase, {
        name: file.name,
        type: file.mimeType,
        checkValue: file.vaultCheck,
      })
      decrypted.push(one)
      zipped.push({ path, content: one.file, modified: new Date(file.updatedAt) })
    }
    onProgress?.(found.length, found.length)
    downloadBlob(await zipBlob(zipped), `${name}.zip`)
    setTimeout(discard, DISCARD_DELAY)
    return true
  } catch (error) {
    discard()
    failureMessage(error)
    return false
  } finally {
    stopBusy()
  }
}

/** What a ZIP of some items is called: after the only one, else after the vault. */
export function zipNameOf(items: readonly Item[]): string {
  const [first] = items
  return first && items.length === 1 ? first.name : `Vault, ${plural(items.length, 'item')}`
}
