import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@alcove/contract/call'
import { callsByArea } from '@alcove/contract/calls'
import { accountCalls, lastAccountCalls, paymentCalls } from './account-calls.ts'
import { LINK_PASSWORD, type Turn } from './caller.ts'
import { plain, type TimedCall, timed } from './timed-call.ts'

const { accounts, favorites, files, media, sharing, trash, uploads, vault } = callsByArea

const FILES_TOGETHER = 20

const SEARCHES = ['i', 'im', 'img_20240513', 'report', 'отпуск семья 12', 'jpg', 'zzzzqq', '東京']

const page = (as: string, fields: Record<string, unknown>) =>
  timed(files.listItems, ({ full }) => ({ folderId: full, ...fields }), as)
const newChunk = (uploadId: string, turn: Turn, totalChunks: number) => ({
  uploadId,
  filename: `sent ${turn.number} ${uploadId}.bin`,
  chunkIndex: 0,
  totalChunks,
})

/**
 * The calls of a turn, in order: some undo or finish what an earlier one did. Most use the full folder, because a slow
 * statement shows there.
 */
export const timedCalls: TimedCall[] = [
  ...paymentCalls,
  ...accountCalls,

  ...plain(files.getStorage, files.listRootFolders, files.listFiles),
  timed(files.listFiles, ({ ordinary }) => ({ folderId: ordinary }), 'of a folder'),
  timed(files.getFolder, ({ ordinary }) => ({ id: ordinary })),
  timed(files.listItems, () => ({}), 'of the root'),
  page('of a full folder', {}),
  page('by size', { sort: 'size', order: 'desc' }),
  page('by time', { sort: 'updatedAt', order: 'desc' }),
  page('by type', { sort: 'type' }),
  page('far down', { offset: 800 }),
  timed(files.getItem, (_own, turn) => ({ id: turn.files[0] })),
  timed(files.getItem, ({ full }) => ({ id: full }), 'of a full folder'),
  timed(files.searchItems, (_own, { number }) => ({ q: SEARCHES[number % SEARCHES.length] })),
  timed(files.createFolder, ({ full }, { number }) => ({ folderName: `new ${number}`, parentFolderId: full })),
  timed(files.fetchFile, (own) => ({ filename: own.nameInFolder, folderId: own.folder })),
  timed(files.getUserFile, (own) => ({ filename: own.nameInFolder, folderId: own.folder })),
  timed(files.getDownloadUrl, ({ file }) => ({ id: file })),
  timed(files.downloadItem, (own) => ({ ...own.download, id: own.file })),
  timed(files.getThumbnail, ({ picture }) => ({ id: picture })),
  timed(files.getItemsDownloadUrl, (_own, turn) => ({ itemIds: turn.files })),
  timed(files.renameFile, ({ full }, turn) => ({
    oldFilename: turn.filename,
    newName: `renamed ${turn.number}`,
    folderId: full,
  })),
  timed(files.copyItems, ({ otherFolder }, turn) => ({ itemIds: turn.files, targetFolderId: otherFolder })),
  timed(files.copyItems, ({ full }, turn) => ({ itemIds: turn.files, targetFolderId: full }), 'beside itself'),
  timed(favorites.addFavorite, (_own, turn) => ({ itemType: 'file', itemId: turn.files[0] })),
  timed(favorites.removeFavorite, (_own, turn) => ({ itemType: 'file', itemId: turn.files[0] })),
  timed(favorites.favoriteItems, (_own, turn) => ({ itemIds: turn.files })),
  ...plain(favorites.listFavorites),
  timed(files.trashFile, (_own, turn) => ({ id: turn.files[1] })),
  timed(trash.restoreFile, (_own, turn) => ({ id: turn.files[1] })),
  timed(files.trashItems, (_own, turn) => ({ itemIds: turn.files })),
  ...plain(trash.listTrash),
  timed(trash.restoreItems, (_own, turn) => ({ itemIds: turn.files })),
  timed(files.renameFolder, (_own, { folder, number }) => ({ id: folder, newName: `renamed folder ${number}` })),
  timed(files.trashFolder, (_own, { folder }) => ({ id: folder })),
  timed(trash.restoreFolder, (_own, { folder }) => ({ id: folder })),
  timed(files.moveFolder, ({ full }, { folder }) => ({ folderId: folder, targetFolderId: full })),
  timed(files.moveItems, ({ folder }, turn) => ({ itemIds: turn.files, targetFolderId: folder })),
  timed(files.moveFile, ({ full }, turn) => ({ fileId: turn.files[0], targetFolderId: full })),
  timed(trash.deleteFile, (_own, turn) => ({ id: turn.trashedFiles[0] })),
  timed(trash.deleteItems, (_own, turn) => ({ itemIds: turn.trashedFiles.slice(1) })),
  timed(trash.deleteFolder, (_own, { trashedFolder }) => ({ id: trashedFolder })),

  timed(
    uploads.uploadChunk,
    ({ full }, turn) => ({ ...newChunk(randomUUID(), turn, 1), complete: true, folderId: full }),
    'a whole file',
  ),
  timed(uploads.uploadFiles, ({ full }, turn) => ({
    files: Array.from({ length: FILES_TOGETHER }, (_, index) => ({
      uploadId: randomUUID(),
      filename: `together ${turn.number} ${index}.txt`,
      size: 1024,
      folderId: full,
    })),
  })),
  timed(uploads.uploadChunk, (_own, turn) => newChunk(turn.begunUpload, turn, 2), 'the first of two'),
  timed(uploads.getUpload, (_own, { begunUpload }) => ({ uploadId: begunUpload })),
  timed(uploads.cancelUpload, (_own, { begunUpload }) => ({ uploadId: begunUpload })),
  timed(uploads.uploadChunk, (_own, turn) => newChunk(turn.wholeUpload, turn, 1), 'the only one'),
  timed(uploads.completeUpload, (_own, { wholeUpload }) => ({ uploadId: wholeUpload })),
  timed(uploads.verifyUploads, (_own, { wholeUpload }) => ({ uploadIds: [wholeUpload] })),
  timed(uploads.createFolderPaths, ({ otherFolder }, { number }) => ({
    parentFolderId: otherFolder,
    folderPaths: [`trip ${number}/day 1`, `trip ${number}/day 2`],
  })),

  ...plain(vault.listVaultFiles, vault.listVaultFolders),
  timed(vault.getVaultFolder, ({ vaultFolder }) => ({ folderId: vaultFolder })),
  timed(vault.downloadVaultFile, ({ vaultFileName }) => ({ filename: vaultFileName })),
  timed(files.listItems, () => ({ vault: true }), 'of the vault'),

  timed(sharing.getPublicLink, (_own, turn) => ({ id: turn.files[2] })),
  timed(sharing.updatePublicLink, (_own, turn) => ({ id: turn.files[2], enabled: true })),
  timed(sharing.revokePublicLink, (_own, turn) => ({ id: turn.files[2] })),
  ...plain(sharing.listPublicLinks),
  timed(sharing.getPublicItem, ({ linkToken }) => ({ token: linkToken })),
  timed(sharing.getPublicFolder, ({ linkToken, sharedFolder }) => ({ token: linkToken, id: sharedFolder })),
  timed(sharing.getPublicContent, ({ linkToken, sharedFile }) => ({ token: linkToken, id: sharedFile })),
  timed(sharing.getPublicThumbnail, ({ linkToken, picture }) => ({ token: linkToken, id: picture })),
  timed(sharing.unlockPublicLink, ({ lockedLink }) => ({ token: lockedLink, password: LINK_PASSWORD })),
  timed(sharing.getPublicPlayback, ({ linkToken, sharedVideo }) => ({ token: linkToken, id: sharedVideo })),

  ...plain(media.listAudio, media.listVideo, media.listPlaylists),
  timed(media.listSubtitles, ({ video }) => ({ id: video })),
  timed(media.getStreamUrl, ({ song }) => ({ id: song })),
  timed(media.getPlayback, ({ video }) => ({ id: video })),
  timed(media.streamFile, (own) => ({ ...own.stream, id: own.video })),
  timed(media.createPlaylist, ({ song }, { number }) => ({ name: `new ${number}`, track_ids: [song] })),
  timed(media.updatePlaylist, ({ playlist, song, tracks }) => ({ id: playlist, track_ids: [song, ...tracks] })),
  timed(media.deletePlaylist, (_own, turn) => ({ id: turn.playlist })),
]

/** Calls that have to come last, because they remove what the others need. */
export const lastCalls: TimedCall[] = [
  timed(sharing.updatePublicLink, (_own, turn) => ({ id: turn.files[2], enabled: true }), 'before all are revoked'),
  ...plain(sharing.revokePublicLinks),
  timed(files.trashItems, (_own, turn) => ({ itemIds: turn.files }), 'before it is emptied'),
  ...plain(trash.emptyTrash),
  ...lastAccountCalls,
]

const FFMPEG = 'runs ffmpeg; measured by the part `media`'

/** Calls about all data of a user, which `all-of-a-user.ts` measures. */
export const callsAboutAll: AnyCall[] = [accounts.deleteAccount, accounts.downloadData]

/** Calls that are not timed, with the reason. */
export const leftOut = new Map<AnyCall, string>([
  ...[media.getStreamPlaylist, media.getStreamSegment, media.getStoryboard].map(because(FFMPEG)),
  ...[media.getStoryboardSheet, sharing.getPublicPlaylist, sharing.getPublicSegment].map(because(FFMPEG)),
])

function because(reason: string): (call: AnyCall) => [AnyCall, string] {
  return (call) => [call, reason]
}
