import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Limits a query to links that work. Of items in the trash and of deleted accounts, none does. */
export function isWorking(now: number) {
  return (eb: ExpressionBuilder<Tables, 'public_links'>) =>
    eb.and([
      eb('public_links.enabled_at', 'is not', null),
      eb.or([eb('public_links.expires_at', 'is', null), eb('public_links.expires_at', '>', now)]),
      sql<SqlBool>`(public_links.max_downloads is null or public_links.download_count < public_links.max_downloads)`,
    ])
}
