import { useIsHydrated } from './use-is-hydrated.ts'

/** What the operator has set and what the server can do, as the server writes it into the page's head. */

/**
 * Reads what the server wrote. A page that is rendered at build time gets a placeholder instead, which the server
 * replaces in the whole page.
 */
function contentOf(name: string): string {
  if (typeof document === 'undefined') return `%${name}%`
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''
}

export const supportEmail = contentOf('alcove-support-email') || 'support@localhost'

const backupRetention = contentOf('alcove-backup-retention') || undefined

/**
 * Returns how long backups keep what was deleted, in words such as `30 days`; undefined where the operator has not said,
 * and while a prerendered page is hydrated, since that shows a blank.
 */
export function useBackupRetention(): string | undefined {
  return useIsHydrated() ? backupRetention : undefined
}

/** How long trashed items are kept, in words. */
export const trashRetention = contentOf('alcove-trash-retention') || '30 days'

/** Whether the server makes thumbnails of videos: where it does not, it is not asked for each. */
export const hasVideoThumbnails = contentOf('alcove-video-thumbnails') !== 'no'
