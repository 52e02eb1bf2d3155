import type { Database } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { getTreeState, listLocks } from '../items/index.ts'
import { preconditionFailed } from './dav-error.ts'
import { readPathIn, readTarget } from './dav-path.ts'
import { type DavRequest, headerOf, hostsOf, pathInside } from './dav-request.ts'
import { etagOf } from './etag.ts'
import type { ConditionList } from './if-header.ts'
import { readMountTags } from './mount-tags.ts'
import { mountsBeside } from './mounts.ts'
import { type Found, resolvePath } from './resolve-path.ts'

/**
 * Throws 412 unless the conditions of a request are met: `If`, `If-Match`, `If-None-Match` and `If-Unmodified-Since`. Changes call
 * it in their transaction.
 */
export async function assertPreconditions(db: Database, dav: DavRequest, found: Found): Promise<void> {
  assertEntityTags(dav, found.item, await tagOf(db, dav, found.item))
  if (dav.ifHeader && !(await isAnyListMet(db, dav, found))) throw preconditionFailed()
}

/** Returns whether a request has any condition. */
export function isConditional(dav: DavRequest): boolean {
  const names = ['if-match', 'if-none-match', 'if-unmodified-since']
  return dav.ifHeader !== undefined || names.some((name) => headerOf(dav, name) !== undefined)
}

/** Implements RFC 9110, section 13.2.2, except for the conditions of downloads, which `sendBytes` evaluates. */
function assertEntityTags(dav: DavRequest, item: ItemRow | undefined, etag: string | undefined): void {
  const ifMatch = headerOf(dav, 'if-match')
  if (ifMatch !== undefined) {
    if (!item || (ifMatch.trim() !== '*' && !listTags(ifMatch).includes(etag ?? ''))) throw preconditionFailed()
  } else {
    const unmodifiedSince = Date.parse(headerOf(dav, 'if-unmodified-since') ?? '')
    // HTTP dates have whole seconds.
    if (item && Math.floor((item.modified_at ?? item.updated_at) / 1000) * 1000 > unmodifiedSince)
      throw preconditionFailed()
  }
  const isDownload = dav.request.method === 'GET' || dav.request.method === 'HEAD'
  const ifNoneMatch = isDownload ? undefined : headerOf(dav, 'if-none-match')
  if (ifNoneMatch === undefined || !item) return
  const tags = listTags(ifNoneMatch).map((tag) => tag.replace(/^W\//, ''))
  if (ifNoneMatch.trim() === '*' || (etag !== undefined && tags.includes(etag))) throw preconditionFailed()
}

/** Returns the entity tag of an item; of a folder only if a condition needs it. */
async function tagOf(db: Database, dav: DavRequest, item: ItemRow | undefined): Promise<string | undefined> {
  if (item?.kind !== 'folder' || !isConditional(dav)) return item && etagOf(item)
  const { user } = dav.ctx
  const [{ followed_since }, below] = await Promise.all([getTreeState(db, user.id), readMountTags(db, user)])
  return etagOf(item, followed_since, user.member?.role ?? below.get(item.id))
}

function listTags(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? []
}

async function isAnyListMet(db: Database, dav: DavRequest, found: Found): Promise<boolean> {
  for (const list of dav.ifHeader?.lists ?? []) {
    const resource = list.resource === undefined ? found : await resolveTag(db, dav, list.resource)
    const state = await readState(db, dav, resource)
    if (isMet(list, state)) return true
  }
  return false
}

function isMet({ conditions }: ConditionList, { etag, tokens }: State): boolean {
  return conditions.every(({ kind, value, isNegated }) => {
    const isTrue = kind === 'token' ? tokens.has(value) : value === etag
    return isTrue !== isNegated
  })
}

interface State {
  readonly etag: string | undefined
  readonly tokens: ReadonlySet<string>
}

const NOTHING: State = { etag: undefined, tokens: new Set() }

/** Returns the state of a resource. One that doesn't exist yet is covered by the locks of its folder that reach into it. */
async function readState(db: Database, dav: DavRequest, found: Found | undefined): Promise<State> {
  const locked = found?.item ?? found?.parent
  if (!found || !locked) return NOTHING
  const locks = (await listLocks({ ...dav.ctx, db }, [locked.id])).get(locked.id) ?? []
  const covering = found.item ? locks : locks.filter(({ depth }) => depth === 'infinity')
  const etag = await tagOf(db, dav, found.item)
  return { etag, tokens: new Set(covering.map(({ token }) => token)) }
}

/** Returns what is at the URI of a tagged list, or undefined if it is on another server or outside the mount. */
async function resolveTag(db: Database, dav: DavRequest, uri: string): Promise<Found | undefined> {
  const { request, ctx, home } = dav
  const target = readTarget(uri, hostsOf(request, ctx.config.publicUrl))
  if (target === undefined || target === 'elsewhere') return undefined
  const { mount, user } = home ?? { mount: dav.mount, user: ctx.user }
  const named = readPathIn(mountsBeside(mount, user), target.path)
  const path = named && home ? pathInside(home, named) : named
  return path && resolvePath(db, ctx.user, path)
}
