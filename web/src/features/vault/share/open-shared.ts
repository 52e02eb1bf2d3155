import type { PublicFile } from '@alcove/contract/sharing'
import type { PreviewItem } from '../../../preview/preview-item.ts'
import { type DecryptedFile, decryptToFile, importKey, VaultFailure } from '../crypto/index.ts'

type Given = { readonly key: string } | { readonly passphrase: string }

/** What gives way to another file may still be on its way to where the visitor saves it. */
const DISCARD_DELAY = 5 * 60_000

/** The file that was opened last: who looks at it and then saves it has it decrypted once. */
let opened: { readonly version: string; readonly decrypted: DecryptedFile } | undefined

/** A shared file of the vault, decrypted and verified. Rejects with a `VaultFailure`. */
export async function openShared(
  { id, updatedAt, name, mimeType, vaultCheck }: PublicFile,
  address: string,
  given: Given,
  onProgress: (share: number) => void,
): Promise<globalThis.File> {
  const version = `${id} ${updatedAt}`
  if (opened?.version === version) return opened.decrypted.file
  const secret = 'key' in given ? await importKey(given.key) : given.passphrase
  if (secret === undefined) throw new VaultFailure('wrong-passphrase')
  const decrypted = await decryptToFile(address, secret, {
    name,
    type: mimeType,
    checkValue: vaultCheck,
    onProgress: (done, size) => onProgress(size === 0 ? 1 : done / size),
  })
  const former = opened
  if (former) setTimeout(() => void former.decrypted.discard(), DISCARD_DELAY)
  opened = { version, decrypted }
  return decrypted.file
}

/** What was decrypted, as the previewer takes it. It lives as long as the page. */
export function toSharedPreviewItem({ id, name, mimeType, updatedAt }: PublicFile, decrypted: Blob): PreviewItem {
  const url = URL.createObjectURL(decrypted)
  return { id, name, mimeType, size: decrypted.size, updatedAt, url: async () => url }
}
