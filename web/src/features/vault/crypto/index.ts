/**
 * The door to the vault's cryptography. It imports nothing from outside its folder, and nothing outside imports another
 * module of it. What is promised, and what is not, stands in the README.
 */

export { type DecryptedFile, decryptToFile } from './decrypt-to-file.ts'
export { type EncryptingSource, encryptingSource } from './encrypting-source.ts'
export { envelopeSize, isEncryptable } from './envelope.ts'
export { exportKey, importKey } from './file-key.ts'
export { openEnvelope } from './open-envelope.ts'
export { sweepDecryptedFiles } from './private-file.ts'
export { VaultFailure } from './vault-failure.ts'
export { canPlayVaultMedia, openVaultMedia, type VaultMedia } from './vault-media.ts'
