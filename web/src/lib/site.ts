/** What the operator has set and the server writes into the page's head. */

function contentOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''
}

export const supportEmail = contentOf('alcove-support-email') || 'support@localhost'

/** How long backups keep what was deleted, in words such as `30 days`; undefined where the operator has not said. */
export const backupRetention = contentOf('alcove-backup-retention') || undefined

/** How long trashed items are kept, in words. */
export const trashRetention = contentOf('alcove-trash-retention') || '30 days'
