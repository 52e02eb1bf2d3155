/** The query keys under which responses are cached. */
export const queryKeys = {
  storage: ['storage'],
  trash: ['trash'],
  favorites: ['favorites'],
  notices: ['notices'],
  /** What happened in a folder, or in the drive. */
  activity: (folderId: string | undefined) => ['activity', folderId ?? 'root'],
  publicLinks: ['public-links'],
  /** The link of an item that the specification has, and all its links. */
  firstLink: (itemId: string) => ['public-link', itemId],
  itemLinks: (itemId: string) => ['item-links', itemId],
  /** What others share with the user, and with whom the user shares a folder. */
  sharedWithMe: ['shared-with-me'],
  members: (folderId: string) => ['members', folderId],
  allMembers: ['members'],
  /** The user's groups of people. */
  groups: ['people-groups'],
  /** The display name. */
  profile: ['profile'],
  /** The subscription. */
  dashboard: ['dashboard'],
  /** The plans for sale. */
  plans: ['plans'],
  /** All music and all videos. */
  media: ['media'],
  audio: ['media', 'audio'],
  video: ['media', 'video'],
  playlists: ['playlists'],
  /** Every folder's content. */
  folders: ['folder'],
  /** Everything cached of a folder, or of the root. */
  folder: (folderId: string | null | undefined) => ['folder', folderId ?? 'root'],
  /** The items in it, in any order; the order is the last part of the key. */
  folderItems: (folderId: string | null | undefined) => ['folder', folderId ?? 'root', 'items'],
  folderPlace: (folderId: string | null | undefined) => ['folder', folderId ?? 'root', 'place'],
  subFolders: (folderId: string | null | undefined) => ['folder', folderId ?? 'root', 'subfolders'],
  /** The details of an item. */
  item: (itemId: string) => ['item', itemId],
  items: ['item'],
  /** The earlier versions of all files, and of one. */
  versions: ['versions'],
  versionsOf: (fileId: string) => ['versions', fileId],
  /** The results of all searches. */
  searches: ['search'],
} as const
