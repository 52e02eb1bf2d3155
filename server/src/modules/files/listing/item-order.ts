import type { ParsedInputOf } from '@alcove/contract/call'
import type { listItems } from '@alcove/contract/item-calls'
import { type RawBuilder, sql } from 'kysely'
import type { ItemRow } from '../../../platform/db/tables.ts'
import { nameColumns, type PresentedRow, sortKey } from '../../items/index.ts'

export type ItemOrder = Pick<ParsedInputOf<typeof listItems>, 'sort' | 'order'>

/** A place in a list: just behind the item whose keys these are, whether it is still there or not. */
export interface ListPosition {
  kind: ItemRow['kind']
  /** What is sorted by; nothing where that is the name. */
  value: string | number | null
  sortKey: string
  id: string
}

export function positionOf(row: PresentedRow, { sort }: ItemOrder): ListPosition {
  return { kind: row.kind, value: sortedValueOf(row, sort), sortKey: sortKey(row.name), id: row.id }
}

function sortedValueOf(row: PresentedRow, sort: ItemOrder['sort']): ListPosition['value'] {
  if (sort === 'name') return null
  if (sort === 'size') return row.size
  if (sort === 'updatedAt') return row.updated_at
  return nameColumns(row.name).extension
}

const columns = { size: sql`size`, updatedAt: sql`updated_at`, type: sql`extension` }
const directions = { asc: sql`asc`, desc: sql`desc` }
const after = { asc: sql`>`, desc: sql`<` }

/**
 * The order of the items of one kind in a folder. By name it runs along the index. By anything else, what is alike is in
 * the order of names, upwards in either direction.
 */
export function describeOrder({ sort, order }: ItemOrder): RawBuilder<unknown> {
  const direction = directions[order]
  if (sort === 'name') return sql`sort_key ${direction}, id ${direction}`
  return sql`${columns[sort]} ${direction}, sort_key, id`
}

/** What comes behind a position in that order. */
export function describeRest({ sort, order }: ItemOrder, position: ListPosition): RawBuilder<boolean> {
  const name = sql`(${position.sortKey}, ${position.id})`
  if (sort === 'name') return sql`(sort_key, id) ${after[order]} ${name}`
  const column = columns[sort]
  return sql`(${column} ${after[order]} ${position.value} or (${column} = ${position.value} and (sort_key, id) > ${name}))`
}
