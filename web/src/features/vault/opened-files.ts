import type { File as StoredFile } from '@alcove/contract/items'
import { findFileAddress } from '../../api/file-address.ts'
import { type DecryptedFile, decryptToFile, sweepDecryptedFiles } from './crypto/index.ts'
import { rememberPicture } from './decrypted-pictures.ts'
import { setDecryption } from './decryptions.ts'
import { subscribeToPassphrase } from './passphrase/passphrase.ts'

/** So many decrypted files are kept at hand, for who looks at them again or saves what was looked at. */
const KEPT = 4
/** One that gives way may still be on its way to where the user saves it. */
const DISCARD_DELAY = 5 * 60_000

const opened = new Map<string, Promise<DecryptedFile>>()
let hasOpened = false

/** Whether the passphrase has opened a file already, so that it may be taken for the right one. */
export function hasOpenedFiles(): boolean {
  return hasOpened
}

/** A file of the vault, decrypted and verified. Its tile shows how far it is. Rejects with a `VaultFailure`, or an abort. */
export function openFile(file: StoredFile, passphrase: string): Promise<globalThis.File> {
  const key = `${file.id} ${file.updatedAt}`
  const known = opened.get(key)
  if (known) {
    opened.delete(key)
    opened.set(key, known)
    return known.then((decrypted) => decrypted.file)
  }
  const decrypting = decrypt(file, passphrase)
  opened.set(key, decrypting)
  decrypting.catch(() => opened.delete(key))
  const [oldest] = opened.keys()
  if (opened.size > KEPT && oldest !== undefined) close(oldest)
  return decrypting.then((decrypted) => decrypted.file)
}

async function decrypt(file: StoredFile, passphrase: string): Promise<DecryptedFile> {
  const { id, name, mimeType, vaultCheck } = file
  const controller = new AbortController()
  const cancel = () => controller.abort()
  setDecryption(id, { share: 0, cancel })
  try {
    const decrypted = await decryptToFile((options) => findFileAddress(id, options?.isFresh), passphrase, {
      name,
      type: mimeType,
      checkValue: vaultCheck,
      signal: controller.signal,
      onProgress: (done, size) => setDecryption(id, { share: size === 0 ? 1 : done / size, cancel }),
    })
    hasOpened = true
    void rememberPicture(file, decrypted.file)
    return decrypted
  } finally {
    setDecryption(id, undefined)
  }
}

function close(key: string): void {
  const decrypting = opened.get(key)
  opened.delete(key)
  const discard = () => void decrypting?.then((decrypted) => decrypted.discard()).catch(() => undefined)
  setTimeout(discard, DISCARD_DELAY)
}

// Another passphrase opens other files; and when the session ends there is none.
subscribeToPassphrase(() => {
  hasOpened = false
  for (const key of [...opened.keys()]) close(key)
})

/** Removes what earlier pages left decrypted in the browser's own storage. */
export function sweepDecrypted(): Promise<void> {
  return sweepDecryptedFiles()
}
