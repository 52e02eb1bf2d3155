import { sql } from 'kysely'
import type { Services, SessionUser } from '../../../context.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isAmong } from '../../../platform/db/portable-sql.ts'
import type { ItemRow, LockRow } from '../../../platform/db/tables.ts'
import { mayHaveLocks } from './locked-until.ts'

/** A lock of an item that has not expired. */
export interface Lock {
  token: string
  /** The file or folder that was locked, its lock root. */
  itemId: string
  /** The name and kind of that item. */
  name: string
  kind: 'file' | 'folder'
  scope: LockRow['scope']
  depth: LockRow['depth']
  /** What the client says about its user: XML or text. */
  owner: string
  /** The app that holds it, for example `LibreOffice on Linux`. */
  app: string
  createdAt: number
  expiresAt: number
}

/** An item or a folder above it, with one of its locks, if there are any. */
type FoundRow = Pick<ItemRow, 'id' | 'parent_id' | 'name' | 'kind'> &
  ({ token: null } | Pick<LockRow, 'token' | 'scope' | 'depth' | 'holder' | 'app' | 'created_at' | 'expires_at'>)

/** All locks of a user, and the folders above them and above some other items. */
export class FoundLocks {
  readonly all: Lock[] = []
  readonly #parentOf = new Map<string, string | null>()
  readonly #locksOn = new Map<string, Lock[]>()
  readonly #inherited = new Map<string, readonly Lock[]>()

  constructor(rows: readonly FoundRow[]) {
    for (const row of rows) {
      this.#parentOf.set(row.id, row.parent_id)
      if (row.token === null) continue
      const lock = toLock(row)
      const others = this.#locksOn.get(row.id)
      if (others) others.push(lock)
      else this.#locksOn.set(row.id, [lock])
      this.all.push(lock)
    }
  }

  /** Hides the names of locked folders that an app password of one folder can't see: those above its folder, or elsewhere. */
  hideNamesOutside(folderId: string): void {
    for (const lock of this.all) if (!this.#isWithin(lock.itemId, folderId)) lock.name = 'another folder'
  }

  #isWithin(itemId: string, folderId: string): boolean {
    for (let id: string | null | undefined = itemId; id != null; id = this.#parentOf.get(id)) {
      if (id === folderId) return true
    }
    return false
  }

  /** Returns the locks that cover an item: its own, and those of the folders above it with depth infinity. */
  covering(itemId: string, parentId = this.#parentOf.get(itemId)): readonly Lock[] {
    const own = this.#locksOn.get(itemId)
    const inherited = parentId == null ? NONE : this.#reachingInto(parentId)
    return own ? [...own, ...inherited] : inherited
  }

  /** Returns the locks of everything below these items, each with the item that it is below. */
  below(ids: ReadonlySet<string>): { lock: Lock; top: string }[] {
    return this.all.flatMap((lock) => {
      for (let id = this.#parentOf.get(lock.itemId); id != null; id = this.#parentOf.get(id)) {
        if (ids.has(id)) return [{ lock, top: id }]
      }
      return []
    })
  }

  /** Returns the locks with depth infinity of a folder and those above it. Each folder is looked at once. */
  #reachingInto(folderId: string): readonly Lock[] {
    const known = this.#inherited.get(folderId)
    if (known) return known
    const parentId = this.#parentOf.get(folderId)
    const above = parentId == null ? NONE : this.#reachingInto(parentId)
    const own = this.#locksOn.get(folderId)?.filter(({ depth }) => depth === 'infinity') ?? NONE
    const all = own.length === 0 ? above : [...own, ...above]
    this.#inherited.set(folderId, all)
    return all
  }
}

const NONE: readonly Lock[] = []

type Finding = { db: Database; user: Pick<SessionUser, 'id' | 'appPassword'>; now: number }

/**
 * Finds the locks of a user, and the folders above these items. One statement, whatever lies below the items; returns undefined if
 * the user has no locks.
 */
export async function findLocks(
  { db, user, now }: Finding,
  itemIds: readonly string[],
): Promise<FoundLocks | undefined> {
  if (!(await mayHaveLocks(db, user.id, now))) return undefined
  // The locks that are joined need no condition on their owner: they are those of the items. With it, SQLite would read all locks of
  // the user for each item.
  const { rows } = await sql<FoundRow>`
    with recursive above (id, parent_id, name, kind) as (
      select id, parent_id, name, kind from items where ${isAmong(db, 'id', itemIds)}
      union
      select locked.id, locked.parent_id, locked.name, locked.kind
      from locks join items locked on locked.id = locks.item_id
      where locks.owner_id = ${user.id} and locks.expires_at > ${now}
      union
      select parent.id, parent.parent_id, parent.name, parent.kind
      from above join items parent on parent.id = above.parent_id
    )
    select above.*, locks.token, locks.scope, locks.depth, locks.holder, locks.app, locks.created_at, locks.expires_at
    from above left join locks on locks.item_id = above.id and locks.expires_at > ${now}
    order by locks.created_at, locks.token`.execute(db)
  const found = new FoundLocks(rows)
  if (user.appPassword?.folderId) found.hideNamesOutside(user.appPassword.folderId)
  return found
}

/** Returns the locks that cover each of these items of the user: their own and those of the folders above. One statement. */
export async function listLocks(
  { db, user, clock }: Pick<Services, 'db' | 'clock'> & { user: Pick<SessionUser, 'id' | 'appPassword'> },
  itemIds: readonly string[],
): Promise<Map<string, readonly Lock[]>> {
  const found = await findLocks({ db, user, now: clock.now() }, itemIds)
  return new Map(itemIds.map((id) => [id, found?.covering(id) ?? NONE]))
}

function toLock(row: Exclude<FoundRow, { token: null }>): Lock {
  return {
    token: row.token,
    itemId: row.id,
    name: row.name,
    kind: row.kind,
    scope: row.scope,
    depth: row.depth,
    owner: row.holder,
    app: row.app,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
