/** How lists and changes name the root of the vault; that of the drive is `undefined`. No folder has such an id. */
export const VAULT_ROOT = 'vault'

/** Whether this names one of the two roots, and no folder. */
export function isRoot(folderId: string | undefined): boolean {
  return folderId === undefined || folderId === VAULT_ROOT
}

/** The id that the server knows a folder by; the roots have none. */
export function ownIdOf(folderId: string | undefined): string | undefined {
  return isRoot(folderId) ? undefined : folderId
}
