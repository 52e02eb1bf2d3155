import type { TileParts } from '../../items/tiles/tile-parts.ts'
import { DecryptFoot } from './DecryptFoot.tsx'
import { isVaultPicture } from './decrypted-pictures.ts'
import { VaultPicture } from './VaultPicture.tsx'

/** How the vault shows its files. */
export const vaultTileParts: TileParts = {
  Picture: VaultPicture,
  showsType: (file) => !isVaultPicture(file),
  footLabel: 'Download & Decrypt',
  Foot: DecryptFoot,
}
