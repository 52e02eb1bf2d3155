export { assertNoFailures, presentChanged } from './bulk/bulk-change.ts'
export { type ChosenItem, keepTopmost, listChosen, listNamed, listTrashed } from './bulk/chosen-items.ts'
export { copyInto, countCopies } from './bulk/copy-items.ts'
export { deleteTrashed } from './bulk/delete-items.ts'
export { getOwnTarget } from './bulk/into-folder.ts'
export { moveInto } from './bulk/move-items.ts'
export { bringBackFromTrash, hideInTrash } from './bulk/subtree.ts'
export { changeTree, lockTree } from './change-tree.ts'
export { fileResponse } from './file-response.ts'
export { addFolder, insertItem, insertItemKeepingBoth, nameTaken } from './insert-item.ts'
export { nameColumns, nameKey, sortKey, splitExtension } from './names.ts'
export {
  getOwnFile,
  getOwnFileByName,
  getOwnFolder,
  getOwnItem,
  getOwnListedFile,
  getOwnPlace,
  getOwnTrashed,
  type Place,
} from './own-item.ts'
export { assertSpaceFor, assertSpaceForItem, changeQuota, describeSize, takeSpace } from './quota.ts'
export { assertDepthBelow, measureHeight } from './read/depth.ts'
export { readFolderPaths } from './read/folder-paths.ts'
export { isWithin, listAncestors } from './read/item-path.ts'
export { measureFolder, measureFolderOnce } from './read/measure-folder.ts'
export {
  columnsOf,
  type PresentedRow,
  presentFile,
  presentFolder,
  presentItem,
  withoutRoot,
} from './read/present-item.ts'
export { listChildren, readFolder } from './read/read-folder.ts'
export { withItemCounts } from './read/with-item-counts.ts'
export { renameItem, reparentItem } from './rename-item.ts'
export { assertMayAddTo } from './vault-plan.ts'
export { listZipEntries, readChildren, type ZippedRow, zippedColumns } from './zip/zip-entries.ts'
export { zipFolder, zipItems } from './zip/zip-folder.ts'
