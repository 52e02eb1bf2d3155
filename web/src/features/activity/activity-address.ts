/** Returns the address of what happened in a folder, or in the whole drive. */
export function activityAddress(folderId: string | undefined): string {
  return folderId === undefined ? '/activity' : `/activity?folder=${encodeURIComponent(folderId)}`
}
