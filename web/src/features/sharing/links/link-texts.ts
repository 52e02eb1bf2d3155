import type { Item } from '@alcove/contract/items'
import type { Link, LinkRight, LinkState } from '@alcove/contract/links'
import { formatDay, formatSize, plural } from '../../../lib/format.ts'
import type { Choice } from '../../../ui/RadioCards.tsx'
import { isExpired } from '../expiry.ts'

const rightChoices: readonly Choice<LinkRight>[] = [
  { value: 'view', name: 'View and download', text: 'Visitors open, preview and download.' },
  { value: 'preview', name: 'View only', text: 'Visitors see previews and can’t download.' },
  { value: 'upload', name: 'Upload only', text: 'Visitors send files and see nothing of the folder.' },
  { value: 'view-upload', name: 'View and upload', text: 'Visitors see the folder and add files to it.' },
]

/** What links are for: an item, or a folder of the drive of which only the id is known. */
export type LinkTarget = Item | { readonly id: string; readonly type: 'folder'; readonly isEncrypted: false }

/** Returns the rights that a link of an item can have. */
export function rightsFor(item: LinkTarget): readonly Choice<LinkRight>[] {
  if (item.isEncrypted) return rightChoices.slice(0, 1)
  return item.type === 'folder' ? rightChoices : rightChoices.slice(0, 2)
}

export function nameOfRight(right: LinkRight): string {
  return rightChoices.find(({ value }) => value === right)?.name ?? right
}

export const stateNames: Record<LinkState, string> = {
  active: 'Active',
  disabled: 'Disabled',
  expired: 'Expired',
  'used up': 'Used up',
  full: 'Full',
}

/** Returns what a link is called: its label, else the title that visitors read, else what they may do. */
export function nameOfLink({ label, title, right }: Pick<Link, 'label' | 'title' | 'right'>): string {
  return label || (canUpload(right) && title) || nameOfRight(right)
}

export function canUpload(right: LinkRight): boolean {
  return right === 'upload' || right === 'view-upload'
}

export function canDownload(right: LinkRight): boolean {
  return right === 'view' || right === 'view-upload'
}

/** Returns what visitors have downloaded and sent, with the limits. */
export function countersOf(link: Link): string[] {
  const { right, downloadCount, maxDownloads, receivedFiles, receivedBytes, maxFiles } = link
  return [
    ...(canDownload(right) || downloadCount > 0 ? [ofLimit(downloadCount, maxDownloads, 'download')] : []),
    ...(canUpload(right) || receivedFiles > 0
      ? [
          `${ofLimit(receivedFiles, maxFiles, 'file')} received${receivedFiles > 0 ? ` (${formatSize(receivedBytes)})` : ''}`,
        ]
      : []),
  ]
}

function ofLimit(count: number, limit: number | null, noun: string): string {
  return limit === null ? plural(count, noun) : `${count} of ${plural(limit, noun)}`
}

/** Returns when a link ends or has ended; undefined if never. */
export function describeExpiry(expiresAt: string | null): string | undefined {
  if (expiresAt === null) return undefined
  return `${isExpired(expiresAt) ? 'expired' : 'expires'} ${formatDay(expiresAt)}`
}
