import { getItem } from '@alcove/contract/item-calls'
import type { File as StoredFile } from '@alcove/contract/items'
import { FOLDER_CHUNK_SIZE } from '@alcove/contract/limits'
import { cancelUpload } from '@alcove/contract/uploads'
import { Button, Group, PasswordInput, Progress } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { send } from '../../api/api.ts'
import { browserConnection } from '../../api/connection.ts'
import { findFileAddress } from '../../api/file-address.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAction } from '../../api/use-call.ts'
import { randomId } from '../../lib/random-id.ts'
import { keepsVersions } from '../../lib/site.ts'
import { openDialog } from '../../ui/dialogs/open-dialog.tsx'
import { notifySuccess } from '../../ui/toasts/notify.tsx'
import { createUploadEnvironment, uploadInChunks } from '../../uploader/chunked-upload.ts'
import { planChunks } from '../../uploader/planner.ts'
import { browserTransport } from '../../uploader/transport.ts'
import { decryptToFile, encryptingSource, envelopeSize } from './crypto/index.ts'
import { textOf } from './failure-message.ts'
import styles from './passphrase/ConfirmPassphraseModal.module.css'
import { PASSPHRASE_MISSING } from './vault-texts.ts'

/** Asks for the old passphrase of a file, and encrypts the file again with the passphrase of the vault. */
export function openReencryptModal(file: StoredFile, newPassphrase: string): void {
  const modalId = openDialog({
    title: 'Other passphrase',
    size: 460,
    closeOnClickOutside: false,
    children: <ReencryptForm file={file} newPassphrase={newPassphrase} onClose={() => modals.close(modalId)} />,
  })
}

interface ReencryptFormProps {
  readonly file: StoredFile
  /** That of the vault when the dialog was opened. The field may be cleared meanwhile, by a new session for example. */
  readonly newPassphrase: string
  readonly onClose: () => void
}

function ReencryptForm({ file, newPassphrase, onClose }: ReencryptFormProps) {
  const queryClient = useQueryClient()
  const [oldPassphrase, setOldPassphrase] = useState('')
  const [problem, setProblem] = useState<string>()
  const [progress, setProgress] = useState(0)
  const running = useRef<AbortController>(undefined)
  const { mutate: reencrypt, isPending } = useAction(async () => {
    const controller = new AbortController()
    const { signal } = controller
    running.current = controller
    try {
      await reencryptFile(file, {
        oldPassphrase,
        newPassphrase,
        signal,
        onProgress: setProgress,
      })
      notifySuccess('File re-encrypted with your passphrase.')
      onClose()
    } finally {
      void queryClient.invalidateQueries({ queryKey: queryKeys.folders })
      void queryClient.invalidateQueries({ queryKey: queryKeys.storage })
    }
  })

  // Closing the dialog aborts, and the stored file stays as it was.
  useEffect(() => () => running.current?.abort(), [])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (oldPassphrase === '') return setProblem(PASSPHRASE_MISSING)
    setProblem(undefined)
    setProgress(0)
    reencrypt(undefined, { onError: (error) => setProblem(describeFailure(error)) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <p className={styles.text}>
        <bdi>{file.name}</bdi> is encrypted with another passphrase than the one you entered. Enter the other one to
        encrypt the file again with yours. The file keeps its place and its link, but links to it that carry the key
        (#key=…) stop working.{' '}
        {keepsVersions && 'The version under the other passphrase stays in the version history until you delete it.'}
      </p>
      <PasswordInput
        label="Other passphrase"
        visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        data-autofocus
        disabled={isPending}
        value={oldPassphrase}
        error={problem}
        onChange={(event) => {
          setOldPassphrase(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      {isPending && <Progress mt="md" value={progress * 100} aria-label={`Re-encrypting ${file.name}`} />}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={isPending}>
          Re-encrypt
        </Button>
      </Group>
    </form>
  )
}

function describeFailure(error: unknown): string {
  if (!(error instanceof FileChanged)) return textOf(error)
  return 'This file was renamed, moved or replaced in the meantime. Close this dialog and check the file.'
}

interface Reencryption {
  readonly oldPassphrase: string
  readonly newPassphrase: string
  readonly signal: AbortSignal
  /** Called with the progress, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** The file was renamed, moved, replaced or deleted in the meantime. */
class FileChanged extends Error {
  override readonly name = 'FileChanged'
}

const environment = createUploadEnvironment({ transport: browserTransport, connection: browserConnection })

/**
 * Decrypts a file with its old passphrase and replaces it by an upload under the new one, with a new salt and IV, in bounded
 * memory. The stored file stays as it is until the upload is complete, so an interrupted re-encryption can be started
 * again. Rejects with a `VaultFailure`, `FileChanged`, the error of an upload, or the reason of the signal.
 */
async function reencryptFile(file: StoredFile, { oldPassphrase, newPassphrase, signal, onProgress }: Reencryption) {
  const { name, mimeType, vaultCheck, modifiedAt } = file
  const address = (options?: { readonly isFresh: boolean }) => findFileAddress(file, options?.isFresh)
  const decrypted = await decryptToFile(address, oldPassphrase, {
    ...{ name, type: mimeType, checkValue: vaultCheck, signal },
    onProgress: (done, size) => onProgress(size === 0 ? 0.5 : done / size / 2),
  })
  try {
    await assertUnchanged(file, signal)
    const plan = planChunks(envelopeSize(decrypted.file.size), FOLDER_CHUNK_SIZE)
    const plain = new File([decrypted.file], name, { lastModified: Date.parse(modifiedAt) })
    const source = encryptingSource(plain, newPassphrase, { chunkSize: plan.chunkSize })
    await replace(file, { source, plan, signal, onProgress: (sent) => onProgress(0.5 + sent / plan.size / 2) })
  } finally {
    await decrypted.discard()
  }
}

type Replacement = Pick<Parameters<typeof uploadInChunks>[0], 'source' | 'plan' | 'signal' | 'onProgress'>

async function replace(file: StoredFile, replacement: Replacement): Promise<void> {
  const uploadId = randomId()
  // The bytes sent so far count against the storage limit until the upload is cancelled.
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

/** Throws `FileChanged` unless the file has its name and folder still, by which it is replaced. */
async function assertUnchanged({ id, name, folder_id, updatedAt }: StoredFile, signal: AbortSignal): Promise<void> {
  const { item } = await send(getItem, { id }, { signal })
  const isSame = item.type === 'file' && item.name === name && item.folder_id === folder_id
  if (!isSame || item.updatedAt !== updatedAt) throw new FileChanged()
}
