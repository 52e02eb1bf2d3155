import { foldForSearch } from '@alcove/contract/search-text'
import { sql } from 'kysely'
import type { UserContext } from '../../../context.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { isBelow, isInReach } from '../../items/index.ts'
import { findNames } from '../../search/index.ts'
import { DavError } from '../dav-error.ts'
import { type Mount, readPath } from '../dav-path.ts'
import type { DavRequest } from '../dav-request.ts'
import { childrenOf, findChild, isDav, readXml, textOf, type XmlElement } from '../read-xml.ts'
import { getAt } from '../resolve-path.ts'
import { MULTISTATUS_END, MULTISTATUS_START, type Wanted } from '../write-multistatus.ts'
import { NEXTCLOUD, nameKey, XML_TYPE } from '../write-xml.ts'
import { readCondition, readOrder, type SearchCondition } from './search-condition.ts'
import { itemWriter } from './write-items.ts'

/** The addresses of searches. The body names the folder. */
export const searchRoutes = ['/remote.php/dav', '/remote.php/dav/'] as const

/** Items in one response. */
const MAX_RESULTS = 1000
/** Results that a client can skip. */
const MAX_SKIPPED = 1_000_000

/** Searches the drive as clients of Nextcloud do (`DAV:basicsearch` of RFC 5323), by names or by other properties. */
export async function search(asking: Pick<DavRequest, 'ctx' | 'request' | 'reply'>): Promise<unknown> {
  const { ctx, reply } = asking
  const body = await readXml(asking)
  const basic = body && isDav(body, 'searchrequest') ? findChild(body, 'basicsearch') : undefined
  const where = basic && findChild(basic, 'where')
  if (!basic || !where) throw new DavError(400, 'The body of a SEARCH must be a basicsearch with a where element.')
  const { email } = ctx.user
  const mount: Mount = { prefix: `/remote.php/dav/files/${encodeURIComponent(email)}`, user: email, isRemote: true }
  const select = findChild(basic, 'select')
  const list = select && findChild(select, 'prop')
  const wanted: Wanted = list ? { kind: 'prop', names: childrenOf(list) } : { kind: 'allprop', names: [] }
  const rows = await find(ctx, {
    condition: readCondition(ctx.db, where),
    order: readOrder(basic),
    scope: await openScope(ctx, basic),
    ...readLimit(basic),
  })
  const write = await itemWriter({ ctx, mount }, wanted)
  return reply
    .status(207)
    .type(XML_TYPE)
    .send(MULTISTATUS_START + (await write(rows)) + MULTISTATUS_END)
}

interface Scope {
  folderId: string
  isDeep: boolean
}

/** Reads the folder in which to search, `/files/USER/…`, and whether also in those below it. */
async function openScope(ctx: UserContext, basic: XmlElement): Promise<Scope> {
  const from = findChild(basic, 'from')
  const scope = from && findChild(from, 'scope')
  const href = scope && findChild(scope, 'href')
  const depth = scope && findChild(scope, 'depth')
  const { email } = ctx.user
  // Some clients encode the address, others don't.
  const path = (href ? textOf(href).trim() : '').toWellFormed().replace(/[^ -~]+/g, encodeURIComponent)
  const names = readPath({ prefix: `/files/${email}`, user: email }, path)
  if (!names) throw new DavError(404, 'The folder of this search does not exist.')
  const { item } = await getAt(ctx.db, ctx.user, names)
  const text = depth ? textOf(depth).trim().toLowerCase() : 'infinity'
  if (text !== 'infinity' && text !== '1') throw new DavError(400, 'The depth of a search must be 1 or infinity.')
  return { folderId: item.id, isDeep: text === 'infinity' }
}

function readLimit(basic: XmlElement): { limit: number; skipped: number } {
  const limit = findChild(basic, 'limit')
  const read = (element: XmlElement | undefined, most: number) => {
    const text = element ? textOf(element).trim() : ''
    return /^\d{1,9}$/.test(text) ? Math.min(Number(text), most) : undefined
  }
  const first = limit && childrenOf(limit).find((one) => nameKey(one) === FIRST_RESULT)
  const results = limit && findChild(limit, 'nresults')
  return { limit: read(results, MAX_RESULTS) ?? MAX_RESULTS, skipped: read(first, MAX_SKIPPED) ?? 0 }
}

const FIRST_RESULT = nameKey({ namespace: NEXTCLOUD, local: 'firstresult' })

interface Search {
  condition: SearchCondition
  order: ReturnType<typeof readOrder>
  scope: Scope
  limit: number
  skipped: number
}

/** Finds items with one statement, after the index of names if the search is for a name. */
async function find(ctx: UserContext, { condition, order, scope, limit, skipped }: Search): Promise<ItemRow[]> {
  const { db, user } = ctx
  const isWhole = scope.isDeep && scope.folderId === user.driveRootId
  const isInScope = scope.isDeep ? isBelow(scope.folderId) : sql<boolean>`items.parent_id = ${scope.folderId}`
  const items = db
    .selectFrom('items')
    .selectAll()
    .where('owner_id', '=', user.id)
    .where('area', '=', 'drive')
    .where('trash_id', 'is', null)
    .where('parent_id', 'is not', null)
    .where('mount_of', 'is', null)
    .where(isInReach(user))
    .$if(!isWhole, (query) => query.where(isInScope))
    // Files in which macOS stores metadata are no results, as in the product's own search.
    .where(sql<boolean>`substr(items.name, 1, 2) <> '._' and items.name <> '.DS_Store'`)
    .where(condition.isMet)
  if (condition.name === undefined) {
    return items.orderBy(order).orderBy('id').limit(limit).offset(skipped).execute()
  }
  const ranks = await findNamed(ctx, condition.name)
  const rows = await items.where(isAmong(db, 'items.id', [...ranks.keys()])).execute()
  // The best matches come first.
  rows.sort((one, other) => (ranks.get(one.id) ?? 0) - (ranks.get(other.id) ?? 0))
  return rows.slice(skipped, skipped + limit)
}

/** Returns the ids of the items whose names contain a text, with their ranks. */
async function findNamed({ db, user }: UserContext, text: string): Promise<Map<string, number>> {
  const folded = foldForSearch(text.trim())
  if (folded === '' || !folded.isWellFormed()) return new Map()
  const items = await findNames(db, { ownerId: user.id, isInReach: isInReach(user) }, folded, MAX_RESULTS)
  return new Map(items.map(({ id }, rank) => [id, rank]))
}
