import type { Services, SessionUser } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { noteChange } from '../../platform/http/changed-header.ts'
import { writeActivity } from './activity/write-activity.ts'
import { noteUsage } from './storage-levels.ts'

/** The columns of a user that a version consists of. */
export const versionColumns = ['tree_version', 'plan_id', 'allocated_bytes'] as const

export interface VersionRow {
  tree_version: number
  plan_id: number
  allocated_bytes: number
}

/** Returns the version by which other tabs and devices notice changes of a user's trees or plan. */
export function describeVersion({ tree_version, plan_id, allocated_bytes }: VersionRow): string {
  return [tree_version, plan_id, allocated_bytes].join('.')
}

/** What a change of trees needs: the database, the streams that tell other tabs, and the user, who need not have made it. */
export interface TreeContext {
  readonly db: Database
  readonly events: Services['events']
  readonly user: { readonly id: string } & Partial<SessionUser>
}

interface Raise {
  readonly before: VersionRow
  after: VersionRow
}

/** The versions that a transaction has raised, by the user. The rows are locked, so nobody else raises them in between. */
const raises = new WeakMap<Database, Map<string, Raise>>()

/** Notes that a transaction has raised a user's version by one. */
export function noteRaise(tx: Tx, userId: string, { tree_version, plan_id, allocated_bytes }: VersionRow): void {
  const after = { tree_version, plan_id, allocated_bytes }
  const users = raises.get(tx) ?? new Map<string, Raise>()
  raises.set(tx, users)
  const noted = users.get(userId)
  if (noted) noted.after = after
  else users.set(userId, { before: { ...after, tree_version: tree_version - 1 }, after })
}

/** Returns the version that a transaction has reached, for `restoreVersion` after it has rolled back to a savepoint. */
export function versionIn(tx: Tx, userId: string): VersionRow | undefined {
  return raises.get(tx)?.get(userId)?.after
}

export function restoreVersion(tx: Tx, userId: string, version: VersionRow | undefined): void {
  const noted = raises.get(tx)?.get(userId)
  if (noted && version) noted.after = version
}

/** Tells the user's other tabs about the changes of a transaction that was committed. `users` are those of the requests. */
export function announceChange(
  { db, events }: Pick<TreeContext, 'db' | 'events'>,
  tx: Tx,
  users: readonly TreeContext['user'][],
): void {
  const [first] = users
  const noted = first && raises.get(tx)?.get(first.id)
  if (!noted) return
  noteUsage(db, first.id)
  const version = describeVersion(noted.after)
  events.publish(first.id, { type: 'changes', version })
  // Tabs of one session tell each other what has changed, so for them it is one change.
  if (!users.every((user) => user.sessionId === first.sessionId)) return
  for (const user of new Set(users)) noteChange(user, describeVersion(noted.before), version)
}

/** Runs a transaction that may raise the version of the user's trees, and announces the new one once it is committed. */
export function transactAndAnnounce<T>(ctx: TreeContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transactFor(ctx, [ctx.user], work)
}

/** Does the same for several requests of a user, whose users these are. */
export async function transactFor<T>(
  { db, events }: Pick<TreeContext, 'db' | 'events'>,
  users: readonly TreeContext['user'][],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let used: Tx | undefined
  const result = await db.transaction().execute(async (tx) => {
    used = tx
    const done = await work(tx)
    await writeActivity(tx)
    return done
  })
  if (used) announceChange({ db, events }, used, users)
  return result
}
