import { VAULT_ROOT } from '../../api/vault-root.ts'
import { ROOT_NAME } from './folder-contents.ts'

/** Where the file manager shows a folder, or the root. */
export function folderAddress(folderId: string | null | undefined): string {
  return addressIn('/profile', folderId)
}

/** Where the vault shows one of its folders, or its root. */
export function vaultAddress(folderId: string | null | undefined): string {
  return addressIn('/vault', folderId)
}

function addressIn(page: string, folderId: string | null | undefined): string {
  return folderId ? `${page}?folder=${encodeURIComponent(folderId)}` : page
}

/** What the path to a folder starts from: the root of drive or vault, or the place of another page. */
export interface FolderHome {
  readonly name: string
  readonly addressOf: (folderId: string | undefined) => string
  /** The root is a folder itself: it takes what is dropped on it, and its page creates and uploads. */
  readonly isRoot: boolean
  /** How lists name that root. */
  readonly rootId?: string
  /** What is said when a folder cannot be loaded. */
  readonly loadFailed: string
}

const LOAD_FAILED = 'Unable to fetch files/folders.'

export const driveHome: FolderHome = {
  name: ROOT_NAME,
  addressOf: folderAddress,
  isRoot: true,
  loadFailed: LOAD_FAILED,
}

export const vaultHome: FolderHome = {
  name: ROOT_NAME,
  addressOf: vaultAddress,
  isRoot: true,
  rootId: VAULT_ROOT,
  loadFailed: 'Failed to load encrypted items',
}
