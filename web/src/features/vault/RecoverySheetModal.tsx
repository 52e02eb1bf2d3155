import { Button, Group, Portal } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useSession } from '../../api/session.ts'
import { downloadFrom } from '../../lib/browser-download.ts'
import { openDialog } from '../../ui/dialogs/open-dialog.tsx'
import styles from './RecoverySheetModal.module.css'

export function openRecoverySheetModal(): void {
  openDialog({ title: 'Recovery Sheet', size: 720, children: <RecoverySheetContent /> })
}

/** Renders the sheet twice: on screen, and outside the page for the printer. */
function RecoverySheetContent() {
  const { email = '' } = useSession()
  const site = window.location.origin
  return (
    <>
      <div className={styles.paper}>
        <RecoverySheet email={email} site={site} />
      </div>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} />}
          onClick={() => downloadFrom('/open-vault-file.html', 'open-vault-file.html')}
        >
          Download the Decryptor
        </Button>
        <Button leftSection={<IconPrinter size={18} stroke={1.75} />} onClick={() => window.print()}>
          Print
        </Button>
      </Group>
      <Portal reuseTargetNode={false} className={styles.printed}>
        <RecoverySheet email={email} site={site} />
      </Portal>
    </>
  )
}

interface RecoverySheetProps {
  readonly email: string
  /** The address of this Alcove. */
  readonly site: string
}

/** Everything one needs to know to open the vault, with Alcove or without. */
function RecoverySheet({ email, site }: RecoverySheetProps) {
  return (
    <article className={styles.sheet}>
      <h2>Alcove vault: recovery sheet</h2>
      <dl>
        <dt>Account</dt>
        <dd>{email}</dd>
        <dt>Address</dt>
        <dd>{site}</dd>
        <dt>Master passphrase</dt>
        <dd className={styles.blank}>
          <span className={styles.note}>write it here by hand, or note where you keep it</span>
        </dd>
      </dl>
      <h3>What the vault is</h3>
      <p>
        Files in the vault were encrypted in the browser before they were sent. The service stores the encrypted bytes
        and the names. It has neither the passphrase nor any key. If you lose the passphrase, you lose the files, and
        nobody can recover them. Keep this sheet as safe as your house keys.
      </p>
      <h3>To open a file with Alcove</h3>
      <ol>
        <li>Sign in at the address above and choose Vault.</li>
        <li>Enter the passphrase exactly as it was typed, including capital letters and spaces.</li>
        <li>Choose Download &amp; Decrypt below the file.</li>
      </ol>
      <h3>To open a file without Alcove</h3>
      <ol>
        <li>
          Get the encrypted file: choose Download Encrypted in the menu of a file, or Download my data on the Account
          page.
        </li>
        <li>
          Get the decryptor: <code>open-vault-file.html</code>, a page that works offline in any browser. Keep a copy of
          it with your files.
        </li>
        <li>Open that page, choose the encrypted file, enter the passphrase, and save the decrypted file.</li>
      </ol>
      <h3>For developers of other decryptors</h3>
      <p>
        A file consists of a salt (16 bytes), an IV (12 bytes), the ciphertext and a tag (16 bytes). The 256-bit key is
        derived from the passphrase in UTF-8 and the salt by PBKDF2 with SHA-256 and 100,000 iterations. The cipher is
        AES-256-GCM with that IV, without additional data.
      </p>
    </article>
  )
}
