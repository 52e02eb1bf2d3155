/** The names under which the server's answers are kept, for those that fetch them and those that make them stale. */
export const queryKeys = {
  storage: ['storage'],
  trash: ['trash'],
  favorites: ['favorites'],
  /** Every folder's content. */
  folders: ['folder'],
  /** What is in a folder, or at the root. */
  folder: (folderId: string | null | undefined) => ['folder', folderId ?? 'root'],
} as const
