import type { TileParts } from '../../ui/items/tile-parts.ts'
import { DecryptFoot } from './DecryptFoot.tsx'
import { VaultPicture } from './VaultPicture.tsx'

/** How the vault shows its files. */
export const vaultTileParts: TileParts = {
  Picture: VaultPicture,
  footLabel: 'Download & Decrypt',
  Foot: DecryptFoot,
}
