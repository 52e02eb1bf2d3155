import * as accounts from './accounts.ts'
import type { AnyCall } from './call.ts'
import * as favorites from './favorites.ts'
import * as files from './files.ts'
import * as sharing from './sharing.ts'
import * as trash from './trash.ts'
import * as uploads from './uploads.ts'

/** Every call of the API, by area and name. */
export const callsByArea = {
  accounts: {
    register: accounts.register,
    activate: accounts.activate,
    login: accounts.login,
    logout: accounts.logout,
    resendActivation: accounts.resendActivation,
    forgotPassword: accounts.forgotPassword,
    validatePassword: accounts.validatePassword,
    resetPassword: accounts.resetPasswordCall,
    getAccountStatus: accounts.getAccountStatus,
  },
  files: {
    listFiles: files.listFiles,
    listRootFolders: files.listRootFolders,
    getFolder: files.getFolder,
    createFolder: files.createFolder,
    fetchFile: files.fetchFile,
    getUserFile: files.getUserFile,
    getDownloadUrl: files.getDownloadUrl,
    downloadItem: files.downloadItem,
    searchItems: files.searchItems,
    getStorage: files.getStorage,
    getThumbnail: files.getThumbnail,
    renameFile: files.renameFile,
    renameFolder: files.renameFolder,
    moveFile: files.moveFile,
    moveFolder: files.moveFolder,
    trashFile: files.trashFile,
    trashFolder: files.trashFolder,
    listItems: files.listItems,
    moveItems: files.moveItems,
    copyItems: files.copyItems,
    trashItems: files.trashItems,
    getItem: files.getItem,
    getItemsDownloadUrl: files.getItemsDownloadUrl,
  },
  uploads: {
    uploadChunk: uploads.uploadChunk,
    completeUpload: uploads.completeUpload,
    getUpload: uploads.getUpload,
    cancelUpload: uploads.cancelUpload,
    verifyUploads: uploads.verifyUploads,
    createFolderPaths: uploads.createFolderPaths,
  },
  favorites: {
    listFavorites: favorites.listFavorites,
    addFavorite: favorites.addFavorite,
    removeFavorite: favorites.removeFavorite,
    favoriteItems: favorites.favoriteItems,
  },
  sharing: {
    getPublicLink: sharing.getPublicLink,
    updatePublicLink: sharing.updatePublicLink,
    revokePublicLink: sharing.revokePublicLink,
    listPublicLinks: sharing.listPublicLinks,
    revokePublicLinks: sharing.revokePublicLinks,
    getPublicItem: sharing.getPublicItem,
    getPublicFolder: sharing.getPublicFolder,
    getPublicContent: sharing.getPublicContent,
    getPublicThumbnail: sharing.getPublicThumbnail,
    unlockPublicLink: sharing.unlockPublicLink,
  },
  trash: {
    listTrash: trash.listTrash,
    restoreFile: trash.restoreFile,
    restoreFolder: trash.restoreFolder,
    deleteFile: trash.deleteFile,
    deleteFolder: trash.deleteFolder,
    emptyTrash: trash.emptyTrash,
    restoreItems: trash.restoreItems,
    deleteItems: trash.deleteItems,
  },
} satisfies Record<string, Record<string, AnyCall>>

export const calls: readonly AnyCall[] = Object.values(callsByArea).flatMap((area) => Object.values(area))
