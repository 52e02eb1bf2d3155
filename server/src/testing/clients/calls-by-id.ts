import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@alcove/contract/call'
import { callsByArea } from '@alcove/contract/calls'
import type { OwnedResources } from '../factories/owned-resources.ts'

const { accounts, activity, favorites, files, media, members, notices, sharing, trash, uploads, vault, versions } =
  callsByArea

/** A call that identifies resources by ids or names. */
export interface CallById {
  call: AnyCall
  /** Returns an input that works for the owner. */
  input(own: OwnedResources): Record<string, unknown>
  /** The fields of the input that identify a resource. */
  idFields: string[]
  /** The status that a stranger gets; 404 if undefined. */
  strangerStatus?: number
}

const byId = (call: AnyCall, id: keyof OwnedResources): CallById => ({
  call,
  input: (own) => ({ id: own[id], ...OTHER_FIELDS[call.path] }),
  idFields: ['id'],
})

/** Required fields of calls other than the id. */
const OTHER_FIELDS: Record<string, Record<string, unknown>> = {
  '/account/passkey/{id}': { name: 'renamed' },
  '/rename-folder/{id}': { newName: 'renamed' },
  '/public-link/{id}': { enabled: true },
  '/folders/{id}/members': { email: 'someone@example.com', role: 'viewer' },
}

const bySelection = (
  call: AnyCall,
  fields: (own: OwnedResources) => Record<string, unknown> = () => ({}),
): CallById[] => [
  {
    call,
    input: (own) => ({ itemIds: [own.file], ...fields(own) }),
    idFields: ['itemIds', ...Object.keys(fields({} as OwnedResources))],
  },
  { call, input: (own) => ({ allIn: { folderId: own.folder }, ...fields(own) }), idFields: ['allIn'] },
]

const byName = (call: AnyCall): CallById[] => [
  { call, input: (own) => ({ filename: own.fileName }), idFields: ['filename'] },
  { call, input: (own) => ({ filename: own.nameInFolder, folderId: own.folder }), idFields: ['filename', 'folderId'] },
]

/** Whoever has a signed URL can read the bytes, so it must work for nothing else. */
const signed = (call: AnyCall, id: 'file' | 'video', grant: 'download' | 'stream', fields = {}): CallById => ({
  call,
  input: (own) => ({ ...own[grant], ...fields, id: own[id] }),
  idFields: ['id', 'owner'],
  strangerStatus: 403,
})

const ofVersion = (call: AnyCall, fields = {}): CallById => ({
  call,
  input: (own) => ({ id: own.versioned, versionId: own.version, ...fields }),
  idFields: ['id', 'versionId'],
})

const inLink = (call: AnyCall, id: 'sharedFile' | 'sharedVideo' | 'sharedFolder', fields = {}): CallById => ({
  call,
  input: (own) => ({ token: own.linkToken, id: own[id], ...fields }),
  idFields: ['id'],
})

const favorite = (own: OwnedResources) => ({ itemType: 'file', itemId: own.file })
const newUpload = (own: OwnedResources) => ({
  uploadId: randomUUID(),
  filename: own.uploadName,
  chunkIndex: 0,
  totalChunks: 1,
})

/** Every call that identifies a resource of a user, with an input that works for its owner. */
export const callsById: readonly CallById[] = [
  byId(accounts.endSession, 'session'),
  byId(accounts.renamePasskey, 'passkey'),
  byId(accounts.removePasskey, 'passkey'),
  byId(accounts.unlinkIdentity, 'identity'),
  byId(accounts.revokeAppPassword, 'appPassword'),
  {
    call: accounts.createAppPassword,
    input: (own) => ({ name: 'app', scope: 'read', folderId: own.folder }),
    idFields: ['folderId'],
  },
  { call: accounts.downloadData, input: (own) => own.account, idFields: ['owner'], strangerStatus: 403 },

  { call: files.listFiles, input: (own) => ({ folderId: own.folder }), idFields: ['folderId'] },
  { call: files.listItems, input: (own) => ({ folderId: own.folder }), idFields: ['folderId'] },
  { call: activity.listActivity, input: (own) => ({ folderId: own.folder }), idFields: ['folderId'] },
  byId(files.getFolder, 'folder'),
  byId(files.getItem, 'file'),
  byId(files.getItem, 'vaultFile'),
  {
    call: files.createFolder,
    input: (own) => ({ folderName: 'new', parentFolderId: own.folder }),
    idFields: ['parentFolderId'],
  },
  ...byName(files.fetchFile),
  ...byName(files.getUserFile),
  byId(files.getDownloadUrl, 'file'),
  byId(files.getDownloadUrl, 'folder'),
  signed(files.downloadItem, 'file', 'download'),
  byId(files.getThumbnail, 'file'),
  {
    call: files.renameFile,
    input: (own) => ({ oldFilename: own.nameInFolder, newName: 'renamed', folderId: own.folder }),
    idFields: ['oldFilename', 'folderId'],
  },
  {
    call: files.renameFile,
    input: (own) => ({ oldFilename: 'any name', newName: 'renamed', fileId: own.file }),
    idFields: ['fileId'],
  },
  byId(files.renameFolder, 'folder'),
  {
    call: files.moveFile,
    input: (own) => ({ fileId: own.file, targetFolderId: own.folder }),
    idFields: ['fileId', 'targetFolderId'],
  },
  {
    call: files.moveFolder,
    input: (own) => ({ folderId: own.otherFolder, targetFolderId: own.folder }),
    idFields: ['folderId', 'targetFolderId'],
  },
  byId(files.trashFile, 'file'),
  byId(files.trashFile, 'vaultFile'),
  byId(files.trashFolder, 'folder'),
  byId(files.listItemLocks, 'file'),
  byId(files.breakItemLocks, 'folder'),
  ofVersion(files.getDownloadUrl),
  ofVersion(files.getThumbnail),
  ...bySelection(files.moveItems, (own) => ({ targetFolderId: own.otherFolder })),
  ...bySelection(files.copyItems, (own) => ({ targetFolderId: own.otherFolder })),
  ...bySelection(files.trashItems),
  ...bySelection(files.getItemsDownloadUrl),

  {
    call: uploads.uploadChunk,
    input: (own) => ({ ...newUpload(own), uploadId: own.halfUpload, totalChunks: 2 }),
    idFields: ['uploadId'],
  },
  { call: uploads.uploadChunk, input: (own) => ({ ...newUpload(own), folderId: own.folder }), idFields: ['folderId'] },
  {
    call: uploads.uploadChunk,
    input: (own) => ({ ...newUpload(own), parentFolderId: own.folder, relativePath: `a/${own.uploadName}` }),
    idFields: ['parentFolderId'],
  },
  {
    call: uploads.completeUpload,
    input: (own) => ({ uploadId: own.wholeUpload, folderId: own.folder }),
    idFields: ['uploadId', 'folderId'],
  },
  {
    call: uploads.completeUpload,
    input: (own) => ({ uploadId: own.wholeUpload, parentFolderId: own.folder, relativePath: `a/${own.uploadName}` }),
    idFields: ['parentFolderId'],
  },
  { call: uploads.getUpload, input: (own) => ({ uploadId: own.halfUpload }), idFields: ['uploadId'] },
  { call: uploads.cancelUpload, input: (own) => ({ uploadId: own.halfUpload }), idFields: ['uploadId'] },
  {
    call: uploads.createFolderPaths,
    input: (own) => ({ parentFolderId: own.folder, folderPaths: ['a/b'] }),
    idFields: ['parentFolderId'],
  },

  { call: files.searchItems, input: (own) => ({ q: 'a', folderId: own.folder }), idFields: ['folderId'] },

  { call: versions.listVersions, input: (own) => ({ id: own.versioned }), idFields: ['id'] },
  ofVersion(versions.renameVersion, { name: 'renamed' }),
  ofVersion(versions.restoreVersion),
  ofVersion(versions.deleteVersion),

  { call: vault.getVaultFolder, input: (own) => ({ folderId: own.vaultFolder }), idFields: ['folderId'] },
  { call: vault.downloadVaultFile, input: (own) => ({ filename: own.vaultFileName }), idFields: ['filename'] },
  {
    call: vault.downloadVaultFile,
    input: (own) => ({ filename: own.nameInVaultFolder, folderId: own.vaultFolder }),
    idFields: ['filename', 'folderId'],
  },

  { call: favorites.addFavorite, input: favorite, idFields: ['itemId'] },
  { call: favorites.removeFavorite, input: favorite, idFields: ['itemId'] },
  ...bySelection(favorites.favoriteItems),

  byId(sharing.getPublicLink, 'file'),
  byId(sharing.updatePublicLink, 'file'),
  byId(sharing.updatePublicLink, 'vaultFile'),
  byId(sharing.revokePublicLink, 'file'),
  byId(sharing.listItemLinks, 'file'),
  byId(sharing.createLink, 'folder'),
  { call: sharing.updateLink, input: (own) => ({ linkId: own.link, label: 'changed' }), idFields: ['linkId'] },
  { call: sharing.deleteLink, input: (own) => ({ linkId: own.link }), idFields: ['linkId'] },
  inLink(sharing.getPublicFolder, 'sharedFolder'),
  inLink(sharing.getPublicContent, 'sharedFile'),
  inLink(sharing.getPublicThumbnail, 'sharedFile'),
  inLink(sharing.getPublicPlayback, 'sharedVideo'),
  inLink(sharing.getPublicPlaylist, 'sharedVideo', { way: 'encode' }),
  inLink(sharing.getPublicSegment, 'sharedVideo', { way: 'encode', index: '0' }),

  byId(members.inviteMember, 'folder'),
  byId(members.listMembers, 'folder'),
  ...[members.getMember, members.changeMember, members.removeMember].map((call) => ({
    call,
    input: (own: OwnedResources) => ({ id: own.folder, memberId: own.member, role: 'editor' }),
    idFields: ['id', 'memberId'],
  })),
  byId(members.acceptInvitation, 'invitation'),
  byId(members.declineInvitation, 'invitation'),
  byId(members.getHandOver, 'folder'),
  {
    call: members.offerHandOver,
    input: (own) => ({ id: own.folder, memberId: own.acceptedMember }),
    idFields: ['id', 'memberId'],
  },
  byId(members.withdrawHandOver, 'folder'),
  byId(members.acceptHandOver, 'offeredFolder'),
  byId(members.declineHandOver, 'offeredFolder'),
  ...(['group', 'providerGroup'] as const).map((group) => ({
    call: members.inviteMember,
    input: (own: OwnedResources) => ({ id: own.folder, groupId: own[group], role: 'viewer' }),
    idFields: ['id', 'groupId'],
  })),
  byId(members.updateGroup, 'group'),
  byId(members.deleteGroup, 'group'),
  ...[members.changeFolderGroup, members.removeFolderGroup].flatMap((call) =>
    (['folderGroup', 'folderProviderGroup'] as const).map((group) => ({
      call,
      input: (own: OwnedResources) => ({ id: own.folder, groupId: own[group], role: 'editor' }),
      idFields: ['id', 'groupId'],
    })),
  ),
  {
    call: members.placeSharedFolder,
    input: (own) => ({ memberId: own.membership, targetFolderId: own.otherFolder }),
    idFields: ['memberId', 'targetFolderId'],
  },
  { call: members.unplaceSharedFolder, input: (own) => ({ memberId: own.membership }), idFields: ['memberId'] },

  byId(trash.restoreFile, 'trashedFile'),
  byId(trash.restoreFolder, 'trashedFolder'),
  byId(trash.deleteFile, 'trashedFile'),
  byId(trash.deleteFolder, 'trashedFolder'),
  byId(trash.restoreDeletionGroup, 'deletionGroup'),
  byId(trash.dismissDeletionGroup, 'deletionGroup'),
  ...[trash.restoreItems, trash.deleteItems].map((call) => ({
    call,
    input: (own: OwnedResources) => ({ itemIds: [own.trashedFile] }),
    idFields: ['itemIds'],
  })),

  { call: notices.readNotices, input: (own) => ({ noticeIds: [own.notice] }), idFields: ['noticeIds'] },
  { call: notices.readNotices, input: (own) => ({ upToId: own.notice }), idFields: ['upToId'] },

  byId(media.listSubtitles, 'video'),
  byId(media.getStreamUrl, 'song'),
  signed(media.streamFile, 'video', 'stream'),
  signed(media.getStreamPlaylist, 'video', 'stream', { way: 'encode' }),
  signed(media.getStreamSegment, 'video', 'stream', { way: 'encode', index: '0' }),
  signed(media.getStoryboard, 'video', 'stream'),
  signed(media.getStoryboardSheet, 'video', 'stream', { index: '0' }),
  byId(media.getPlayback, 'video'),
  byId(media.getMediaTags, 'song'),
  { call: media.createPlaylist, input: (own) => ({ name: 'new', track_ids: [own.song] }), idFields: ['track_ids'] },
  {
    call: media.updatePlaylist,
    input: (own) => ({ id: own.playlist, track_ids: [own.song] }),
    idFields: ['id', 'track_ids'],
  },
  byId(media.deletePlaylist, 'playlist'),
]
