import type { File as StoredFile } from '@alcove/contract/items'
import { Button, Group, PasswordInput, Progress } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { notifySuccess } from '../../ui/toasts/notify.tsx'
import { textOf } from './failure-message.ts'
import styles from './passphrase/ConfirmPassphraseModal.module.css'
import { getKnownPassphrase } from './passphrase/check-passphrase.ts'
import { FileChanged, reencryptFile } from './reencrypt-file.ts'
import { PASSPHRASE_MISSING } from './vault-texts.ts'

/** Asks for the old passphrase of a file, and encrypts the file anew under the one in the field. */
export function openReencryptModal(file: StoredFile): void {
  const modalId = modals.open({
    title: 'Other passphrase',
    size: 460,
    closeOnClickOutside: false,
    children: <ReencryptForm file={file} onClose={() => modals.close(modalId)} />,
  })
}

interface ReencryptFormProps {
  readonly file: StoredFile
  readonly onClose: () => void
}

function ReencryptForm({ file, onClose }: ReencryptFormProps) {
  const queryClient = useQueryClient()
  const [oldPassphrase, setOldPassphrase] = useState('')
  const [problem, setProblem] = useState<string>()
  const [share, setShare] = useState(0)
  const [running, setRunning] = useState<AbortController>()

  // Closing the dialog stops it; what is stored stays as it was.
  useEffect(() => () => running?.abort(), [running])

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (running) return
    if (oldPassphrase === '') return setProblem(PASSPHRASE_MISSING)
    const controller = new AbortController()
    const { signal } = controller
    setRunning(controller)
    setProblem(undefined)
    setShare(0)
    try {
      await reencryptFile(file, { oldPassphrase, newPassphrase: getKnownPassphrase(), signal, onProgress: setShare })
      notifySuccess('File re-encrypted with your passphrase.')
      onClose()
    } catch (error) {
      if (!signal.aborted) setProblem(sentenceFor(error))
    } finally {
      setRunning(undefined)
      void queryClient.invalidateQueries({ queryKey: queryKeys.folders })
      void queryClient.invalidateQueries({ queryKey: queryKeys.storage })
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <p className={styles.text}>
        <bdi>{file.name}</bdi> is encrypted with another passphrase than the one you entered. Enter the other one to
        encrypt the file again with yours. The file keeps its place and its link, but links to it that carry the key
        (#key=…) stop working.
      </p>
      <PasswordInput
        label="Other passphrase"
        visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        data-autofocus
        disabled={running !== undefined}
        value={oldPassphrase}
        error={problem}
        onChange={(event) => {
          setOldPassphrase(event.currentTarget.value)
          setProblem(undefined)
        }}
      />
      {running && <Progress mt="md" value={share * 100} aria-label={`Re-encrypting ${file.name}`} />}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={running !== undefined}>
          Re-encrypt
        </Button>
      </Group>
    </form>
  )
}

function sentenceFor(error: unknown): string {
  if (!(error instanceof FileChanged)) return textOf(error)
  return 'This file was renamed, moved or replaced meanwhile. Close this dialog and look at it again.'
}
