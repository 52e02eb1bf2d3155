import { MAX_SELECTION_BODY } from '@alcove/contract/limits'
import {
  deleteFile as deleteFileCall,
  deleteFolder as deleteFolderCall,
  deleteItems as deleteItemsCall,
  emptyTrash as emptyTrashCall,
  listTrash as listTrashCall,
  restoreFile as restoreFileCall,
  restoreFolder as restoreFolderCall,
  restoreItems as restoreItemsCall,
} from '@alcove/contract/trash'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { deleteFile, deleteFolder } from './delete-item.ts'
import { deleteItems } from './delete-items.ts'
import { emptyTrash } from './empty-trash.ts'
import { listTrash } from './list-trash.ts'
import { restoreFile, restoreFolder } from './restore-item.ts'
import { restoreItems } from './restore-items.ts'

export function trashRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listTrashCall, listTrash)
  bindCall(api, services, restoreFileCall, restoreFile)
  bindCall(api, services, restoreFolderCall, restoreFolder)
  bindCall(api, services, deleteFileCall, deleteFile)
  bindCall(api, services, deleteFolderCall, deleteFolder)
  bindCall(api, services, emptyTrashCall, emptyTrash)
  bindCall(api, services, restoreItemsCall, restoreItems, { bodyLimit: MAX_SELECTION_BODY })
  bindCall(api, services, deleteItemsCall, deleteItems, { bodyLimit: MAX_SELECTION_BODY })
}
