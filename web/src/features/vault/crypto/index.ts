/**
 * The door to the vault's cryptography. It imports nothing from outside its folder, and nothing outside imports another
 * module of it. What is promised, and what is not, stands in the README.
 */

export type { Ciphertext } from './ciphertext.ts'
export { type DecryptedFile, type DecryptOptions, decryptToFile } from './decrypt-to-file.ts'
export { type EncryptingOptions, type EncryptingSource, encryptingSource } from './encrypting-source.ts'
export {
  type EnvelopeHeader,
  envelopeSize,
  isEncryptable,
  MAX_ENCRYPTABLE_SIZE,
  type Seal,
  sizeInEnvelope,
} from './envelope.ts'
export { deriveKey, exportKey, type FileKey, importKey, type Secret } from './file-key.ts'
export { decryptRange, type OpenedEnvelope, type OpenOptions, openEnvelope } from './open-envelope.ts'
export { sweepDecryptedFiles } from './private-file.ts'
export { VaultFailure, type VaultFailureKind } from './vault-failure.ts'
export { canPlayVaultMedia, openVaultMedia, type VaultMedia } from './vault-media.ts'
