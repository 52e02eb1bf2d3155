import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@alcove/contract/call'
import { callsByArea } from '@alcove/contract/calls'
import type { OwnedResources } from '../factories/owned-resources.ts'

const { accounts, favorites, files, media, sharing, trash, uploads, vault } = callsByArea

/** A call that says by ids, or by names, what it is about. */
export interface CallById {
  call: AnyCall
  /** What its owner asks with; each of `points` says of a thing which one is meant. */
  input(own: OwnedResources): Record<string, unknown>
  points: string[]
  /** What a stranger hears; 404 where it does not say. */
  refusal?: number
}

const byId = (call: AnyCall, id: keyof OwnedResources): CallById => ({
  call,
  input: (own) => ({ id: own[id], ...OTHER_FIELDS[call.path] }),
  points: ['id'],
})

/** What calls ask for besides the id. */
const OTHER_FIELDS: Record<string, Record<string, unknown>> = {
  '/account/passkey/{id}': { name: 'renamed' },
  '/rename-folder/{id}': { newName: 'renamed' },
  '/public-link/{id}': { enabled: true },
}

const chosen = (call: AnyCall, fields: (own: OwnedResources) => Record<string, unknown> = () => ({})): CallById[] => [
  {
    call,
    input: (own) => ({ itemIds: [own.file], ...fields(own) }),
    points: ['itemIds', ...Object.keys(fields({} as OwnedResources))],
  },
  { call, input: (own) => ({ allIn: { folderId: own.folder }, ...fields(own) }), points: ['allIn'] },
]

const byName = (call: AnyCall): CallById[] => [
  { call, input: (own) => ({ filename: own.fileName }), points: ['filename'] },
  { call, input: (own) => ({ filename: own.nameInFolder, folderId: own.folder }), points: ['filename', 'folderId'] },
]

/** Whoever has the signed address has the bytes: it must be good for nothing else. */
const signed = (call: AnyCall, id: 'file' | 'video', grant: 'download' | 'stream', fields = {}): CallById => ({
  call,
  input: (own) => ({ ...own[grant], ...fields, id: own[id] }),
  points: ['id', 'owner'],
  refusal: 403,
})

const inLink = (call: AnyCall, id: 'sharedFile' | 'sharedVideo' | 'sharedFolder', fields = {}): CallById => ({
  call,
  input: (own) => ({ token: own.linkToken, id: own[id], ...fields }),
  points: ['id'],
})

const favorite = (own: OwnedResources) => ({ itemType: 'file', itemId: own.file })
const newUpload = (own: OwnedResources) => ({
  uploadId: randomUUID(),
  filename: own.uploadName,
  chunkIndex: 0,
  totalChunks: 1,
})

/** Every call that points at something of a user's, with an input that works for its owner. */
export const callsById: readonly CallById[] = [
  byId(accounts.endSession, 'session'),
  byId(accounts.renamePasskey, 'passkey'),
  byId(accounts.removePasskey, 'passkey'),
  { call: accounts.downloadData, input: (own) => own.account, points: ['owner'], refusal: 403 },

  { call: files.listFiles, input: (own) => ({ folderId: own.folder }), points: ['folderId'] },
  { call: files.listItems, input: (own) => ({ folderId: own.folder }), points: ['folderId'] },
  byId(files.getFolder, 'folder'),
  byId(files.getItem, 'file'),
  byId(files.getItem, 'vaultFile'),
  {
    call: files.createFolder,
    input: (own) => ({ folderName: 'new', parentFolderId: own.folder }),
    points: ['parentFolderId'],
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
    points: ['oldFilename', 'folderId'],
  },
  byId(files.renameFolder, 'folder'),
  {
    call: files.moveFile,
    input: (own) => ({ fileId: own.file, targetFolderId: own.folder }),
    points: ['fileId', 'targetFolderId'],
  },
  {
    call: files.moveFolder,
    input: (own) => ({ folderId: own.otherFolder, targetFolderId: own.folder }),
    points: ['folderId', 'targetFolderId'],
  },
  byId(files.trashFile, 'file'),
  byId(files.trashFile, 'vaultFile'),
  byId(files.trashFolder, 'folder'),
  ...chosen(files.moveItems, (own) => ({ targetFolderId: own.otherFolder })),
  ...chosen(files.copyItems, (own) => ({ targetFolderId: own.otherFolder })),
  ...chosen(files.trashItems),
  ...chosen(files.getItemsDownloadUrl),

  {
    call: uploads.uploadChunk,
    input: (own) => ({ ...newUpload(own), uploadId: own.halfUpload, totalChunks: 2 }),
    points: ['uploadId'],
  },
  { call: uploads.uploadChunk, input: (own) => ({ ...newUpload(own), folderId: own.folder }), points: ['folderId'] },
  {
    call: uploads.uploadChunk,
    input: (own) => ({ ...newUpload(own), parentFolderId: own.folder, relativePath: `a/${own.uploadName}` }),
    points: ['parentFolderId'],
  },
  {
    call: uploads.completeUpload,
    input: (own) => ({ uploadId: own.wholeUpload, folderId: own.folder }),
    points: ['uploadId', 'folderId'],
  },
  {
    call: uploads.completeUpload,
    input: (own) => ({ uploadId: own.wholeUpload, parentFolderId: own.folder, relativePath: `a/${own.uploadName}` }),
    points: ['parentFolderId'],
  },
  { call: uploads.getUpload, input: (own) => ({ uploadId: own.halfUpload }), points: ['uploadId'] },
  { call: uploads.cancelUpload, input: (own) => ({ uploadId: own.halfUpload }), points: ['uploadId'] },
  {
    call: uploads.createFolderPaths,
    input: (own) => ({ parentFolderId: own.folder, folderPaths: ['a/b'] }),
    points: ['parentFolderId'],
  },

  { call: vault.getVaultFolder, input: (own) => ({ folderId: own.vaultFolder }), points: ['folderId'] },
  { call: vault.downloadVaultFile, input: (own) => ({ filename: own.vaultFileName }), points: ['filename'] },
  {
    call: vault.downloadVaultFile,
    input: (own) => ({ filename: own.nameInVaultFolder, folderId: own.vaultFolder }),
    points: ['filename', 'folderId'],
  },

  { call: favorites.addFavorite, input: favorite, points: ['itemId'] },
  { call: favorites.removeFavorite, input: favorite, points: ['itemId'] },
  ...chosen(favorites.favoriteItems),

  byId(sharing.getPublicLink, 'file'),
  byId(sharing.updatePublicLink, 'file'),
  byId(sharing.updatePublicLink, 'vaultFile'),
  byId(sharing.revokePublicLink, 'file'),
  inLink(sharing.getPublicFolder, 'sharedFolder'),
  inLink(sharing.getPublicContent, 'sharedFile'),
  inLink(sharing.getPublicThumbnail, 'sharedFile'),
  inLink(sharing.getPublicPlayback, 'sharedVideo'),
  inLink(sharing.getPublicPlaylist, 'sharedVideo', { way: 'encode' }),
  inLink(sharing.getPublicSegment, 'sharedVideo', { way: 'encode', index: '0' }),

  byId(trash.restoreFile, 'trashedFile'),
  byId(trash.restoreFolder, 'trashedFolder'),
  byId(trash.deleteFile, 'trashedFile'),
  byId(trash.deleteFolder, 'trashedFolder'),
  ...[trash.restoreItems, trash.deleteItems].map((call) => ({
    call,
    input: (own: OwnedResources) => ({ itemIds: [own.trashedFile] }),
    points: ['itemIds'],
  })),

  byId(media.listSubtitles, 'video'),
  byId(media.getStreamUrl, 'song'),
  signed(media.streamFile, 'video', 'stream'),
  signed(media.getStreamPlaylist, 'video', 'stream', { way: 'encode' }),
  signed(media.getStreamSegment, 'video', 'stream', { way: 'encode', index: '0' }),
  signed(media.getStoryboard, 'video', 'stream'),
  signed(media.getStoryboardSheet, 'video', 'stream', { index: '0' }),
  byId(media.getPlayback, 'video'),
  byId(media.getMediaTags, 'song'),
  { call: media.createPlaylist, input: (own) => ({ name: 'new', track_ids: [own.song] }), points: ['track_ids'] },
  {
    call: media.updatePlaylist,
    input: (own) => ({ id: own.playlist, track_ids: [own.song] }),
    points: ['id', 'track_ids'],
  },
  byId(media.deletePlaylist, 'playlist'),
]
