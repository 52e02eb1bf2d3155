import { FOLDER_CHUNK_SIZE } from '@alcove/contract/limits'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { type Chosen, groupByFolder, readDropped } from '../../uploader/file-input/chosen-files.ts'
import { planChunks } from '../../uploader/planner.ts'
import type { NewUpload, UploadTarget } from '../../uploader/transfer.ts'
import { uploads } from '../../uploader/uploads.ts'
import { type EncryptingSource, encryptingSource, envelopeSize, isEncryptable, VaultFailure } from './crypto/index.ts'
import { admitPassphrase } from './passphrase/check-passphrase.ts'
import { getPassphrase } from './passphrase/passphrase.ts'
import { FILE_MISSING } from './vault-texts.ts'

/** Encrypts and uploads files. Returns false, and sends nothing, if the passphrase is not admitted. */
export async function uploadFiles(files: readonly File[], passphrase: string, target: UploadTarget): Promise<boolean> {
  if (!(await admitPassphrase(passphrase))) return false
  addFiles(files, passphrase, target)
  return true
}

/** Does the same with the files of an input for folders. */
export async function uploadFolders(
  files: readonly File[],
  passphrase: string,
  target: UploadTarget,
): Promise<boolean> {
  if (!(await admitPassphrase(passphrase))) return false
  for (const folder of groupByFolder(files)) uploadFolder(folder, passphrase, target)
  return true
}

function addFiles(files: readonly File[], passphrase: string, target: UploadTarget): void {
  const sources = toUploads(
    files.map((file) => ({ file })),
    passphrase,
  )
  if (sources.length > 0) uploads.addFiles(sources, { ...target, isEncrypted: true })
}

/** Does the same with dropped items. Must be called during the drop event. */
export async function uploadDropped(items: DataTransferItem[], target: UploadTarget): Promise<void> {
  const reading = readDropped(items)
  const passphrase = getPassphrase()
  if (passphrase === '') {
    reading.catch(() => undefined)
    return notifyError(FILE_MISSING)
  }
  try {
    const { files, folders } = await reading
    if (!(await admitPassphrase(passphrase))) return
    addFiles(files, passphrase, target)
    for (const folder of folders) uploadFolder(folder, passphrase, target)
  } catch {
    notifyError('Folder upload failed')
  }
}

function uploadFolder(folder: Chosen['folders'][number], passphrase: string, target: UploadTarget): void {
  const sources = toUploads(
    folder.files.map(({ source, relativePath }) => ({ file: source, relativePath })),
    passphrase,
  )
  uploads.addFolder(folder.name, sources, { ...target, isEncrypted: true }, folder.emptyFolders)
}

/** Returns the files as encrypting sources. Shows an error message for files that are too large for AES-GCM. */
function toUploads(files: readonly { file: File; relativePath?: string }[], passphrase: string): NewUpload[] {
  const refused = files.filter(({ file }) => !isEncryptable(file.size))
  for (const { file } of refused) notifyError(`${file.name}: ${new VaultFailure('too-large').message}`)
  return files
    .filter(({ file }) => isEncryptable(file.size))
    .map(({ file, relativePath }) => ({ source: encrypt(file, passphrase), relativePath }))
}

/** The chunks are bytes, not blobs: browsers keep the memory of blobs for as long as they like. */
function encrypt(file: File, passphrase: string): EncryptingSource {
  const { chunkSize } = planChunks(envelopeSize(file.size), FOLDER_CHUNK_SIZE)
  return encryptingSource(file, passphrase, { chunkSize })
}
