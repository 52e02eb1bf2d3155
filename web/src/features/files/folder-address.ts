import { VAULT_ROOT } from '../../api/vault-root.ts'
import { ROOT_NAME } from './folder-contents.ts'

/** Returns the address of a folder or the root in the file manager. */
export function folderAddress(folderId: string | null | undefined): string {
  return addressIn('/profile', folderId)
}

/** Returns the address of a folder or the root in the vault. */
export function vaultAddress(folderId: string | null | undefined): string {
  return addressIn('/vault', folderId)
}

function addressIn(page: string, folderId: string | null | undefined): string {
  return folderId ? `${page}?folder=${encodeURIComponent(folderId)}` : page
}

/** Where paths to folders start: the root of the drive or of the vault, or another page. */
export interface FolderHome {
  readonly name: string
  readonly addressOf: (folderId: string | undefined) => string
  /** Whether it is a folder, which accepts drops. */
  readonly isRoot: boolean
  /** Whether its folders accept new folders and uploads. */
  readonly canAdd: boolean
  /** The id of the root in lists. */
  readonly rootId?: string
  /** The message if a folder can't be loaded. */
  readonly loadFailed: string
}

const LOAD_FAILED = 'Unable to fetch files/folders.'

export const driveHome: FolderHome = {
  name: ROOT_NAME,
  addressOf: folderAddress,
  isRoot: true,
  canAdd: true,
  loadFailed: LOAD_FAILED,
}

/** Where the folders that others share with the user are listed. */
export function sharedHome(canAdd: boolean): FolderHome {
  return {
    name: 'Shared with me',
    addressOf: (folderId) => (folderId ? folderAddress(folderId) : '/shared-with-me'),
    isRoot: false,
    canAdd,
    loadFailed: LOAD_FAILED,
  }
}

export const vaultHome: FolderHome = {
  name: ROOT_NAME,
  addressOf: vaultAddress,
  isRoot: true,
  canAdd: true,
  rootId: VAULT_ROOT,
  loadFailed: 'Failed to load encrypted items',
}
