import type { PublicFile } from '@alcove/contract/sharing'
import { Button, PasswordInput } from '@mantine/core'
import { IconEye, IconLockOpen } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { downloadBlob } from '../../../lib/browser-download.ts'
import type { PreviewItem } from '../../../preview/preview-item.ts'
import { previewKindOf } from '../../../preview/preview-kind.ts'
import { sweepDecryptedFiles } from '../crypto/index.ts'
import { textOf } from '../failure-message.ts'
import { PASSPHRASE_MISSING } from '../vault-texts.ts'
import styles from './LinkDecryptor.module.css'
import { openShared, toSharedPreviewItem } from './open-shared.ts'

interface LinkDecryptorProps {
  readonly file: PublicFile
  readonly address: string
  readonly downloadAddress: string
  readonly linkKey?: string
  readonly onShow: (item: PreviewItem) => void
}

/** Opens a shared file of the vault with the key in the link's fragment, or with the passphrase. */
export function LinkDecryptor({ file, address, downloadAddress, linkKey: key, onShow }: LinkDecryptorProps) {
  const [hasFailed, setFailed] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [problem, setProblem] = useState<string>()
  const [share, setShare] = useState<number>()
  const field = useRef<HTMLInputElement>(null)
  const isByKey = key !== undefined && key !== '' && !hasFailed
  const isBusy = share !== undefined
  useEffect(() => void sweepDecryptedFiles(), [])

  async function open(from: string): Promise<globalThis.File | undefined> {
    if (!isByKey && passphrase === '') {
      setProblem(PASSPHRASE_MISSING)
      field.current?.focus()
      return undefined
    }
    setProblem(undefined)
    setShare(0)
    try {
      return await openShared(file, from, isByKey ? { key } : { passphrase }, setShare)
    } catch (error) {
      // A key that does not open it was cut off on the way: then the passphrase may.
      if (isByKey) setFailed(true)
      setProblem(textOf(error))
      return undefined
    } finally {
      setShare(undefined)
    }
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const decrypted = await open(downloadAddress)
    if (decrypted) downloadBlob(decrypted, file.name)
  }

  async function show() {
    if (isBusy) return
    const decrypted = await open(address)
    if (decrypted) onShow(toSharedPreviewItem(file, decrypted))
  }

  return (
    <form className={styles.form} onSubmit={(event) => void save(event)} noValidate>
      <p className={styles.text}>
        {isByKey
          ? 'The link carries its key. It is opened in your browser; the key is not sent anywhere.'
          : 'It is opened in your browser, with the passphrase it was encrypted with. Whoever sent you the link can tell you.'}
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
        <Button type="submit" size="lg" loading={isBusy} leftSection={<IconLockOpen size={20} stroke={1.75} />}>
          {isBusy ? `Decrypting, ${Math.floor((share ?? 0) * 100)}%` : 'Download & Decrypt'}
        </Button>
        {previewKindOf(file.name) && previewKindOf(file.name) !== 'thumbnail' && (
          <Button
            size="lg"
            variant="default"
            disabled={isBusy}
            leftSection={<IconEye size={18} stroke={1.75} />}
            onClick={() => void show()}
          >
            View
          </Button>
        )}
      </div>
    </form>
  )
}
