import { Readable } from 'node:stream'
import type { UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { acquireLock, type Lock, listLocks, refreshLock, releaseLock } from '../items/index.ts'
import { storeStream } from '../uploads/index.ts'
import { conflict, DavError } from './dav-error.ts'
import { writeHref } from './dav-path.ts'
import { type DavHandler, type DavRequest, headerOf, readDepth, writingFor } from './dav-request.ts'
import { writeLocks } from './live-properties.ts'
import { assertPreconditions } from './preconditions.ts'
import { childrenOf, findChild, isDav, readXml, writeContent, type XmlElement } from './read-xml.ts'
import { type Found, getAt, resolvePath } from './resolve-path.ts'
import { declarations, XML_TYPE } from './write-xml.ts'

/** Locks a resource or, without a body, refreshes a lock. Locking a name that is free creates an empty file there. */
export const lock: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  const depth = readDepth(dav, ['0', 'infinity'], 'infinity')
  const body = await readXml(dav)
  const timeout = readTimeout(headerOf(dav, 'timeout'))
  const found = await resolvePath(ctx.db, ctx.user, path)
  if (!body) return refresh(dav, found, timeout)
  const wanted = readLockInfo(body)
  await assertPreconditions(ctx.db, dav, found)
  const { found: locked, isNew } = found.item ? { found, isNew: false } : await createEmptyFile(dav, found)
  const acquired = await acquireLock(ctx, itemOf(locked).id, { ...wanted, depth, timeout }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'locked') {
      throw new DavError(423, error.message, 'no-conflicting-lock')
    }
    throw error
  })
  reply.header('lock-token', `<${acquired.token}>`).status(isNew ? 201 : 200)
  return sendLocks(dav, locked, await locksOf(ctx, locked))
}

export const unlock: DavHandler = async (dav) => {
  const { ctx, reply, path } = dav
  const token = /^\s*<([^<>]+)>\s*$/.exec(headerOf(dav, 'lock-token') ?? '')?.[1]
  if (token === undefined) throw new DavError(400, 'An UNLOCK request needs the header Lock-Token.')
  const { item } = await getAt(ctx.db, ctx.user, path)
  await releaseLock(ctx, item.id, token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'state_conflict') {
      throw new DavError(409, error.message, 'lock-token-matches-request-uri')
    }
    throw error
  })
  return reply.status(204).send()
}

async function refresh(dav: DavRequest, found: Found, timeout: number | undefined): Promise<unknown> {
  const { ctx, ifHeader } = dav
  const tokens = [...(ifHeader?.tokens ?? [])]
  if (tokens.length === 0) throw new DavError(400, 'A LOCK request needs a body, or an If header to refresh a lock.')
  const item = itemOf(found)
  await assertPreconditions(ctx.db, dav, found)
  const held = (await locksOf(ctx, found)).filter(({ token }) => tokens.includes(token))
  if (held.length === 0) {
    throw new DavError(412, 'This lock has expired or was released.', 'lock-token-matches-request-uri')
  }
  const refreshed: Lock[] = []
  for (const { token } of held) refreshed.push(await refreshLock(ctx, item.id, token, timeout))
  return sendLocks(dav, found, refreshed)
}

async function createEmptyFile(dav: DavRequest, { path, parent }: Found): Promise<{ found: Found; isNew: boolean }> {
  const { ctx } = dav
  if (!parent) throw conflict('The folder of this file does not exist.')
  const target = { folderId: parent.id, filename: path.at(-1) as string }
  await storeStream(ctx, target, Readable.from([]), {
    size: 0,
    assertMayReplace: (existing) => {
      if (existing) throw conflict('A file with this name was created meanwhile. Try again.')
    },
  })
  return { found: await resolvePath(ctx.db, ctx.user, path), isNew: true }
}

function itemOf({ item }: Found) {
  if (!item) throw new DavError(404, 'Nothing is at this address.')
  return item
}

async function locksOf(ctx: UserContext, found: Found): Promise<readonly Lock[]> {
  const { id } = itemOf(found)
  return (await listLocks(ctx, [id])).get(id) ?? []
}

function sendLocks(dav: DavRequest, found: Found, locks: readonly Lock[]): unknown {
  const item = itemOf(found)
  const content = writeLocks(
    { row: item, href: writeHref(dav.mount, found.path, item.kind), locks },
    writingFor(dav, found),
  )
  return dav.reply
    .type(XML_TYPE)
    .send(
      `<?xml version="1.0" encoding="utf-8"?>\n<D:prop ${declarations}><D:lockdiscovery>${content}</D:lockdiscovery></D:prop>\n`,
    )
}

function readLockInfo(body: XmlElement): Pick<Lock, 'scope' | 'owner'> {
  if (!isDav(body, 'lockinfo')) throw new DavError(400, 'The body of a LOCK must be a lockinfo element.')
  const scopes = childrenOf(findChild(body, 'lockscope') ?? NOTHING)
  const types = childrenOf(findChild(body, 'locktype') ?? NOTHING)
  const scope = (['exclusive', 'shared'] as const).find((one) => scopes.some((child) => isDav(child, one)))
  if (scope === undefined || !types.some((child) => isDav(child, 'write'))) {
    throw new DavError(422, 'A lock must be an exclusive or shared write lock.')
  }
  const owner = findChild(body, 'owner')
  return { scope, owner: owner ? writeContent(owner) : '' }
}

const NOTHING: XmlElement = {
  namespace: '',
  local: '',
  name: '',
  attributes: [],
  content: [],
  scope: {},
  language: undefined,
}

/** Reads a `Timeout` header: its first value that is `Infinite` or `Second-` with a number. */
function readTimeout(header: string | undefined): number | undefined {
  for (const value of header?.split(',') ?? []) {
    if (/^\s*infinite\s*$/i.test(value)) return Number.POSITIVE_INFINITY
    const seconds = /^\s*second-(\d{1,10})\s*$/i.exec(value)?.[1]
    if (seconds !== undefined) return Number(seconds)
  }
  return undefined
}
