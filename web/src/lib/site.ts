/** What the operator has set and what the server can do, as the server writes it into the page's head. */

function contentOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''
}

export const supportEmail = contentOf('alcove-support-email') || 'support@localhost'

/** How long backups keep what was deleted, in words such as `30 days`; undefined where the operator has not said. */
export const backupRetention = contentOf('alcove-backup-retention') || undefined

/** How long trashed items are kept, in words. */
export const trashRetention = contentOf('alcove-trash-retention') || '30 days'

/** Whether the server makes thumbnails of videos: where it does not, it is not asked for each. */
export const hasVideoThumbnails = contentOf('alcove-video-thumbnails') !== 'no'
