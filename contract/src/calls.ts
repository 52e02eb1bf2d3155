import * as accounts from './accounts.ts'
import * as billing from './billing.ts'
import * as bytes from './bytes.ts'
import type { AnyCall } from './call.ts'
import * as favorites from './favorites.ts'
import * as files from './files.ts'
import * as itemCalls from './item-calls.ts'
import * as media from './media.ts'
import * as passkeys from './passkeys.ts'
import * as profile from './profile.ts'
import * as reauthentication from './reauthentication.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as sharing from './sharing.ts'
import * as trash from './trash.ts'
import * as twoFactor from './two-factor.ts'
import * as uploads from './uploads.ts'
import * as vault from './vault.ts'

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
    updateEmail: accounts.updateEmail,
    updatePassword: accounts.updatePassword,
    deleteAccount: accounts.deleteAccount,
    getDataUrl: accounts.getDataUrl,
    downloadData: accounts.downloadData,
    listSessions: sessions.listSessions,
    endSession: sessions.endSession,
    endOtherSessions: sessions.endOtherSessions,
    getTwoFactor: twoFactor.getTwoFactor,
    beginTwoFactor: twoFactor.beginTwoFactor,
    enableTwoFactor: twoFactor.enableTwoFactor,
    disableTwoFactor: twoFactor.disableTwoFactor,
    renewRecoveryCodes: twoFactor.renewRecoveryCodes,
    loginWithCode: twoFactor.loginWithCode,
    listPasskeys: passkeys.listPasskeys,
    getPasskeyOptions: passkeys.getPasskeyOptions,
    addPasskey: passkeys.addPasskey,
    renamePasskey: passkeys.renamePasskey,
    removePasskey: passkeys.removePasskey,
    getPasskeyLoginOptions: passkeys.getPasskeyLoginOptions,
    loginWithPasskey: passkeys.loginWithPasskey,
    reauthenticate: reauthentication.reauthenticate,
    getReauthenticationOptions: reauthentication.getReauthenticationOptions,
    reauthenticateWithPasskey: reauthentication.reauthenticateWithPasskey,
    getProfile: profile.getProfile,
    updateProfile: profile.updateProfile,
  },
  billing: {
    listPlans: billing.listPlans,
    getPaymentSettings: billing.getPaymentSettings,
    createCheckoutSession: billing.createCheckoutSession,
    confirmCheckout: billing.confirmCheckout,
    getDashboard: billing.getDashboard,
    revertToFree: billing.revertToFree,
    createSetupIntent: billing.createSetupIntent,
    updatePaymentMethod: billing.updatePaymentMethod,
  },
  files: {
    listFiles: files.listFiles,
    listRootFolders: files.listRootFolders,
    getFolder: files.getFolder,
    createFolder: files.createFolder,
    fetchFile: bytes.fetchFile,
    getUserFile: bytes.getUserFile,
    getDownloadUrl: bytes.getDownloadUrl,
    downloadItem: bytes.downloadItem,
    searchItems: search.searchItems,
    getStorage: files.getStorage,
    getThumbnail: bytes.getThumbnail,
    renameFile: files.renameFile,
    renameFolder: files.renameFolder,
    moveFile: files.moveFile,
    moveFolder: files.moveFolder,
    trashFile: files.trashFile,
    trashFolder: files.trashFolder,
    listItems: itemCalls.listItems,
    moveItems: itemCalls.moveItems,
    copyItems: itemCalls.copyItems,
    trashItems: itemCalls.trashItems,
    getItem: itemCalls.getItem,
    getItemsDownloadUrl: itemCalls.getItemsDownloadUrl,
  },
  uploads: {
    uploadChunk: uploads.uploadChunk,
    uploadFiles: uploads.uploadFiles,
    completeUpload: uploads.completeUpload,
    getUpload: uploads.getUpload,
    cancelUpload: uploads.cancelUpload,
    verifyUploads: uploads.verifyUploads,
    createFolderPaths: uploads.createFolderPaths,
  },
  vault: {
    listVaultFiles: vault.listVaultFiles,
    listVaultFolders: vault.listVaultFolders,
    sampleVault: vault.sampleVault,
    getVaultFolder: vault.getVaultFolder,
    downloadVaultFile: vault.downloadVaultFile,
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
    getPublicPlayback: sharing.getPublicPlayback,
    getPublicPlaylist: sharing.getPublicPlaylist,
    getPublicSegment: sharing.getPublicSegment,
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
  media: {
    listAudio: media.listAudio,
    listVideo: media.listVideo,
    listSubtitles: media.listSubtitles,
    getStreamUrl: media.getStreamUrl,
    getPlayback: media.getPlayback,
    getMediaTags: media.getMediaTags,
    streamFile: media.streamFile,
    getStreamPlaylist: media.getStreamPlaylist,
    getStreamSegment: media.getStreamSegment,
    getStoryboard: media.getStoryboard,
    getStoryboardSheet: media.getStoryboardSheet,
    listPlaylists: media.listPlaylists,
    createPlaylist: media.createPlaylist,
    updatePlaylist: media.updatePlaylist,
    deletePlaylist: media.deletePlaylist,
  },
} satisfies Record<string, Record<string, AnyCall>>

export const calls: readonly AnyCall[] = Object.values(callsByArea).flatMap((area) => Object.values(area))
