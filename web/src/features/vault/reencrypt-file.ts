import { getItem } from '@alcove/contract/item-calls'
import type { File as StoredFile } from '@alcove/contract/items'
import { FOLDER_CHUNK_SIZE } from '@alcove/contract/limits'
import { cancelUpload } from '@alcove/contract/uploads'
import { send } from '../../api/api.ts'
import { browserConnection } from '../../api/connection.ts'
import { findFileAddress } from '../../api/file-address.ts'
import { randomId } from '../../lib/random-id.ts'
import { createUploadEnvironment, uploadInChunks } from '../../uploader/chunked-upload.ts'
import { planChunks } from '../../uploader/planner.ts'
import { browserTransport } from '../../uploader/transport.ts'
import { decryptToFile, encryptingSource, envelopeSize } from './crypto/index.ts'

interface Reencryption {
  readonly oldPassphrase: string
  readonly newPassphrase: string
  readonly signal: AbortSignal
  /** Told how much is done, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** The file was renamed, moved, replaced or deleted meanwhile. */
export class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

const environment = createUploadEnvironment({ transport: browserTransport, connection: browserConnection })

/**
 * Decrypts a file with its old passphrase and uploads it as its own replacement under the new one, with a salt and IV of
 * its own, in bounded memory. The stored file stays as it is until the new one is whole, so an interruption costs only the
 * time: it can be started again. Rejects with a `VaultFailure`, `FileChanged`, what an upload rejects with, or the
 * signal's reason.
 */
export async function reencryptFile(
  file: StoredFile,
  { oldPassphrase, newPassphrase, signal, onProgress }: Reencryption,
) {
  const { id, name, mimeType, vaultCheck } = file
  const address = (options?: { readonly isFresh: boolean }) => findFileAddress(id, options?.isFresh)
  const decrypted = await decryptToFile(address, oldPassphrase, {
    ...{ name, type: mimeType, checkValue: vaultCheck, signal },
    onProgress: (done, size) => onProgress(size === 0 ? 0.5 : done / size / 2),
  })
  try {
    await assertUnchanged(file, signal)
    const plan = planChunks(envelopeSize(decrypted.file.size), FOLDER_CHUNK_SIZE)
    const source = encryptingSource(decrypted.file, newPassphrase, { chunkSize: plan.chunkSize })
    await replace(file, { source, plan, signal, onProgress: (sent) => onProgress(0.5 + sent / plan.size / 2) })
  } finally {
    await decrypted.discard()
  }
}

type Replacement = Pick<Parameters<typeof uploadInChunks>[0], 'source' | 'plan' | 'signal' | 'onProgress'>

async function replace(file: StoredFile, replacement: Replacement): Promise<void> {
  const uploadId = randomId()
  // What was sent counts against the storage limit until the upload is given up.
  const giveUp = () => void send(cancelUpload, { uploadId }, { isLast: true }).catch(() => undefined)
  window.addEventListener('pagehide', giveUp)
  try {
    const destination = { parentFolderId: file.folder_id ?? undefined, isEncrypted: true }
    const stored = await uploadInChunks({ uploadId, destination, onConflict: 'replace', ...replacement }, environment)
    if (stored.id !== file.id) throw new FileChanged()
  } catch (error) {
    giveUp()
    throw error
  } finally {
    window.removeEventListener('pagehide', giveUp)
  }
}

/** A replacement goes by name and folder, so the file must still be where it was. */
async function assertUnchanged({ id, name, folder_id, updatedAt }: StoredFile, signal: AbortSignal): Promise<void> {
  const { item } = await send(getItem, { id }, { signal })
  const isSame = item.type === 'file' && item.name === name && item.folder_id === folder_id
  if (!isSame || item.updatedAt !== updatedAt) throw new FileChanged()
}
