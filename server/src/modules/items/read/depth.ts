import { MAX_DEPTH } from '@alcove/contract/limits'
import { sql } from 'kysely'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { listAncestors } from './item-path.ts'

/** Throws when a folder lies too deep to get `levels` more below it. */
export async function assertDepthBelow(db: Database, folderId: string, levels: number): Promise<void> {
  const ancestors = await listAncestors(db, folderId)
  if (ancestors.length + 1 + levels > MAX_DEPTH) {
    throw tooDeep()
  }
}

export function tooDeep(): AppError {
  return new AppError('malformed', `Folders can lie at most ${MAX_DEPTH} levels deep.`)
}

/** How many levels of folders a folder spans, itself included. One statement. */
export async function measureHeight(db: Database, folderId: string): Promise<number> {
  const { rows } = await sql<{ height: number }>`
    with recursive below (id, height) as (
      select id, 1 from items where id = ${folderId}
      union all
      select child.id, below.height + 1 from below join items child on child.parent_id = below.id
      where child.kind = 'folder'
    )
    select max(height) as height from below`.execute(db)
  return Number(rows[0]?.height ?? 1)
}
