import type { Endpoint } from '../../platform/http/api.ts'
import { downloadVaultFile, getVaultFolder, listVaultFiles, listVaultFolders, sampleVault } from './vault.ts'

/** The calls of this module. */
export const vaultEndpoints: readonly Endpoint[] = [
  listVaultFiles,
  listVaultFolders,
  sampleVault,
  getVaultFolder,
  downloadVaultFile,
]
