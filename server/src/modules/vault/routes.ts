import {
  downloadVaultFile as downloadVaultFileCall,
  getVaultFolder as getVaultFolderCall,
  listVaultFiles as listVaultFilesCall,
  listVaultFolders as listVaultFoldersCall,
  sampleVault as sampleVaultCall,
} from '@alcove/contract/vault'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { downloadVaultFile } from './download-vault-file.ts'
import { getVaultFolder } from './get-vault-folder.ts'
import { listVaultFiles, listVaultFolders } from './list-vault.ts'
import { sampleVault } from './sample-vault.ts'

export function vaultRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listVaultFilesCall, listVaultFiles)
  bindCall(api, services, listVaultFoldersCall, listVaultFolders)
  bindCall(api, services, sampleVaultCall, sampleVault)
  bindCall(api, services, getVaultFolderCall, getVaultFolder)
  bindCall(api, services, downloadVaultFileCall, downloadVaultFile)
}
