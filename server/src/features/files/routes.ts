import {
  downloadItem as downloadItemCall,
  fetchFile as fetchFileCall,
  getDownloadUrl as getDownloadUrlCall,
  getThumbnail as getThumbnailCall,
  getUserFile as getUserFileCall,
} from '@alcove/contract/bytes'
import {
  createFolder as createFolderCall,
  getFolder as getFolderCall,
  getStorage as getStorageCall,
  listFiles as listFilesCall,
  listRootFolders as listRootFoldersCall,
  moveFile as moveFileCall,
  moveFolder as moveFolderCall,
  renameFile as renameFileCall,
  renameFolder as renameFolderCall,
  trashFile as trashFileCall,
  trashFolder as trashFolderCall,
} from '@alcove/contract/files'
import {
  copyItems as copyItemsCall,
  getItem as getItemCall,
  getItemsDownloadUrl as getItemsDownloadUrlCall,
  listItems as listItemsCall,
  moveItems as moveItemsCall,
  trashItems as trashItemsCall,
} from '@alcove/contract/item-calls'
import { MAX_SELECTION_BODY } from '@alcove/contract/limits'
import { searchItems as searchItemsCall } from '@alcove/contract/search'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { copyItems } from './copy-items.ts'
import { createFolder } from './create-folder.ts'
import { downloadItem } from './download-item.ts'
import { fetchFile } from './fetch-file.ts'
import { getDownloadUrl } from './get-download-url.ts'
import { getFolder } from './get-folder.ts'
import { getItem } from './get-item.ts'
import { getItemsDownloadUrl } from './get-items-download-url.ts'
import { getStorage } from './get-storage.ts'
import { getThumbnail } from './get-thumbnail.ts'
import { listFiles } from './list-files.ts'
import { listItems } from './list-items.ts'
import { listRootFolders } from './list-root-folders.ts'
import { moveFile, moveFolder } from './move-item.ts'
import { moveItems } from './move-items.ts'
import { renameFile } from './rename-file.ts'
import { renameFolder } from './rename-folder.ts'
import { searchItems } from './search-items.ts'
import { trashFile, trashFolder } from './trash-item.ts'
import { trashItems } from './trash-items.ts'

export function fileRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listFilesCall, listFiles)
  bindCall(api, services, listRootFoldersCall, listRootFolders)
  bindCall(api, services, getFolderCall, getFolder)
  bindCall(api, services, createFolderCall, createFolder)
  bindCall(api, services, fetchFileCall, fetchFile)
  bindCall(api, services, getUserFileCall, fetchFile)
  bindCall(api, services, getDownloadUrlCall, getDownloadUrl)
  bindCall(api, services, downloadItemCall, downloadItem)
  bindCall(api, services, searchItemsCall, searchItems)
  bindCall(api, services, getStorageCall, getStorage)
  bindCall(api, services, getThumbnailCall, getThumbnail)
  bindCall(api, services, renameFileCall, renameFile)
  bindCall(api, services, renameFolderCall, renameFolder)
  bindCall(api, services, moveFileCall, moveFile)
  bindCall(api, services, moveFolderCall, moveFolder)
  bindCall(api, services, trashFileCall, trashFile)
  bindCall(api, services, trashFolderCall, trashFolder)
  bindCall(api, services, listItemsCall, listItems)
  bindCall(api, services, getItemCall, getItem)
  bindCall(api, services, getItemsDownloadUrlCall, getItemsDownloadUrl, { bodyLimit: MAX_SELECTION_BODY })
  bindCall(api, services, moveItemsCall, moveItems, { bodyLimit: MAX_SELECTION_BODY })
  bindCall(api, services, copyItemsCall, copyItems, { bodyLimit: MAX_SELECTION_BODY })
  bindCall(api, services, trashItemsCall, trashItems, { bodyLimit: MAX_SELECTION_BODY })
}
