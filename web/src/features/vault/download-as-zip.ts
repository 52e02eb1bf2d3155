import { listItems } from '@alcove/contract/item-calls'
import type { Item, File as StoredFile } from '@alcove/contract/items'
import { MAX_PAGE_SIZE } from '@alcove/contract/limits'
import { send } from '../../api/api.ts'
import { findFileAddress } from '../../api/file-address.ts'
import { ownIdOf, VAULT_ROOT } from '../../api/vault-root.ts'
import { downloadBlob } from '../../lib/browser-download.ts'
import { plural } from '../../lib/format.ts'
import { type ZippedFile, zipBlob } from '../../lib/zip.ts'
import { notifyBusy, notifyError } from '../../ui/toasts/notify.tsx'
import { type DecryptedFile, decryptToFile } from './crypto/index.ts'
import { notifyFailure } from './failure-message.ts'

/** The delay before the decrypted files are removed, since the browser may still be saving the ZIP made of them. */
const DISCARD_DELAY = 30 * 60_000

interface ZipOptions {
  readonly passphrase: string
  /** The name of the ZIP, without its extension. */
  readonly name: string
  /** Called with the number of decrypted files, and the number of all. */
  readonly onProgress?: (done: number, all: number) => void
}

/**
 * Decrypts all files among some items and below them, and has the browser save them as one ZIP. A file that can't be
 * decrypted cancels the whole ZIP. Shows an error message if it fails.
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
      notifyError('There are no files here.')
      return false
    }
    const zipped: ZippedFile[] = []
    for (const { file, path } of found) {
      onProgress?.(zipped.length, found.length)
      const one = await decryptToFile((options) => findFileAddress(file, options?.isFresh), passphrase, {
        name: file.name,
        type: file.mimeType,
        checkValue: file.vaultCheck,
      })
      decrypted.push(one)
      zipped.push({ path, content: one.file, modified: new Date(file.modifiedAt) })
    }
    onProgress?.(found.length, found.length)
    downloadBlob(await zipBlob(zipped), `${name}.zip`)
    setTimeout(discard, DISCARD_DELAY)
    return true
  } catch (error) {
    discard()
    notifyFailure(error)
    return false
  } finally {
    stopBusy()
  }
}

/** Returns the name for a ZIP of some items: that of the only one, or of the vault. */
export function zipNameOf(items: readonly Item[]): string {
  const [first] = items
  return first && items.length === 1 ? first.name : `Vault, ${plural(items.length, 'item')}`
}

/** A file of the vault, with its path relative to the listed items. */
interface FoundFile {
  readonly file: StoredFile
  readonly path: string
}

/** Lists all files among some items and below them, at any depth. */
async function listFilesBelow(items: readonly Item[]): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const left = items.map((item) => ({ item, path: item.name }))
  for (let next = left.pop(); next; next = left.pop()) {
    const { item, path } = next
    if (item.type === 'file') found.push({ file: item, path })
    else for (const child of await listFolder(item.id)) left.push({ item: child, path: `${path}/${child.name}` })
  }
  return found.reverse()
}

/** Lists everything in a folder of the vault, or at its root. */
export async function listFolder(folderId: string | undefined): Promise<Item[]> {
  const id = ownIdOf(folderId ?? VAULT_ROOT)
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await send(listItems, { folderId: id, vault: true, limit: MAX_PAGE_SIZE, cursor })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}
