import type { Migration } from 'kysely/migration'
import type { Engine } from '../tables.ts'
import { createFirstTables } from './001-first-tables.ts'
import { indexTrashAndFavorites } from './002-trash-and-favorites.ts'

/** Every step of the tables' history, in order; a step that has shipped never changes. */
export function migrations(engine: Engine): Record<string, Migration> {
  return {
    '001-first-tables': { up: (db) => createFirstTables(db, engine) },
    '002-trash-and-favorites': { up: indexTrashAndFavorites },
  }
}
