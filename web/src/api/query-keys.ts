/** The names under which the server's answers are kept, for those that fetch them and those that make them stale. */
export const queryKeys = {
  storage: ['storage'],
  trash: ['trash'],
  favorites: ['favorites'],
  publicLinks: ['public-links'],
  /** What is paid, how and for what. */
  dashboard: ['dashboard'],
  /** All music and all videos. */
  media: ['media'],
  audio: ['media', 'audio'],
  video: ['media', 'video'],
  playlists: ['playlists'],
  /** Every folder's content. */
  folders: ['folder'],
  /** All that is kept of a folder, or of the root. */
  folder: (folderId: string | null | undefined) => ['folder', folderId ?? 'root'],
  /** What is in it, in any order; the order is the last part of the name. */
  folderItems: (folderId: string | null | undefined) => ['folder', folderId ?? 'root', 'items'],
  folderPlace: (folderId: string | null | undefined) => ['folder', folderId ?? 'root', 'place'],
  subFolders: (folderId: string | null | undefined) => ['folder', folderId ?? 'root', 'subfolders'],
  /** All that is known of an item, for its details. */
  item: (itemId: string) => ['item', itemId],
  items: ['item'],
  /** What was found, by any words. */
  searches: ['search'],
} as const
