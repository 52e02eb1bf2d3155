/** Where the file manager shows a folder, or the root. */
export function folderAddress(folderId: string | null | undefined): string {
  return folderId ? `/profile?folder=${encodeURIComponent(folderId)}` : '/profile'
}

/** What a move to a folder carries along: where the keyboard starts there. */
export interface Arrival {
  /** An item of the folder, or its first one. */
  readonly arrivalId: string
}

export const FIRST_ITEM = 'first'
