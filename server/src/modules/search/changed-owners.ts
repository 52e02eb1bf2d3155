import type { Database } from '../../platform/db/database.ts'

/** Whose names have changed since they were last looked at, and whether they have in this very round. */
const changed = new WeakMap<Database, Map<string, { isFresh: boolean }>>()

/** Says that there may be new names to be indexed. Costs nothing: it stands in the way of every file that is stored. */
export function noteNewNames(db: Database, ownerId: string): void {
  const owners = ownersOf(db)
  const known = owners.get(ownerId)
  if (known) known.isFresh = true
  else owners.set(ownerId, { isFresh: true })
}

export interface ChangedOwner {
  id: string
  /** Nothing has been added since the last round. */
  isResting: boolean
}

/** Who is to be looked at in this round. Those that something was added to come up again in the next one. */
export function takeChangedOwners(db: Database): ChangedOwner[] {
  const owners = ownersOf(db)
  const taken = [...owners].map(([id, { isFresh }]) => ({ id, isResting: !isFresh }))
  for (const [id, state] of owners) {
    if (state.isFresh) state.isFresh = false
    else owners.delete(id)
  }
  return taken
}

function ownersOf(db: Database): Map<string, { isFresh: boolean }> {
  const owners = changed.get(db) ?? new Map<string, { isFresh: boolean }>()
  changed.set(db, owners)
  return owners
}
