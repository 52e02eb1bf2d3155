import type { LinkRight, VisitorName } from '@alcove/contract/links'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { hashPassword } from '../../platform/crypto/passwords.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow, PublicLinkRow } from '../../platform/db/tables.ts'
import { noteShared } from './link-rows.ts'

/** What the owner sets of a link. What is undefined stays as it is. */
export interface LinkSettings {
  label?: string | undefined
  right?: LinkRight | undefined
  enabled?: boolean | undefined
  password?: string | null | undefined
  expiresAt?: string | null | undefined
  maxDownloads?: number | null | undefined
  title?: string | null | undefined
  message?: string | null | undefined
  visitorName?: VisitorName | undefined
  folderPerVisitor?: boolean | undefined
  maxBytes?: number | null | undefined
  maxFileBytes?: number | null | undefined
  maxFiles?: number | null | undefined
  fileTypes?: string[] | undefined
}

/** The columns that settings change. */
export type LinkChanges = Partial<Omit<PublicLinkRow, 'id' | 'owner_id' | 'item_id' | 'is_first' | 'token'>>

/** Limits new passwords, because hashing takes memory and time. */
const NEW_PASSWORDS = { points: 300, seconds: 15 * 60 }

/** Checks settings and hashes the password, which takes time and is done before the transaction. */
export async function readLinkChanges(ctx: UserContext, settings: LinkSettings): Promise<LinkChanges> {
  const now = ctx.clock.now()
  const { enabled, password, expiresAt, folderPerVisitor, fileTypes } = settings
  const expiry = expiresAt && Date.parse(expiresAt)
  if (expiry && expiry <= now) throw new AppError('malformed', 'The expiry date must be in the future.')
  if (password) await ctx.rateLimits.consume('new link passwords', NEW_PASSWORDS, ctx.user.id)
  return withoutUndefined({
    label: settings.label,
    permission: settings.right,
    enabled_at: enabled === undefined ? undefined : enabled ? now : null,
    password_hash: password ? await hashPassword(password) : password,
    expires_at: expiry === undefined ? undefined : expiry || null,
    max_downloads: settings.maxDownloads,
    title: settings.title === undefined ? undefined : settings.title || null,
    message: settings.message === undefined ? undefined : settings.message || null,
    visitor_name: settings.visitorName,
    folder_per_visitor: folderPerVisitor === undefined ? undefined : Number(folderPerVisitor),
    max_bytes: settings.maxBytes,
    max_file_bytes: settings.maxFileBytes,
    max_files: settings.maxFiles,
    file_types: fileTypes && (fileTypes.length > 0 ? JSON.stringify([...new Set(fileTypes)]) : null),
  })
}

function withoutUndefined(changes: { [Name in keyof LinkChanges]: LinkChanges[Name] | undefined }): LinkChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

/** Changes a link and what lists show of its item. The owner's tree must be locked. An enabled link keeps the time of that. */
export async function changeLinkRow(
  { clock }: Pick<UserContext, 'clock'>,
  tx: Tx,
  link: PublicLinkRow,
  changes: LinkChanges,
): Promise<PublicLinkRow> {
  if (Object.keys(changes).length === 0) return link
  const { enabled_at, ...others } = changes
  const changed = await tx
    .updateTable('public_links')
    .set((eb) => ({
      ...others,
      ...(enabled_at !== undefined && {
        enabled_at: enabled_at === null ? null : eb.fn.coalesce('enabled_at', eb.val(clock.now())),
      }),
    }))
    .where('id', '=', link.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (enabled_at !== undefined) await noteShared(tx, link.item_id)
  return changed
}

/** Throws unless an item can have a link with that right. */
export function assertRightFits({ kind, area }: ItemRow, permission: LinkRight): void {
  if (permission === 'view') return
  if (area === 'vault') {
    throw new AppError(
      'state_conflict',
      'Vault items can only be shared to view and download: visitors need the passphrase, and could not encrypt what they send.',
    )
  }
  if (kind === 'file' && permission !== 'preview') {
    throw new AppError('state_conflict', 'Visitors can only send files to a folder.')
  }
}
