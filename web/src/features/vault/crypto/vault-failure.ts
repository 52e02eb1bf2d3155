/**
 * Why a vault file could not be encrypted or decrypted:
 * - `too-large`: the file is over the limit of AES-GCM
 * - `changed`: the file has changed since a part of it was encrypted; the upload has to start again
 * - `unreadable`: the browser can no longer read the file
 * - `too-short`: fewer bytes than an envelope has: it is not one, or it was truncated
 * - `wrong-passphrase`: the check value says so
 * - `damaged`: the passphrase is correct, but the bytes are not what was encrypted
 * - `wrong-passphrase-or-damaged`: the tag is wrong, and without a check value the reason is unknown
 * - `network`: the bytes could not be fetched
 * - `no-room`: the browser has no space for the decrypted file
 * - `unsupported`: the browser offers no cryptography, as on a page that was loaded over plain HTTP
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

const MESSAGES: Record<VaultFailureKind, string> = {
  'too-large': 'This file is too large for the vault. The limit is 64 GiB.',
  changed: 'The file has changed while it was being encrypted. Choose it again.',
  unreadable: 'The file has changed or can no longer be read. Choose it again.',
  'too-short': 'This is not an encrypted file, or a part of it is missing.',
  'wrong-passphrase': 'The passphrase is wrong.',
  damaged: 'The passphrase is right, but the file is damaged.',
  'wrong-passphrase-or-damaged': 'The passphrase is wrong, or the file is damaged.',
  network: 'The encrypted file could not be fetched.',
  'no-room': 'This browser doesn’t have enough space for the decrypted file.',
  unsupported: 'Browsers allow encryption on HTTPS pages only. Open this page over HTTPS.',
}

/** The `message` is suitable to be shown as a detail; `cause` is the underlying error. */
export class VaultFailure extends Error {
  override readonly name = 'VaultFailure'
  readonly kind: VaultFailureKind

  constructor(kind: VaultFailureKind, cause?: unknown) {
    super(MESSAGES[kind], { cause })
    this.kind = kind
  }
}
