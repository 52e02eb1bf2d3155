/**
 * The public interface of the vault's cryptography, which imports nothing from outside its folder. Nothing outside imports
 * another file of it. The README says what it guarantees, and what it doesn't.
 */

export { type DecryptedFile, decryptToFile, openEnvelope } from './decrypt.ts'
export { type EncryptingSource, encryptingSource } from './encrypting-source.ts'
export { envelopeSize, isEncryptable } from './envelope.ts'
export { exportKey, importKey } from './file-key.ts'
export { sweepDecryptedFiles } from './private-file.ts'
export { VaultFailure } from './vault-failure.ts'
export { canPlayVaultMedia, openVaultMedia, type VaultMedia } from './vault-media.ts'
