import { storageThresholds } from '@alcove/contract/notices'
import { rolesFrom } from '@alcove/contract/roles'
import type { Services } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { type NewNotice, notify, notifyAll } from '../notices/index.ts'

type Checking = Pick<Services, 'db' | 'clock'>

/** A threshold counts again only after usage has fallen this far below it. In percentage points. */
const FALL = 5
/** How many users one statement reads. */
const USERS_AT_ONCE = 1000

interface Usage {
  used_bytes: number
  allocated_bytes: number
  /** The threshold about which the user last got a notice, or 0. */
  storage_level: number
}

/** The users whose usage may have changed since the last round. */
const changed = new WeakMap<Database, Set<string>>()

/**
 * Notes that the usage of a user may have changed. Runs after each committed change and must cost nothing, so a scheduled job looks at
 * the usage later. A trigger would take a microsecond on SQLite and 20 on PostgreSQL.
 */
export function noteUsage(db: Database, userId: string): void {
  const users = changed.get(db)
  if (users) users.add(userId)
  else changed.set(db, new Set([userId]))
}

/** Gives notices to users whose storage has reached a threshold since the last round. Safe to run at any time, and twice at once. */
export async function noticeStorageLevels(services: Checking, signal?: AbortSignal): Promise<void> {
  const noted = [...(changed.get(services.db) ?? [])]
  changed.delete(services.db)
  for (let at = 0; at < noted.length; at += USERS_AT_ONCE) {
    const ids = noted.slice(at, at + USERS_AT_ONCE)
    const users = await selectUsage(services.db)
      .where(isAmong(services.db, 'id', ids))
      .execute()
    for (const user of users) {
      if (signal?.aborted) return
      if (hasCrossedThreshold(user)) await checkStorage(services, user.id)
    }
  }
}

/**
 * Notes all users whose storage has crossed a threshold: what noticed it may have been another process or have crashed, and a plan
 * may have changed.
 */
export async function findStorageLevels({ db }: Checking, signal?: AbortSignal): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined && !signal?.aborted; ) {
    const users: (Usage & { id: string })[] = await selectUsage(db)
      .where('id', '>', last)
      .orderBy('id')
      .limit(USERS_AT_ONCE)
      .execute()
    for (const user of users) if (hasCrossedThreshold(user)) noteUsage(db, user.id)
    last = users.at(USERS_AT_ONCE - 1)?.id
  }
}

function selectUsage(db: Database) {
  return db
    .selectFrom('users')
    .select(['id', 'used_bytes', 'allocated_bytes', 'storage_level'])
    .where('deleted_at', 'is', null)
}

async function checkStorage(services: Checking, userId: string): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    // Locks the user's row, so that two servers don't give the same notice.
    const user = await tx
      .updateTable('users')
      .set((eb) => ({ storage_level: eb.ref('storage_level') }))
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .returning(['used_bytes', 'allocated_bytes', 'storage_level'])
      .executeTakeFirst()
    if (!user || !hasCrossedThreshold(user)) return
    const level = nextLevel(user)
    await tx.updateTable('users').set({ storage_level: level }).where('id', '=', userId).execute()
    const percent = storageThresholds.find((threshold) => threshold === level)
    if (percent === undefined || level < user.storage_level) return
    const data = { percent, usedBytes: user.used_bytes, allocatedBytes: user.allocated_bytes }
    await notify(services, tx, userId, { kind: 'storage', data })
    if (percent === 100) await notifyWriters(services, tx, userId)
  })
}

/** Tells everyone who can add to a folder of the user that there is no space left, naming one such folder to each. */
async function notifyWriters(services: Checking, tx: Tx, ownerId: string): Promise<void> {
  const writers = await tx
    .selectFrom('members')
    .innerJoin('items as folder', 'folder.id', 'members.folder_id')
    .innerJoin('users as owner', 'owner.id', 'members.owner_id')
    .select(['members.user_id', 'members.folder_id', 'folder.name', 'owner.email', 'owner.display_name'])
    .where('members.owner_id', '=', ownerId)
    .where('members.role', 'in', rolesFrom('contributor'))
    .where('members.user_id', 'is not', null)
    .$narrowType<{ user_id: string }>()
    .where('folder.trash_id', 'is', null)
    // The later ones replace those before them, so each is told about the folder that they accepted first.
    .orderBy('members.accepted_at', 'desc')
    .execute()
  const notices = writers.map(({ user_id, folder_id, name, email, display_name }): [string, NewNotice] => [
    user_id,
    {
      kind: 'shared_storage_full',
      data: { folderId: folder_id, folder: name, owner: display_name ?? email },
    },
  ])
  await notifyAll(services, tx, new Map(notices))
}

function hasCrossedThreshold(usage: Usage): boolean {
  return nextLevel(usage) !== usage.storage_level
}

/** Returns the threshold that a user should have a notice about, or 0. */
export function nextLevel({ used_bytes, allocated_bytes, storage_level }: Usage): number {
  const isAt = (percent: number) => used_bytes * 100 >= allocated_bytes * percent
  const reached = storageThresholds.findLast((threshold) => threshold > storage_level && isAt(threshold))
  const kept = storageThresholds.findLast((threshold) => threshold <= storage_level && isAt(threshold - FALL))
  return reached ?? kept ?? 0
}
