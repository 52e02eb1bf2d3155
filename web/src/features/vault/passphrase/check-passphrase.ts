import type { File as StoredFile } from '@alcove/contract/items'
import { sampleVault } from '@alcove/contract/vault'
import { send } from '../../../api/api.ts'
import { findFileAddress } from '../../../api/file-address.ts'
import { decryptToFile, openEnvelope, VaultFailure } from '../crypto/index.ts'
import { getPassphrase, subscribeToPassphrase } from './passphrase.ts'

/**
 * How a passphrase relates to the vault: it opens a file of it, it opens none of those that were tried (`file` is one of
 * them), or nothing can be tried, because the vault is empty or its files have no check values.
 */
export type PassphraseCheck =
  | { readonly kind: 'known' }
  | { readonly kind: 'unknown'; readonly file: StoredFile }
  | { readonly kind: 'untried' }

/** The last passphrase that opened a file; in the memory of this tab, for as long as it stands in the field. */
let lastKnown = ''
const listeners = new Set<() => void>()

function setKnown(passphrase: string): void {
  if (passphrase === lastKnown) return
  lastKnown = passphrase
  for (const listener of listeners) listener()
}

/** The passphrase in the field once it has opened a file of the vault; else ''. */
export function getKnownPassphrase(): string {
  return lastKnown
}

/** Calls `listener` at each change until the returned function is called. */
export function subscribeToKnownPassphrase(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Tries a passphrase on a few files of the vault, of the server's choice: one key derivation when it is right, at most
 * eight when it is wrong. Rejects when the files can't be fetched.
 */
export async function checkPassphrase(passphrase: string, signal?: AbortSignal): Promise<PassphraseCheck> {
  const { files } = await send(sampleVault, {}, { signal })
  if (passphrase === lastKnown && files.length > 0) return { kind: 'known' }
  let unopened: StoredFile | undefined
  for (const file of files) {
    const isOpened = await opens(file, passphrase, signal)
    if (isOpened) {
      if (passphrase === getPassphrase()) setKnown(passphrase)
      return { kind: 'known' }
    }
    if (isOpened === false) unopened ??= file
  }
  return unopened ? { kind: 'unknown', file: unopened } : { kind: 'untried' }
}

/** Whether a passphrase opens a file; undefined when the file itself is damaged. Rejects when it can't be fetched. */
export async function opens(
  { id, name, vaultCheck }: StoredFile,
  passphrase: string,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const ciphertext = (options?: { readonly isFresh: boolean }) => findFileAddress(id, options?.isFresh)
  try {
    if (vaultCheck === undefined) {
      const { discard } = await decryptToFile(ciphertext, passphrase, { name, signal })
      await discard()
    } else {
      await openEnvelope(ciphertext, passphrase, { checkValue: vaultCheck, signal })
    }
    return true
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    switch (error.kind) {
      case 'wrong-passphrase':
      case 'wrong-passphrase-or-damaged':
        return false
      case 'too-short':
      case 'damaged':
        return undefined
      default:
        throw error
    }
  }
}

subscribeToPassphrase(() => setKnown(''))
