import type { File as StoredFile } from '@alcove/contract/items'
import { MEBIBYTE } from '@alcove/contract/limits'
import { contentSizeOf } from '../../lib/content-size.ts'
import { findFileAddress } from '../../lib/file-address.ts'
import type { PreviewItem } from '../../ui/preview/preview-item.ts'
import { previewKindOf } from '../../ui/preview/preview-kind.ts'
import { needPassphrase } from './ask-passphrase.ts'
import { canPlayVaultMedia, openEnvelope, openVaultMedia, type VaultMedia } from './crypto/index.ts'
import { hasOpenedFiles, openFile } from './opened-files.ts'
import { subscribeToPassphrase } from './passphrase.ts'
import { tellFailure } from './tell-failure.ts'

/** Sound and film larger than this play while they are decrypted; all else is decrypted and verified first. */
const PLAYED_AT_ONCE = 8 * MEBIBYTE

/** The addresses that were given out, by file: of what is decrypted, and of what is decrypted as it plays. */
const addresses = new Map<string, { readonly url: string; readonly close: () => void }>()

/** A file of the vault as the previewer takes it. */
export function toVaultPreviewItem(file: StoredFile): PreviewItem {
  const { id, name, mimeType, updatedAt } = file
  return {
    id,
    name,
    mimeType,
    size: contentSizeOf(file),
    updatedAt,
    note: playsAtOnce(file) ? 'plays while it is decrypted, not verified to the end' : undefined,
    isReady: hasOpenedFiles,
    tellsFailures: true,
    url: () => openAddress(file),
  }
}

async function openAddress(file: StoredFile): Promise<string> {
  const key = `${file.id} ${file.updatedAt}`
  const known = addresses.get(key)
  if (known) return known.url
  const passphrase = await needPassphrase()
  if (passphrase === undefined) throw new DOMException('No passphrase was given.', 'AbortError')
  try {
    const media = playsAtOnce(file) ? await openMedia(file, passphrase) : undefined
    const url = media?.address ?? URL.createObjectURL(await openFile(file, passphrase))
    addresses.set(key, { url, close: () => (media ? media.close() : URL.revokeObjectURL(url)) })
    return url
  } catch (error) {
    tellFailure(error)
    throw error
  }
}

function playsAtOnce({ name, size }: StoredFile): boolean {
  const kind = previewKindOf(name)
  return (kind === 'audio' || kind === 'video') && size > PLAYED_AT_ONCE && canPlayVaultMedia()
}

async function openMedia(file: StoredFile, passphrase: string): Promise<VaultMedia | undefined> {
  const ciphertext = (options?: { readonly isFresh: boolean }) => findFileAddress(file.id, options?.isFresh)
  return openVaultMedia(await openEnvelope(ciphertext, passphrase, { checkValue: file.vaultCheck }), file.mimeType)
}

subscribeToPassphrase(() => {
  for (const { close } of addresses.values()) close()
  addresses.clear()
})
