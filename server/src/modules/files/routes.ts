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
import { copyItems } from './changes/copy-items.ts'
import { createFolder } from './changes/create-folder.ts'
import { moveFile, moveFolder } from './changes/move-item.ts'
import { moveItems } from './changes/move-items.ts'
import { renameFile } from './changes/rename-file.ts'
import { renameFolder } from './changes/rename-folder.ts'
import { trashFile, trashFolder } from './changes/trash-item.ts'
import { trashItems } from './changes/trash-items.ts'
import { downloadItem } from './downloads/download-item.ts'
import { fetchFile } from './downloads/fetch-file.ts'
import { getDownloadUrl } from './downloads/get-download-url.ts'
import { getItemsDownloadUrl } from './downloads/get-items-download-url.ts'
import { getThumbnail } from './downloads/get-thumbnail.ts'
import { getFolder } from './listing/get-folder.ts'
import { getItem } from './listing/get-item.ts'
import { getStorage } from './listing/get-storage.ts'
import { listFiles } from './listing/list-files.ts'
import { listItems } from './listing/list-items.ts'
import { listRootFolders } from './listing/list-root-folders.ts'
import { searchItems } from './listing/search-items.ts'

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
