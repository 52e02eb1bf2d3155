import { calls } from '@alcove/contract/calls'
import type { PathStep } from '@alcove/contract/items'
import {
  FAILURES_ANYWHERE_WINDOW,
  LINK_ACCESS_TTL,
  LINK_PASSWORD_WINDOW,
  MAX_FAILURES_ANYWHERE,
  MAX_LINK_PASSWORD_TRIES,
  SLOWED_ATTEMPT_INTERVAL,
} from '@alcove/contract/limits'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { AppError, notFound } from '../../errors.ts'
import { isLinkToken } from '../../platform/crypto/one-time-token.ts'
import { isPassword } from '../../platform/crypto/passwords.ts'
import { isSignatureOf, signParts } from '../../platform/crypto/secrets.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ItemRow, PublicLinkRow, UserRow } from '../../platform/db/tables.ts'
import { isWorking } from '../../platform/db/working-links.ts'
import { endpoint } from '../../platform/http/api.ts'
import { findSessionUser } from '../../platform/http/authenticate.ts'
import { clientNetwork } from '../../platform/http/client-address.ts'
import type { SlowDown } from '../../platform/http/rate-limits.ts'
import { loggingRefusals, logSecurity } from '../../platform/security-log.ts'

/** A link with what it shares. */
export interface Shared {
  link: PublicLinkRow
  item: ItemRow
  owner: Pick<UserRow, 'display_name'>
}

/**
 * Returns what a link shares, even if it is locked. Unknown, disabled, expired and used up links, links of trashed items and of
 * deleted accounts all fail in the same statement with the same error.
 */
export async function findShared({ db, clock }: Pick<Context, 'db' | 'clock'>, token: string): Promise<Shared> {
  const link = await db
    .selectFrom('public_links')
    .innerJoin('items', 'items.id', 'public_links.item_id')
    .innerJoin('users', 'users.id', 'public_links.owner_id')
    .selectAll('public_links')
    .select('users.display_name')
    .where('public_links.token', '=', isLinkToken(token) ? token : '')
    .where('items.trash_id', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where(isWorking(clock.now()))
    .executeTakeFirst()
  const item = link && (await db.selectFrom('items').selectAll().where('id', '=', link.item_id).executeTakeFirst())
  if (!item) throw linkNotFound()
  return { link, item, owner: { display_name: link.display_name } }
}

export function linkNotFound(): AppError {
  return new AppError('not_found', 'This link does not exist, or is no longer shared.')
}

/** Returns what a link shares. A password-protected link reveals nothing until it is unlocked. */
export async function openLink(ctx: Context, token: string, access: string | undefined): Promise<Shared> {
  const shared = await findShared(ctx, token)
  if (!hasAccess(ctx, shared.link, access)) {
    throw new AppError('password_required', 'This link is protected by a password.')
  }
  return shared
}

/** Returns what a link shows. A link that only asks for files shows nothing, as if its address had nothing at all. */
export async function openShown(ctx: Context, token: string, access: string | undefined): Promise<Shared> {
  const shared = await openLink(ctx, token, access)
  if (shared.link.permission === 'upload') throw linkNotFound()
  return shared
}

/** What visitors may do with the bytes of files. A link with a limited number of downloads shows none, because that would be one. */
export function mayDownload({ permission }: PublicLinkRow): boolean {
  return permission !== 'preview'
}

export function mayPreview({ permission, max_downloads }: PublicLinkRow): boolean {
  return permission === 'preview' || max_downloads === null
}

interface Inside {
  item: ItemRow
  /** The folders from the shared one to the item, without the item. */
  path: PathStep[]
}

/**
 * Returns an item that a link gives access to: the shared item, or a visible one below it. Throws 'not found' for any
 * other.
 */
export async function getInside(db: Database, shared: ItemRow, id: string | undefined): Promise<Inside> {
  if (id === undefined || id === shared.id) return { item: shared, path: [] }
  // Walks up from the item to the shared one. Items elsewhere end at another root.
  const { rows } = await sql<PathStep>`
    with recursive above (id, name, parent_id, height) as (
      select id, name, parent_id, 0 from items
      where id = ${id} and owner_id = ${shared.owner_id} and trash_id is null and mount_of is null
      union all
      select parent.id, parent.name, parent.parent_id, above.height + 1
      from above join items parent on parent.id = above.parent_id where above.id <> ${shared.id}
    )
    select id, name from above order by height desc`.execute(db)
  if (rows[0]?.id !== shared.id) throw notFound('item')
  const item = await db
    .selectFrom('items')
    .selectAll()
    .where('id', '=', id)
    .where('trash_id', 'is', null)
    .executeTakeFirst()
  if (!item) throw notFound('item')
  return { item, path: rows.slice(0, -1).map((step) => ({ id: step.id, name: step.name })) }
}

type LockedLink = Pick<PublicLinkRow, 'token' | 'password_hash'>

/**
 * Returns the signed parts. They include the password hash, whose salt is new with every password, so changing or
 * removing the password ends earlier access.
 */
function partsOf({ token, password_hash }: LockedLink, expires: number): string[] {
  return ['public link', token, password_hash ?? '', String(expires)]
}

/** Grants access to a link for a limited time. It is part of URLs, so that browsers can download with it. */
function signAccess({ secrets, clock }: Context, link: LockedLink): { access: string; expires: number } {
  const expires = clock.now() + LINK_ACCESS_TTL
  return { access: `${expires}.${signParts(secrets.urlKey, partsOf(link, expires))}`, expires }
}

function hasAccess({ secrets, clock }: Context, link: LockedLink, access: string | undefined): boolean {
  if (link.password_hash === null) return true
  const [, expires, signature] = /^(\d{1,15})\.([\w-]+)$/.exec(access ?? '') ?? []
  if (expires === undefined || signature === undefined) return false
  return isSignatureOf(secrets.urlKey, partsOf(link, Number(expires)), signature) && Number(expires) > clock.now()
}

/** Unlocks a link with its password, and returns the access that the other calls take. */
export const unlockPublicLink = endpoint(calls.unlockPublicLink, async (ctx, { token, password }) => {
  const shared = await findShared(ctx, token)
  const { item, link } = shared
  if (link.password_hash !== null) {
    await loggingRefusals(ctx, { item: item.id }, () => countUnlock(ctx, link))
    if (!(await isPassword(password, link.password_hash))) {
      logSecurity(ctx, 'link_password_failed', { item: item.id })
      throw new AppError('wrong_password', 'Incorrect password.')
    }
    await noteUnlocked(ctx, link)
  }
  const { access, expires } = signAccess(ctx, link)
  return { access, expiresAt: new Date(expires).toISOString() }
})

const NAME = 'link passwords'
const TRIES = { points: MAX_LINK_PASSWORD_TRIES, seconds: LINK_PASSWORD_WINDOW / 1000 }
/** Limits wrong passwords for one link from all networks together. */
const GUESSES: SlowDown = {
  name: 'failed passwords of a link',
  free: { points: MAX_FAILURES_ANYWHERE, seconds: FAILURES_ANYWHERE_WINDOW / 1000 },
  slowed: { points: 1, seconds: SLOWED_ATTEMPT_INTERVAL / 1000 },
}
/** Remembers for a week which networks have unlocked a link. */
const OPENED = 'opened links'
const REMEMBERED = { points: 1, seconds: 7 * 24 * 3600 }

/** Counts an attempt before the password is checked, so that concurrent attempts can't exceed the limit. */
async function countUnlock(ctx: Context, link: PublicLinkRow): Promise<void> {
  await ctx.rateLimits.consumeFrom(NAME, TRIES, ctx.ip, link.token)
  await ctx.rateLimits.slowDown(GUESSES, link.token, () => isKnownVisitor(ctx, link))
}

/** Forgets the failures of a visitor who knew the password, and remembers their network. */
async function noteUnlocked(ctx: Context, link: PublicLinkRow): Promise<void> {
  const { rateLimits, ip } = ctx
  await rateLimits.forgetFrom(NAME, TRIES, ip, link.token)
  if (await isKnownVisitor(ctx, link)) await rateLimits.speedUp(GUESSES, link.token)
  else await rateLimits.giveBack(GUESSES, link.token)
  await rateLimits.note(OPENED, REMEMBERED, placeOf(ctx, link))
}

/**
 * Returns whether the visitor's network has unlocked this link with its current password, or the visitor is the
 * signed-in owner.
 */
async function isKnownVisitor(ctx: Context, link: PublicLinkRow): Promise<boolean> {
  if (await ctx.rateLimits.hasCounted(OPENED, REMEMBERED, placeOf(ctx, link))) return true
  if (ctx.bearer === undefined) return false
  return (await findSessionUser(ctx, ctx.bearer, ctx.ip))?.id === link.owner_id
}

function placeOf({ ip }: Context, { token, password_hash }: PublicLinkRow): string {
  // The end of the salted hash identifies the password.
  return `${token} ${password_hash?.slice(-16)} ${clientNetwork(ip)}`
}
