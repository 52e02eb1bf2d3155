import styles from './RecoverySheet.module.css'

interface RecoverySheetProps {
  readonly email: string
  /** Where this Alcove is. */
  readonly site: string
}

/** What whoever finds this sheet has to know to open the vault, with Alcove or without. */
export function RecoverySheet({ email, site }: RecoverySheetProps) {
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
          <span className={styles.note}>write it here by hand, or where it is kept</span>
        </dd>
      </dl>
      <h3>What the vault is</h3>
      <p>
        Files in the vault were encrypted in the browser before they were sent. The service keeps the encrypted bytes
        and the names. It has neither the passphrase nor any key: whoever loses the passphrase loses the files, and
        nobody can give them back. Keep this sheet as you would keep the keys of a house.
      </p>
      <h3>To open a file with Alcove</h3>
      <ol>
        <li>Sign in at the address above and choose Vault.</li>
        <li>Enter the passphrase exactly as it was typed, capital letters and blanks included.</li>
        <li>Choose Download &amp; Decrypt below the file.</li>
      </ol>
      <h3>To open a file without Alcove</h3>
      <ol>
        <li>Have the encrypted file: Download Encrypted in the menu of a file, or Download my data in the account.</li>
        <li>
          Have the decryptor: <code>open-vault-file.html</code>, one page that works in any browser without a network.
          Keep a copy of it with your files.
        </li>
        <li>Open that page, choose the encrypted file, enter the passphrase, and save what comes out.</li>
      </ol>
      <h3>For whoever writes another decryptor</h3>
      <p>
        A file is: salt (16 bytes), IV (12 bytes), ciphertext, tag (16 bytes). The key has 256 bits: PBKDF2 with
        SHA-256, 100,000 rounds, of the passphrase in UTF-8 with that salt. The cipher is AES-256-GCM with that IV,
        without additional data.
      </p>
    </article>
  )
}
