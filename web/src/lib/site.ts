import type { LegalDocument } from '@alcove/contract/site'
import { useIsHydrated } from './use-is-hydrated.ts'

/** Settings of the operator and abilities of the server, which the server writes into the page's head. */

/**
 * Reads a value that the server wrote. Pages rendered at build time contain a placeholder instead, which the server
 * replaces.
 */
export function contentOf(name: string): string {
  if (typeof document === 'undefined') return import.meta.env.ALCOVE_BUILD_YEAR ? `%${name}%` : ''
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? ''
}

/** The name of the site, which the operator chooses. */
export const siteName = contentOf('alcove-name') || 'Alcove'

export const supportEmail = contentOf('alcove-support-email') || 'support@localhost'

const backupRetention = contentOf('alcove-backup-retention') || undefined

/**
 * Returns how long backups keep deleted data, for example `30 days`; undefined if the operator has not set it, and
 * during hydration, because the prerendered page shows a blank.
 */
export function useBackupRetention(): string | undefined {
  return useIsHydrated() ? backupRetention : undefined
}

/** How long trashed items are kept, for example `30 days`. */
export const trashRetention = contentOf('alcove-trash-retention') || '30 days'

/** How long the server keeps the earlier versions of files, in milliseconds; 0 if it keeps none. */
export const versionRetention = Number(contentOf('alcove-version-retention') || 365 * 86_400_000)

/** Whether the server keeps what a file contained before it was replaced. */
export const keepsVersions = versionRetention !== 0

/** Whether the server makes thumbnails of videos. If not, they are not requested. */
export const hasVideoThumbnails = contentOf('alcove-video-thumbnails') !== 'no'

/** Returns the announcement with which the page came, as JSON; nothing if there is none. */
export function announcementOfPage(): string {
  return contentOf('alcove-announcement')
}

/** Returns the maintenance with which the page came; nothing if there is none. */
export function maintenanceOfPage(): string {
  return contentOf('alcove-maintenance')
}

/** Returns whether the operator has written a legal text, which takes the place of the product's. */
export function hasOwnLegalText(document: LegalDocument): boolean {
  return contentOf('alcove-own-texts').split(' ').includes(document)
}

/** Returns the operator's legal text, if the page came with it. */
export function legalTextOfPage(document: LegalDocument): string {
  return contentOf(`alcove-text-${document}`)
}
/** Whether the server has plans and prices. Without them, every account has everything. */
let arePlansOn = contentOf('alcove-plans') !== 'off'

export const hasPlans = (): boolean => arePlansOn

/** Sets it for what is rendered at build time. */
export function assumePlans(areOn: boolean): void {
  arePlansOn = areOn
}

/** The storage of accounts without a larger plan, for example `10 GB`. */
export const freeStorage = contentOf('alcove-free-storage') || '10 GB'
