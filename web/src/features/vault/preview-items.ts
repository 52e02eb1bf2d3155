import type { File as StoredFile } from '@alcove/contract/items'
import { MEBIBYTE } from '@alcove/contract/limits'
import { previewKindOf } from '@alcove/contract/preview-kind'
import { findFileAddress } from '../../api/file-address.ts'
import { contentSizeOf } from '../../items/lists/describe-item.ts'
import type { PreviewItem } from '../../preview/preview-item.ts'
import { canPlayVaultMedia, openEnvelope, openVaultMedia, type VaultMedia } from './crypto/index.ts'
import { notifyFailure } from './failure-message.ts'
import { hasOpenedFiles, keyOf, type OpenableFile, openFile } from './opened-files.ts'
import { needPassphrase, subscribeToPassphrase } from './passphrase/passphrase.ts'

/** Audio and video files larger than this play while they are decrypted. All others are decrypted and verified first. */
const MAX_SIZE_DECRYPTED_FIRST = 8 * MEBIBYTE

/** The addresses in use, by file: of decrypted files, and of media that are decrypted while they play. */
const addresses = new Map<string, { readonly url: string; readonly close: () => void }>()

/** Returns a file of the vault for the preview. */
export function toVaultPreviewItem(file: OpenableFile): PreviewItem {
  const { id, versionId, name, mimeType, modifiedAt } = file
  return {
    id: versionId ?? id,
    version: keyOf(file),
    name,
    mimeType,
    size: contentSizeOf(file),
    modifiedAt,
    note: playsWhileDecrypting(file) ? 'played while it is decrypted, not fully verified yet' : undefined,
    isReady: hasOpenedFiles,
    tellsFailures: true,
    url: () => openAddress(file),
  }
}

async function openAddress(file: OpenableFile): Promise<string> {
  const key = keyOf(file)
  const known = addresses.get(key)
  if (known) return known.url
  const passphrase = await needPassphrase()
  if (passphrase === undefined) throw new DOMException('No passphrase was given.', 'AbortError')
  try {
    const media = playsWhileDecrypting(file) ? await openMedia(file, passphrase) : undefined
    const url = media?.address ?? URL.createObjectURL(await openFile(file, passphrase))
    addresses.set(key, { url, close: () => (media ? media.close() : URL.revokeObjectURL(url)) })
    return url
  } catch (error) {
    notifyFailure(error)
    throw error
  }
}

function playsWhileDecrypting({ name, size }: StoredFile): boolean {
  const kind = previewKindOf(name)
  return (kind === 'audio' || kind === 'video') && size > MAX_SIZE_DECRYPTED_FIRST && canPlayVaultMedia()
}

async function openMedia(file: OpenableFile, passphrase: string): Promise<VaultMedia | undefined> {
  const ciphertext = (options?: { readonly isFresh: boolean }) => findFileAddress(file, options?.isFresh)
  return openVaultMedia(await openEnvelope(ciphertext, passphrase, { checkValue: file.vaultCheck }), file.mimeType)
}

subscribeToPassphrase(() => {
  for (const { close } of addresses.values()) close()
  addresses.clear()
})
