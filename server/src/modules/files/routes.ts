import type { Endpoint } from '../../platform/http/api.ts'
import { copyItems } from './changes/copy-items.ts'
import { createFolder } from './changes/create-folder.ts'
import { moveFile, moveFolder, moveItems } from './changes/move.ts'
import { renameFile, renameFolder } from './changes/rename.ts'
import { trashFile, trashFolder, trashItems } from './changes/trash.ts'
import { getItemsDownloadUrl } from './downloads/download-selection.ts'
import { downloadItem, fetchFile, getDownloadUrl, getThumbnail, getUserFile } from './downloads/file-bytes.ts'
import { breakItemLocks, listItemLocks } from './item-locks.ts'
import { getFolder, getItem, listFiles, listRootFolders } from './listing/get-items.ts'
import { getStorage } from './listing/get-storage.ts'
import { listItems } from './listing/list-items.ts'
import { searchItems } from './listing/search-items.ts'

/** The calls of this module. */
export const fileEndpoints: readonly Endpoint[] = [
  listFiles,
  listRootFolders,
  getFolder,
  createFolder,
  fetchFile,
  getUserFile,
  getDownloadUrl,
  downloadItem,
  searchItems,
  getStorage,
  getThumbnail,
  renameFile,
  renameFolder,
  moveFile,
  moveFolder,
  trashFile,
  trashFolder,
  listItems,
  getItem,
  getItemsDownloadUrl,
  moveItems,
  copyItems,
  trashItems,
  listItemLocks,
  breakItemLocks,
]
