import type { Database } from '../../platform/db/database.ts'

/** The owners whose names have changed since the last round, and whether they changed in the current round. */
const changed = new WeakMap<Database, Map<string, { isFresh: boolean }>>()

/** Notes that a user may have new names to index. Must cost nothing, because every stored file waits for it. */
export function noteNewNames(db: Database, ownerId: string): void {
  const owners = ownersOf(db)
  const known = owners.get(ownerId)
  if (known) known.isFresh = true
  else owners.set(ownerId, { isFresh: true })
}

export interface ChangedOwner {
  id: string
  /** Whether nothing was added since the last round. */
  isResting: boolean
}

/** Returns the owners to process in this round. Owners with new names come up again in the next one. */
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
