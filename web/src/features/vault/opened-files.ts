import type { File as StoredFile } from '@alcove/contract/items'
import { findFileAddress } from '../../api/file-address.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { type DecryptedFile, decryptToFile, sweepDecryptedFiles } from './crypto/index.ts'
import { rememberPicture } from './decrypted-pictures.ts'
import { getPassphrase, subscribeToPassphrase } from './passphrase/passphrase.ts'

/** A file of the vault, or an earlier version of one. */
export type OpenableFile = StoredFile & { readonly versionId?: string }

/** The number of decrypted files that are cached, for viewing again or for saving after viewing. */
const MAX_CACHED = 4
/** The delay before an evicted file is removed, since the browser may still be saving it. */
const DISCARD_DELAY = 5 * 60_000

const opened = new Map<string, Promise<DecryptedFile>>()
let hasOpened = false

/** Returns whether the passphrase has opened a file, and so is probably correct. */
export function hasOpenedFiles(): boolean {
  return hasOpened
}

/** Decrypts and verifies a file; its tile shows the progress. Rejects with a `VaultFailure`, or an `AbortError`. */
export function openFile(file: OpenableFile, passphrase: string): Promise<globalThis.File> {
  const key = keyOf(file)
  const known = opened.get(key)
  if (known) {
    opened.delete(key)
    opened.set(key, known)
    return known.then((decrypted) => decrypted.file)
  }
  const decrypting = decrypt(file, passphrase)
  opened.set(key, decrypting)
  decrypting.catch(() => {
    // Another passphrase may have begun to open the file meanwhile.
    if (opened.get(key) === decrypting) opened.delete(key)
  })
  const [oldest] = opened.keys()
  if (opened.size > MAX_CACHED && oldest !== undefined) close(oldest)
  return decrypting.then((decrypted) => decrypted.file)
}

async function decrypt(file: OpenableFile, passphrase: string): Promise<DecryptedFile> {
  const { id, versionId, name, mimeType, vaultCheck } = file
  const controller = new AbortController()
  const cancel = () => controller.abort()
  // The tile shows the decryption that began last: an earlier one may have another passphrase.
  const isShown = () => decryptions.get().get(id)?.cancel === cancel
  setDecryption(id, { share: 0, cancel })
  try {
    const decrypted = await decryptToFile((options) => findFileAddress(file, options?.isFresh), passphrase, {
      name,
      type: mimeType,
      checkValue: vaultCheck,
      signal: controller.signal,
      onProgress: (done, size) => isShown() && setDecryption(id, { share: size === 0 ? 1 : done / size, cancel }),
    })
    if (passphrase === getPassphrase()) hasOpened = true
    if (versionId === undefined) void rememberPicture(file, decrypted.file)
    return decrypted
  } finally {
    if (isShown()) setDecryption(id, undefined)
  }
}

/** Identifies the bytes of a file. */
export function keyOf({ id, versionId, updatedAt }: OpenableFile): string {
  return versionId === undefined ? `${id} ${updatedAt}` : `${id} ${versionId}`
}

function close(key: string): void {
  const decrypting = opened.get(key)
  opened.delete(key)
  const discard = () => void decrypting?.then((decrypted) => decrypted.discard()).catch(() => undefined)
  setTimeout(discard, DISCARD_DELAY)
}

// Another passphrase opens other files, and the end of the session clears it.
subscribeToPassphrase(() => {
  hasOpened = false
  for (const key of [...opened.keys()]) close(key)
})

/** Removes decrypted files that earlier pages left in the private storage of the browser. */
export function sweepDecrypted(): Promise<void> {
  return sweepDecryptedFiles()
}

interface Decryption {
  /** The progress, from 0 to 1. */
  readonly share: number
  readonly cancel: () => void
}

/** The running decryptions, by the id of their file. */
const decryptions = createStore<ReadonlyMap<string, Decryption>>(new Map())

function setDecryption(fileId: string, decryption: Decryption | undefined): void {
  const next = new Map(decryptions.get())
  if (decryption) next.set(fileId, decryption)
  else next.delete(fileId)
  decryptions.set(next)
}

/** Returns the decryption of a file, while it is running. */
export function useDecryption(fileId: string): Decryption | undefined {
  return useStore(decryptions, (all) => all.get(fileId))
}
