/** The id of the vault's root in lists and changes; that of the drive's root is `undefined`. No folder has this id. */
export const VAULT_ROOT = 'vault'

/** Returns whether this is one of the two roots. */
export function isRoot(folderId: string | undefined): boolean {
  return folderId === undefined || folderId === VAULT_ROOT
}

/** Returns the id of a folder on the server; the roots have none. */
export function ownIdOf(folderId: string | undefined): string | undefined {
  return isRoot(folderId) ? undefined : folderId
}
