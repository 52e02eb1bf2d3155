import type { PublicFile } from '@alcove/contract/sharing'
import type { PreviewItem } from '../../../ui/preview/preview-item.ts'
import { decryptToFile, importKey, VaultFailure } from '../crypto/index.ts'

type Given = { readonly key: string } | { readonly passphrase: string }

/** A shared file of the vault, decrypted and verified. Rejects with a `VaultFailure`. */
export async function openShared(
  { name, mimeType, vaultCheck }: PublicFile,
  address: string,
  given: Given,
  onProgress: (share: number) => void,
): Promise<globalThis.File> {
  const secret = 'key' in given ? await importKey(given.key) : given.passphrase
  if (secret === undefined) throw new VaultFailure('wrong-passphrase')
  const { file } = await decryptToFile(address, secret, {
    name,
    type: mimeType,
    checkValue: vaultCheck,
    onProgress: (done, size) => onProgress(size === 0 ? 1 : done / size),
  })
  return file
}

/** What was decrypted, as the previewer takes it. It lives as long as the page. */
export function toSharedPreviewItem({ id, name, mimeType, updatedAt }: PublicFile, decrypted: Blob): PreviewItem {
  const url = URL.createObjectURL(decrypted)
  return { id, name, mimeType, size: decrypted.size, updatedAt, url: async () => url }
}
