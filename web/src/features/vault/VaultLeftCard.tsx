import { getItemsDownloadUrl, listItems } from '@alcove/contract/item-calls'
import { Button } from '@mantine/core'
import { IconDownload, IconFileText, IconLockOpen } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { sentenceOf } from '../../api/sentence-of.ts'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import { plural } from '../../lib/format.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { Card } from '../../ui/Card.tsx'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { listFolder } from './list-vault-files.ts'
import { needPassphrase } from './passphrase/ask-passphrase.ts'
import { showRecoverySheet } from './recovery/show-recovery-sheet.ts'
import styles from './VaultLeftCard.module.css'
import { DOWNLOAD_FAILED } from './vault-texts.ts'

const zip = lazyModule(() => import('./download-as-zip.ts'))

/** What a plan that has ended left in the vault, whose screen is gone: the way to take it out. Nothing where it is empty. */
export function VaultLeftCard({ className }: { readonly className?: string }) {
  const { data } = useQuery({
    queryKey: [...queryKeys.folder(VAULT_ROOT), 'left'],
    queryFn: ({ signal }) => send(listItems, { vault: true, limit: 1 }, { signal }),
  })
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const [isBusy, setBusy] = useState(false)
  const total = data?.total ?? 0
  if (total === 0) return null

  async function takeOut() {
    const passphrase = await needPassphrase()
    if (passphrase === undefined) return
    setBusy(true)
    try {
      const [{ downloadAsZip }, items] = await Promise.all([zip.load(), listFolder(undefined)])
      await downloadAsZip(items, { passphrase, name: 'Vault', onProgress: (done, all) => setProgress({ done, all }) })
    } catch {
      notifyError(DOWNLOAD_FAILED)
    } finally {
      setBusy(false)
      setProgress(undefined)
    }
  }

  async function takeOutEncrypted() {
    try {
      const allIn = { folderId: null, isEncrypted: true }
      downloadFrom((await send(getItemsDownloadUrl, { allIn })).url)
    } catch (error) {
      notifyError(sentenceOf(error) ?? DOWNLOAD_FAILED)
    }
  }

  return (
    <div className={className}>
      <Card title="What is in your vault">
        <p className={styles.text}>
          The vault is part of the paid plans. {plural(total, 'item')} at its root, with all that is in folders, stay
          there until you delete them or your account. Here you can take them out: decrypted in this browser, or as they
          are kept.
        </p>
        <div className={styles.buttons}>
          <Button
            loading={isBusy}
            leftSection={<IconLockOpen size={18} stroke={1.75} />}
            onClick={() => void takeOut()}
          >
            {progress ? `Decrypting ${progress.done} of ${progress.all}` : 'Decrypt and Download'}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} stroke={1.75} />}
            onClick={() => void takeOutEncrypted()}
          >
            Download Encrypted
          </Button>
          <Button variant="subtle" leftSection={<IconFileText size={18} stroke={1.75} />} onClick={showRecoverySheet}>
            Recovery sheet
          </Button>
        </div>
      </Card>
    </div>
  )
}
