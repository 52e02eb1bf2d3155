import { getItemsDownloadUrl, listItems } from '@alcove/contract/item-calls'
import { Button } from '@mantine/core'
import { IconDownload, IconFileText, IconLockOpen } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send, sentenceOf } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import { plural } from '../../lib/format.ts'
import { lazyModule } from '../../lib/lazy-module.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { needPassphrase, setPassphrase } from './passphrase/passphrase.ts'
import { showRecoverySheet } from './show-recovery-sheet.ts'
import styles from './VaultLeftCard.module.css'
import { DOWNLOAD_FAILED } from './vault-texts.ts'

const zip = lazyModule(() => import('./download-as-zip.ts'))

/** Offers to download what is still in the vault after a paid plan has ended. Shows nothing if the vault is empty. */
export function VaultLeftCard({ className }: { readonly className?: string }) {
  const { data } = useQuery({
    queryKey: [...queryKeys.folder(VAULT_ROOT), 'left'],
    queryFn: ({ signal }) => send(listItems, { vault: true, limit: 1 }, { signal }),
  })
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const [isBusy, setBusy] = useState(false)
  const total = data?.total ?? 0
  if (total === 0) return null

  async function download() {
    const passphrase = await needPassphrase()
    if (passphrase === undefined) return
    setBusy(true)
    try {
      const { downloadAsZip, listFolder } = await zip.load()
      const isSaved = await downloadAsZip(await listFolder(undefined), {
        passphrase,
        name: 'Vault',
        onProgress: (done, all) => setProgress({ done, all }),
      })
      // This page has no field in which a wrong passphrase could be corrected.
      if (!isSaved) setPassphrase('')
    } catch {
      notifyError(DOWNLOAD_FAILED)
    } finally {
      setBusy(false)
      setProgress(undefined)
    }
  }

  async function downloadEncrypted() {
    try {
      const allIn = { folderId: null, isEncrypted: true }
      downloadFrom((await send(getItemsDownloadUrl, { allIn })).url)
    } catch (error) {
      notifyError(sentenceOf(error) ?? DOWNLOAD_FAILED)
    }
  }

  return (
    <div className={className}>
      <Card title="Contents of your vault">
        <p className={styles.text}>
          The vault is part of the paid plans. It still contains {plural(total, 'item')} at its root, which stay there
          until you delete them or your account. You can download everything here, decrypted in this browser or still
          encrypted.
        </p>
        <div className={styles.buttons}>
          <BusyButton
            loading={isBusy}
            leftSection={<IconLockOpen size={18} stroke={1.75} />}
            onClick={() => void download()}
          >
            {progress ? `Decrypting ${progress.done} of ${progress.all}` : 'Decrypt and Download'}
          </BusyButton>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} stroke={1.75} />}
            onClick={() => void downloadEncrypted()}
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
