import { ROOT_NAME } from './folder-contents.ts'

/** Where the file manager shows a folder, or the root. */
export function folderAddress(folderId: string | null | undefined): string {
  return folderId ? `/profile?folder=${encodeURIComponent(folderId)}` : '/profile'
}

/** What the path to a folder starts from: the drive's root, or the place of another page. */
export interface FolderHome {
  readonly name: string
  readonly addressOf: (folderId: string | undefined) => string
  /** The root is a folder itself: it takes what is dropped on it, and its page creates and uploads. */
  readonly isRoot: boolean
}

export const driveHome: FolderHome = { name: ROOT_NAME, addressOf: folderAddress, isRoot: true }
