import type { Database } from '../../platform/db/database.ts'
import { collectIndexed } from './collect-indexed.ts'
import { collectPending } from './collect-pending.ts'
import { type FoundItem, RankedItems } from './ranked-items.ts'

/**
 * A user's visible items of the drive whose names contain a folded text: those that are the text, then those that begin
 * with it, then the others; among equals in the order of names. Where more than `limit` are equal, those that got their
 * names last are preferred.
 */
export async function findNames(db: Database, ownerId: string, text: string, limit: number): Promise<FoundItem[]> {
  const found = new RankedItems(text, limit)
  // In this order: what becomes indexed meanwhile is found twice rather than not at all.
  await collectPending(db, ownerId, text, found)
  await collectIndexed(db, ownerId, text, found)
  return found.list()
}
