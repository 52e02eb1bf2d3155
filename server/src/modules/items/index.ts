export { NAMED_ITEMS, noteActivity, noteScattered } from './activity/note-activity.ts'
export { lookUpOnce, NotAsExpected, prepareExpected, runsAtOnce } from './at-once.ts'
export { admitCopies, copyInto } from './bulk/copy-items.ts'
export { getOwnTarget } from './bulk/into-folder.ts'
export { moveAcross } from './bulk/move-across.ts'
export { moveInto } from './bulk/move-items.ts'
export {
  assertNoFailures,
  type ChosenItem,
  keepTopmost,
  listChosen,
  listNamed,
  listTrashed,
  presentChanged,
} from './bulk/selection.ts'
export { bringBackFromTrash, deleteTrashed, hideInTrash } from './bulk/trash.ts'
export { changeGivingWay } from './change-giving-way.ts'
export { changeOwner, measureWholeFolder } from './change-owner.ts'
export { changeTree, lockTree } from './change-tree.ts'
export { changeTrees } from './change-trees.ts'
export { deleteMounts } from './delete-mounts.ts'
export { deleteVersionRows } from './delete-versions.ts'
export { countFiles } from './deletion-guard/count-files.ts'
export { deletePermanently, emptyTrashOf } from './deletion-guard/delete-permanently.ts'
export { massDeletionMailJob } from './deletion-guard/mass-deletion-mail.ts'
export { moveToTrash } from './deletion-guard/move-to-trash.ts'
export { DELETION_WINDOW, isUnprotected, PROTECTED_FOR } from './deletion-guard/protected-items.ts'
export { readFileNumbers } from './file-numbers.ts'
export { folderTag, followFolders, noteChange, noteFilesAdded, readTreeSizes } from './folder-changes.ts'
export {
  addFolder,
  addFolderKeepingBoth,
  insertItem,
  insertItemKeepingBoth,
  nameTaken,
  relocateItem,
  renameItem,
  setModifiedAt,
} from './insert-item.ts'
export { acquireLock, breakLocks, refreshLock, releaseLock, releaseLocksOf } from './locks/acquire-lock.ts'
export { assertUnlocked, nameOf } from './locks/assert-unlocked.ts'
export { type Lock, listLocks } from './locks/find-locks.ts'
export { mayHaveLocks } from './locks/locked-until.ts'
export { sweepLocks } from './locks/sweep-locks.ts'
export { mountRemovalJob, queueMountRemoval } from './mount-removal.ts'
export { assertMayContainMounts, countUnshown, isNoMount, isShown } from './mounts.ts'
export { nameColumns, sortKey, splitExtension } from './names.ts'
export {
  getOwnFile,
  getOwnFileByName,
  getOwnFolder,
  getOwnFolderOrMount,
  getOwnItem,
  getOwnItemOrRoot,
  getOwnListedFile,
  getOwnPlace,
  getOwnTrashed,
  getReadableFolder,
  getReadableItem,
  getReadableItemOrMount,
  type Place,
} from './own-item.ts'
export {
  changeProperties,
  copyProperties,
  deletePropertiesOf,
  type ItemProperty,
  listProperties,
  type PropertyChange,
} from './properties.ts'
export {
  assertMayAddTo,
  assertSpaceFor,
  assertSpaceForItem,
  changeQuota,
  describeSize,
  letNextAssertSpaceForItem,
  takeSpace,
  takingSpace,
} from './quota.ts'
export { isAtOrBelow, isBelow, isGuest, isInReach, isReadable, isSharedWith } from './reach.ts'
export { findCaseTwins } from './read/case-twins.ts'
export { withDamage } from './read/damage-marks.ts'
export { countItemsIn, withItemCounts } from './read/item-counts.ts'
export { measureFolder, measureFolderOnce } from './read/measure-folder.ts'
export { withMark, withMarks } from './read/member-marks.ts'
export {
  type ChildRow,
  columnsOf,
  columnsOfChildren,
  fileResponse,
  type PresentedRow,
  parentOf,
  presentFile,
  presentFolder,
  presentItem,
  withFolder,
  withoutRoot,
} from './read/present-item.ts'
export { findMounts, presentOwnFolder, withMounts } from './read/present-mounts.ts'
export {
  isAfter,
  listFilePages,
  listFileRows,
  listFolderPages,
  listFolderRows,
  readFolder,
} from './read/read-folder.ts'
export { selectGranted } from './read/select-granted.ts'
export { listSharedFolders, readSharedPlaces, type SharedPlace } from './read/shared-places.ts'
export {
  assertDepthBelow,
  isWithin,
  listFoldersBelow,
  listVisibleAncestors,
  measureHeight,
  readFolderPaths,
} from './read/tree-queries.ts'
export { NOTHING_SHARED, readSharedVersions } from './shared-versions.ts'
export { findStorageLevels, noticeStorageLevels } from './storage-levels.ts'
export { getTreeState } from './tree-state.ts'
export { describeVersion, transactAndAnnounce, versionColumns } from './tree-version.ts'
export { listZipEntries, readChildren, type ZippedRow, zipFolder, zipItems, zippedColumns } from './zip-items.ts'
