import {
  deleteFile as deleteFileCall,
  deleteFolder as deleteFolderCall,
  emptyTrash as emptyTrashCall,
  listTrash as listTrashCall,
  restoreFile as restoreFileCall,
  restoreFolder as restoreFolderCall,
} from '@alcove/contract/trash'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../context.ts'
import { bindCall } from '../../platform/http/api.ts'
import { deleteFile, deleteFolder } from './delete-item.ts'
import { emptyTrash } from './empty-trash.ts'
import { listTrash } from './list-trash.ts'
import { restoreFile, restoreFolder } from './restore-item.ts'

export function trashRoutes(api: FastifyInstance, services: Services): void {
  bindCall(api, services, listTrashCall, listTrash)
  bindCall(api, services, restoreFileCall, restoreFile)
  bindCall(api, services, restoreFolderCall, restoreFolder)
  bindCall(api, services, deleteFileCall, deleteFile)
  bindCall(api, services, deleteFolderCall, deleteFolder)
  bindCall(api, services, emptyTrashCall, emptyTrash)
}
