import { previewKindOf } from '@alcove/contract/preview-kind'
import type { PublicFile } from '@alcove/contract/sharing'
import { Button, PasswordInput } from '@mantine/core'
import { IconEye, IconLockOpen } from '@tabler/icons-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useAction } from '../../../api/use-call.ts'
import { downloadBlob } from '../../../lib/browser-download.ts'
import type { PreviewItem } from '../../../preview/preview-item.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { type DecryptedFile, decryptToFile, importKey, sweepDecryptedFiles, VaultFailure } from '../crypto/index.ts'
import { textOf } from '../failure-message.ts'
import { PASSPHRASE_MISSING } from '../vault-texts.ts'
import styles from './LinkDecryptor.module.css'

interface LinkDecryptorProps {
  readonly file: PublicFile
  readonly address: string
  readonly downloadAddress: string
  readonly linkKey?: string
  readonly onShow?: (item: PreviewItem) => void
}

interface Decryption {
  /** The address of the encrypted bytes. */
  readonly from: string
  /** Also called if the form is closed meanwhile. */
  readonly onOpened: (decrypted: globalThis.File) => void
}

/** Decrypts a shared file of the vault with the key in the fragment of the link, or with the passphrase. */
export function LinkDecryptor({ file, address, downloadAddress, linkKey: key, onShow }: LinkDecryptorProps) {
  const [hasFailed, setFailed] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [problem, setProblem] = useState<string>()
  const [progress, setProgress] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const isByKey = key !== undefined && key !== '' && !hasFailed
  const { mutate: decrypt, isPending } = useAction(async ({ from, onOpened }: Decryption) =>
    onOpened(await openShared(file, from, isByKey ? { key } : { passphrase }, setProgress)),
  )
  useEffect(() => void sweepDecryptedFiles(), [])

  function open(decryption: Decryption) {
    if (!isByKey && passphrase === '') {
      setProblem(PASSPHRASE_MISSING)
      field.current?.focus()
      return
    }
    setProblem(undefined)
    setProgress(0)
    decrypt(decryption, {
      onError: (error) => {
        // A key that doesn't open the file was probably truncated. The passphrase still may.
        if (isByKey) setFailed(true)
        setProblem(textOf(error))
      },
    })
  }

  function save(event: SubmitEvent) {
    event.preventDefault()
    open({ from: downloadAddress, onOpened: (decrypted) => downloadBlob(decrypted, file.name) })
  }

  function show() {
    open({ from: address, onOpened: (decrypted) => onShow?.(toSharedPreviewItem(file, decrypted)) })
  }

  return (
    <form className={styles.form} onSubmit={save} noValidate>
      <p className={styles.text}>
        {isByKey
          ? 'The link contains the key. The file is decrypted in your browser, and the key is not sent anywhere.'
          : 'The file is decrypted in your browser, with the passphrase it was encrypted with. Ask the person who sent you the link.'}
      </p>
      {!isByKey && (
        <PasswordInput
          ref={field}
          className={styles.field}
          label="Passphrase"
          size="md"
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
          value={passphrase}
          error={problem}
          onChange={(event) => {
            setPassphrase(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
      )}
      {isByKey && problem && <p role="alert">{problem}</p>}
      <div className={styles.buttons}>
        <BusyButton type="submit" size="lg" loading={isPending} leftSection={<IconLockOpen size={20} stroke={1.75} />}>
          {isPending ? `Decrypting, ${Math.floor(progress * 100)}%` : 'Download & Decrypt'}
        </BusyButton>
        {onShow && previewKindOf(file.name) && previewKindOf(file.name) !== 'thumbnail' && (
          <Button
            size="lg"
            variant="default"
            disabled={isPending}
            leftSection={<IconEye size={18} stroke={1.75} />}
            onClick={show}
          >
            View
          </Button>
        )}
      </div>
    </form>
  )
}

type Given = { readonly key: string } | { readonly passphrase: string }

/** The delay before a decrypted file is removed, since the browser may still be saving it. */
const DISCARD_DELAY = 5 * 60_000

/** The file that was decrypted last, so that viewing and then saving it decrypts it once. */
let opened: { readonly version: string; readonly decrypted: DecryptedFile } | undefined

/** Decrypts and verifies a shared file of the vault. Rejects with a `VaultFailure`. */
async function openShared(
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

/** Returns a decrypted file for the preview. Its address is valid until the page is closed. */
function toSharedPreviewItem({ id, updatedAt, name, mimeType, modifiedAt }: PublicFile, decrypted: Blob): PreviewItem {
  const url = URL.createObjectURL(decrypted)
  return { id, version: updatedAt, name, mimeType, size: decrypted.size, modifiedAt, url: async () => url }
}
