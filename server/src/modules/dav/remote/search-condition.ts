import { extensionsOf } from '@alcove/contract/file-types'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import { DavError } from '../dav-error.ts'
import { childrenOf, findChild, isDav, textOf, type XmlElement } from '../read-xml.ts'
import { DAV, NEXTCLOUD, nameKey, OWNCLOUD } from '../write-xml.ts'
import { FAVORITE } from './remote-properties.ts'

/** Comparisons of one search. Clients send up to five. */
const MAX_COMPARISONS = 50
/** JavaScript's last date. */
const MAX_TIME = 8_640_000_000_000_000

const dav = (local: string) => nameKey({ namespace: DAV, local })
const NAME = dav('displayname')
const CONTENT_TYPE = dav('getcontenttype')
const FILE_ID = nameKey({ namespace: OWNCLOUD, local: 'fileid' })

/** The columns of dates, by the properties that show them. */
const dateColumns: Readonly<Record<string, RawBuilder<number>>> = {
  [dav('getlastmodified')]: sql`coalesce(items.modified_at, items.updated_at)`,
  [dav('creationdate')]: sql`items.created_at`,
  [nameKey({ namespace: NEXTCLOUD, local: 'creation_time' })]: sql`items.created_at`,
  [nameKey({ namespace: NEXTCLOUD, local: 'upload_time' })]: sql`items.created_at`,
}

const operators: Readonly<Record<string, RawBuilder<unknown>>> = {
  eq: sql`=`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
}

/** What a search looks for: a part of names, a condition on items, or both. */
export interface SearchCondition {
  readonly name: string | undefined
  readonly isMet: RawBuilder<boolean>
}

/**
 * Reads the condition of a search (RFC 5323, section 5.5): comparisons of names, content types, dates, favorites and numbers, and
 * their combinations. A part of the name can only be combined by `and`, because the index of names finds it. Throws 400, and 501
 * for what clients of Nextcloud don't send.
 */
export function readCondition(db: Database, where: XmlElement): SearchCondition {
  const [condition, ...others] = childrenOf(where)
  if (!condition || others.length > 0) throw new DavError(400, 'The where element must contain one condition.')
  const parts = isDav(condition, 'and') ? childrenOf(condition) : [condition]
  const named = parts.filter(isLikeName)
  if (named.length > 1) throw unsupported()
  const left = { comparisons: MAX_COMPARISONS }
  const rest = parts.filter((part) => !isLikeName(part)).map((part) => compile(db, part, left))
  return { name: named[0] && readNamePart(named[0]), isMet: join(rest, 'and') }
}

function compile(db: Database, element: XmlElement, left: { comparisons: number }): RawBuilder<boolean> {
  left.comparisons -= 1
  if (left.comparisons < 0) throw new DavError(400, `A search can have at most ${MAX_COMPARISONS} comparisons.`)
  if (element.namespace !== DAV) throw unsupported()
  const { local } = element
  if (local === 'and' || local === 'or') {
    return join(
      childrenOf(element).map((child) => compile(db, child, left)),
      local,
    )
  }
  if (local === 'not')
    return sql`not ${join(
      childrenOf(element).map((child) => compile(db, child, left)),
      'and',
    )}`
  if (local === 'is-collection') return sql`items.kind = 'folder'`
  if (local !== 'like' && operators[local] === undefined) throw unsupported()
  const { key, literal } = readComparison(element)
  if (key === CONTENT_TYPE && (local === 'like' || local === 'eq')) return hasContentType(db, literal, local)
  if (key === FAVORITE && local === 'eq') {
    return /^(1|yes|true)$/i.test(literal) ? sql`items.favorite_at is not null` : sql`items.favorite_at is null`
  }
  if (key === FILE_ID && local === 'eq') {
    if (!/^\d{1,15}$/.test(literal)) return sql`1 = 0`
    return sql`items.id in (select item_id from file_numbers where number = ${Number(literal)})`
  }
  const [column, operator] = [dateColumns[key], operators[local]]
  if (!column || !operator) throw unsupported()
  return sql`${column} ${operator} cast(${readTime(literal)} as bigint)`
}

function join(conditions: RawBuilder<boolean>[], by: 'and' | 'or'): RawBuilder<boolean> {
  if (conditions.length === 0) return sql`1 = 1`
  return sql`(${sql.join(conditions, sql.raw(` ${by} `))})`
}

function readComparison(element: XmlElement): { key: string; literal: string } {
  const list = findChild(element, 'prop')
  const literal = findChild(element, 'literal')
  const [property, ...others] = list ? childrenOf(list) : []
  if (!property || others.length > 0 || !literal) {
    throw new DavError(400, 'A comparison needs a prop element with one property, and a literal.')
  }
  return { key: nameKey(property), literal: textOf(literal).trim() }
}

function isLikeName(element: XmlElement): boolean {
  return isDav(element, 'like') && readComparison(element).key === NAME
}

/** Reads `%part%`. Other patterns would need a scan of all names. */
function readNamePart(element: XmlElement): string {
  const part = /^%(.*)%$/s.exec(readComparison(element).literal)?.[1]
  if (part === undefined) throw unsupported()
  return part
}

/** Content types follow from extensions, so there is no column for them. In a pattern, `%` stands for any text. */
function hasContentType(db: Database, pattern: string, operator: 'like' | 'eq'): RawBuilder<boolean> {
  const wanted = pattern.toLowerCase().split('%')
  const isExact = operator === 'eq' || wanted.length === 1
  if (wanted.length > 3) throw unsupported()
  const { extensions, others } = extensionsOf((type) =>
    isExact ? type === pattern.toLowerCase() : matches(type, wanted),
  )
  const isFile = sql`items.kind = 'file'`
  const isListed = isAmong(db, 'items.extension', extensions)
  if (!others) return sql`(${isFile} and ${isListed})`
  return sql`(${isFile} and (${isListed} or not ${isAmong(db, 'items.extension', extensionsOf(() => true).extensions)}))`
}

/** Returns whether a text consists of the parts, in their order, with anything between them. */
function matches(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  return text.slice(first.length, text.length - last.length).includes(rest[0] ?? '')
}

/** Reads a date, or seconds since 1970. */
function readTime(literal: string): number {
  const time = /^-?\d{1,15}$/.test(literal) ? Number(literal) * 1000 : Date.parse(literal)
  if (Number.isNaN(time)) throw new DavError(400, 'A search for dates needs a date such as 2030-12-31T12:00:00Z.')
  return Math.max(-MAX_TIME, Math.min(MAX_TIME, time))
}

function unsupported(): DavError {
  return new DavError(501, 'This search is not supported.')
}

/** Returns the order that a search wants: by a date or by name, otherwise by date. */
export function readOrder(search: XmlElement): RawBuilder<unknown> {
  const order = findChild(search, 'orderby')
  const first = order && findChild(order, 'order')
  const list = first && findChild(first, 'prop')
  const key = list && childrenOf(list)[0] ? nameKey(childrenOf(list)[0] as XmlElement) : dav('getlastmodified')
  const column = key === NAME ? sql`items.sort_key` : (dateColumns[key] ?? dateColumns[dav('getlastmodified')])
  const isAscending = first !== undefined && findChild(first, 'descending') === undefined
  return sql`${column} ${sql.raw(isAscending ? 'asc' : 'desc')}`
}
