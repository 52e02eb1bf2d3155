import type { DriveScope } from '@alcove/contract/call'
import { calls } from '@alcove/contract/calls'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppPasswordUse, Services, UserContext } from '../../../../context.ts'
import { AppError } from '../../../../errors.ts'
import type { ItemRow } from '../../../../platform/db/tables.ts'
import { publicContext } from '../../../../platform/http/api.ts'
import { assertInScope, authenticateBasic } from '../../../../platform/http/app-passwords.ts'
import { findAt, getNumbered } from '../../../dav/index.ts'
import { changePublicLink, type LinkedItem, listLinked } from '../../../sharing/index.ts'
import { acceptTexts } from '../../accept-texts.ts'
import { assertSentByProgram } from '../assert-sent-by-program.ts'
import { sendOcs } from '../ocs-response.ts'
import type { OcsValue } from '../write-xml.ts'
import { describeShares } from './describe-shares.ts'
import { readLinkSettings, type ShareInput, shareInput } from './share-input.ts'

/** The calls have no pages, so a list has a limit. Clients list the links of one folder, or all. */
const MAX_LISTED = 1000
/** A form with a path and a password. */
const MAX_BODY = 16 * 1024

const API = '/apps/files_sharing/api/v1'

/**
 * The part of Nextcloud's share API that concerns public links. A share is the item's own public link, the same one that the web
 * shows: creating a share enables it, and deleting it disables it.
 */
export function shareRoutes(ocs: FastifyInstance, services: Services): void {
  void ocs.register(async (scope) => {
    acceptTexts(scope, MAX_BODY)

    /** Adds a call. The app password must have the scope. */
    const add = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, needed: DriveScope, handler: Handler) =>
      scope.route({
        method,
        url: API + path,
        handler: async (request, reply) => {
          const ctx = await authorize(services, request, reply, needed)
          return sendOcs(request, reply, { status: 200, data: await handler(ctx, shareInput(request)) })
        },
      })

    add('GET', '/shares', 'read', list)
    add('POST', '/shares', 'write', create)
    add('GET', '/shares/:id', 'read', get)
    add('PUT', '/shares/:id', 'write', update)
    add('DELETE', '/shares/:id', 'write', remove)
    // The desktop client searches for users and groups while a name is typed. There are none to share with.
    add('GET', '/sharees', 'read', async () => ({ exact: NOBODY, ...NOBODY }))
  })
}

type Handler = (ctx: UserContext, input: ShareInput) => Promise<OcsValue>

const NOBODY = { users: [], groups: [], remotes: [], emails: [], circles: [], rooms: [] }

async function authorize(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: DriveScope,
): Promise<UserContext> {
  if (scope !== 'read') assertSentByProgram(request)
  const user = await authenticateBasic(services, request)
  assertInScope(user.appPassword as AppPasswordUse, scope)
  return { ...publicContext(services, request, reply), user }
}

/** Lists the links of a file or folder, of what is directly in a folder (`subfiles`), or all. */
const list: Handler = async (ctx, input) => {
  if (input.isOn('shared_with_me')) return []
  const path = input.get('path')
  if (path === undefined) return describeShares(ctx, await listLinked(ctx, {}, MAX_LISTED))
  const { id, kind } = await findAt(ctx, path)
  const ofChildren = input.isOn('subfiles')
  if (ofChildren && kind === 'file') throw new AppError('malformed', 'This is a file. Only a folder contains others.')
  return describeShares(ctx, await listLinked(ctx, ofChildren ? { folderId: id } : { itemId: id }, MAX_LISTED))
}

const get: Handler = async (ctx, input) =>
  describe(ctx, await getLinked(ctx, await getNumbered(ctx.db, ctx.user, input.id)))

/** Enables the link of an item. If it works already, it stays, with what the request sets. */
const create: Handler = async (ctx, input) => {
  const settings = readLinkSettings(input, 'new')
  const item = await findAt(ctx, input.get('path') ?? '/')
  if (item.id === ctx.user.driveRootId) throw new AppError('forbidden', 'The drive as a whole can’t be shared.')
  // An expiry that has passed belonged to the link as it was before, and would make a new one useless.
  const expired = await ctx.db
    .selectFrom('public_links')
    .select('item_id')
    .where('item_id', '=', item.id)
    .where('is_first', '=', 1)
    .where('expires_at', '<=', ctx.clock.now())
    .executeTakeFirst()
  return change(ctx, item, { ...(expired && { expiresAt: null }), ...settings })
}

/** Changes the password or the expiry of a link that works. */
const update: Handler = async (ctx, input) => {
  const settings = readLinkSettings(input, 'existing')
  const linked = await getLinked(ctx, await getNumbered(ctx.db, ctx.user, input.id))
  return change(ctx, linked, settings)
}

const remove: Handler = async (ctx, input) => {
  const { id } = await getLinked(ctx, await getNumbered(ctx.db, ctx.user, input.id))
  await changePublicLink(ctx, { id, enabled: false })
  return []
}

async function change(ctx: UserContext, { id }: ItemRow, settings: ReturnType<typeof readLinkSettings>) {
  await changePublicLink(ctx, calls.updatePublicLink.input.parse({ id, enabled: true, ...settings }))
  return describe(ctx, await getLinked(ctx, { id }))
}

/** Returns an item with its link, if that works. Throws 404. */
async function getLinked(ctx: UserContext, { id }: Pick<ItemRow, 'id'>): Promise<LinkedItem> {
  const [linked] = await listLinked(ctx, { itemId: id }, 1)
  if (!linked) throw new AppError('not_found', 'This share was not found.')
  return linked
}

async function describe(ctx: UserContext, linked: LinkedItem): Promise<OcsValue> {
  const [share] = await describeShares(ctx, [linked])
  return share as OcsValue
}
