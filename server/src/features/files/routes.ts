import {
  createFolder as createFolderCall,
  downloadItem as downloadItemCall,
  fetchFile as fetchFileCall,
  getDownloadUrl as getDownloadUrlCall,
  getFolder as getFolderCall,
  getStorage as getStorageCall,
  getUserFile as getUserFileCall,
  listFiles as listFilesCall,
  listRootFolders as listRootFoldersCall,
  moveFile as moveFileCall,
  moveFolder as moveFolderCall,
  renameFile as renameFileCall,
  renameFolder as renameFolderCall,
  trashFile as trashFileCall,
  trashFolder as trashFolderCall,
} from '@alcove/contract/files'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { createFolder } from './create-folder.ts'
import { downloadItem } from './download-item.ts'
import { fetchFile } from './fetch-file.ts'
import { getDownloadUrl } from './get-download-url.ts'
import { getFolder } from './get-folder.ts'
import { getStorage } from './get-storage.ts'
import { listFiles } from './list-files.ts'
import { listRootFolders } from './list-root-folders.ts'
import { moveFile, moveFolder } from './move-item.ts'
import { renameFile } from './rename-file.ts'
import { renameFolder } from './rename-folder.ts'
import { trashFile, trashFolder } from './trash-item.ts'

export function fileRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listFilesCall, listFiles)
  bindCall(api, services, listRootFoldersCall, listRootFolders)
  bindCall(api, services, getFolderCall, getFolder)
  bindCall(api, services, createFolderCall, createFolder)
  bindCall(api, services, fetchFileCall, fetchFile)
  bindCall(api, services, getUserFileCall, fetchFile)
  bindCall(api, services, getDownloadUrlCall, getDownloadUrl)
  bindCall(api, services, downloadItemCall, downloadItem)
  bindCall(api, services, getStorageCall, getStorage)
  bindCall(api, services, renameFileCall, renameFile)
  bindCall(api, services, renameFolderCall, renameFolder)
  bindCall(api, services, moveFileCall, moveFile)
  bindCall(api, services, moveFolderCall, moveFolder)
  bindCall(api, services, trashFileCall, trashFile)
  bindCall(api, services, trashFolderCall, trashFolder)
}
