import { type RawBuilder, sql } from 'kysely'

const MINUTE = 60_000

/** Deletions by an app or a member within this time count together. In milliseconds. */
export const DELETION_WINDOW = 10 * MINUTE
/** How long the items of a mass deletion are kept after the alarm. */
export const PROTECTED_FOR = 30 * 24 * 60 * MINUTE

/**
 * Returns a condition for trashed items: nothing keeps retention or an app from deleting them. Items of a mass deletion are protected
 * for 30 days. Their owner can delete them at any time.
 */
export function isUnprotected(now: number): RawBuilder<boolean> {
  return sql<boolean>`(items.deletion_group is null or not exists (
    select 1 from deletion_groups protecting
    where protecting.id = items.deletion_group and protecting.alarmed_at > ${now - PROTECTED_FOR}))`
}
