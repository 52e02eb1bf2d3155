/**
 * Why a vault file could not be encrypted or decrypted:
 * - `too-large`: the file is over the limit of AES-GCM
 * - `changed`: the file is not what it was when a part of it was encrypted first; it has to start again
 * - `unreadable`: the browser can no longer read the file
 * - `too-short`: fewer bytes than an envelope has, so it is none of ours or was cut off
 * - `wrong-passphrase`: the check value says so
 * - `damaged`: the passphrase is right, the bytes are not what was encrypted
 * - `wrong-passphrase-or-damaged`: the tag is wrong, and without a check value nobody can tell which
 * - `network`: the bytes could not be fetched
 * - `no-room`: the browser has no room for the decrypted file
 * - `unsupported`: the browser offers no cryptography, as on a page that came by plain HTTP
 */
export type VaultFailureKind =
  | 'too-large'
  | 'changed'
  | 'unreadable'
  | 'too-short'
  | 'wrong-passphrase'
  | 'damaged'
  | 'wrong-passphrase-or-damaged'
  | 'network'
  | 'no-room'
  | 'unsupported'

const WORDS: Record<VaultFailureKind, string> = {
  'too-large': 'This file is too large for the vault, which takes files of up to 64 GiB.',
  changed: 'The file has changed while it was being encrypted. Choose it again.',
  unreadable: 'The file has changed or can no longer be read. Choose it again.',
  'too-short': 'This is not an encrypted file, or a part of it is missing.',
  'wrong-passphrase': 'The passphrase is wrong.',
  damaged: 'The passphrase is right, but the file is damaged.',
  'wrong-passphrase-or-damaged': 'The passphrase is wrong, or the file is damaged.',
  network: 'The encrypted file could not be fetched.',
  'no-room': 'This browser has no room for the decrypted file.',
  unsupported: 'This browser offers no encryption here. Open the page by HTTPS.',
}

/** Says by its `kind` what went wrong; `message` is fit to show as a detail, `cause` is what happened. */
export class VaultFailure extends Error {
  override readonly name = 'VaultFailure'
  readonly kind: VaultFailureKind

  constructor(kind: VaultFailureKind, cause?: unknown) {
    super(WORDS[kind], { cause })
    this.kind = kind
  }
}
