import type { Endpoint } from '../../platform/http/api.ts'
import { dismissDeletionGroup, listDeletionGroups, restoreDeletionGroup } from './deletion-groups.ts'
import { listTrash } from './list-trash.ts'
import { deleteFile, deleteFolder, deleteItems, emptyTrash, restoreFile, restoreFolder, restoreItems } from './trash.ts'

/** The calls of this module. */
export const trashEndpoints: readonly Endpoint[] = [
  listTrash,
  restoreFile,
  restoreFolder,
  deleteFile,
  deleteFolder,
  emptyTrash,
  restoreItems,
  deleteItems,
  listDeletionGroups,
  restoreDeletionGroup,
  dismissDeletionGroup,
]
