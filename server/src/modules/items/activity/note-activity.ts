import type { ActivityAction } from '@alcove/contract/activity'
import { isMacMetadata } from '@alcove/contract/names'
import type { SessionUser } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { ActivityTable, ItemRow } from '../../../platform/db/tables.ts'
import { orderedId } from '../../../platform/ordered-id.ts'

/** Similar changes within such a period are one entry. In milliseconds. */
const PERIOD = 10 * 60_000
/** How many items an entry names at least, if it has as many. */
export const NAMED_ITEMS = 5
/** A change of items from more folders than this has one entry for the rest, so that it never fills the list. */
const MAX_FOLDERS = 20

/** The user of a request, who may be a member, an app or a visitor. Without a session the server itself acts. */
export type ActingUser = Pick<SessionUser, 'id'> &
  Partial<Pick<SessionUser, 'sessionId' | 'appPassword' | 'submission' | 'member' | 'driveRootId'>>

/** An item to which something happened, with the name it has now. */
export type NotedItem = Pick<ItemRow, 'id' | 'kind' | 'name' | 'area'> & { oldName?: string }

interface Happening {
  action: ActivityAction
  /** Where it happened, or where items were moved to. */
  folderId: string
  /** Its name, if that is known. It is read otherwise. */
  folderName?: string | undefined
  /** From where items were moved. */
  originId?: string | null
  items: readonly NotedItem[]
  now: number
}

/** An entry before it is written. Names of folders that aren't known are read then. */
export type NewActivity = Omit<ActivityTable, 'folder_name' | 'origin_name'> & { folder_name: string | null }

/** What happened in each transaction, until it is written at its end. */
const notedIn = new WeakMap<Database, NewActivity[]>()

/**
 * Notes that something happened to items of a folder, for the list of activities. It is written at the end of the transaction. The
 * vault is left out, because nobody but its owner can read its names, and so is macOS's metadata, which nobody sees.
 */
export function noteActivity(tx: Tx, user: ActingUser, { items, ...happening }: Happening): void {
  const seen = items.filter(({ area, kind, name }) => area === 'drive' && !(kind === 'file' && isMacMetadata(name)))
  if (seen.length === 0) return
  const folderCount = seen.reduce((sum, { kind }) => sum + (kind === 'folder' ? 1 : 0), 0)
  noteCounted(tx, user, { ...happening, named: seen.slice(0, NAMED_ITEMS), count: seen.length, folderCount })
}

interface Counted extends Omit<Happening, 'items'> {
  named: readonly Omit<NotedItem, 'area'>[]
  count: number
  folderCount: number
}

/** Like `noteActivity`, for items of the drive that were counted and of which only a few were read. */
export function noteCounted(tx: Tx, user: ActingUser, happening: Counted): void {
  const { action, folderId, folderName, originId = null, now, count, folderCount, named } = happening
  const actor = describeActor(user)
  const period = Math.floor(now / PERIOD)
  const noted = notedIn.get(tx) ?? []
  notedIn.set(tx, noted)
  noted.push({
    id: orderedId(),
    owner_id: user.id,
    folder_id: folderId,
    folder_name: folderName ?? null,
    origin_id: originId,
    ...actor,
    action,
    count,
    folder_count: folderCount,
    items: named
      .map(({ id, kind, name, oldName }) =>
        JSON.stringify({ id, kind, name, ...(oldName !== undefined && { oldName }) }),
      )
      .join(),
    shown: named.length,
    bundle: [period, action, folderId, originId ?? '', actor.actor_id ?? '', actor.via, actor.label ?? ''].join(' '),
    began_at: now,
    last_at: now,
  })
}

interface ScatteredHappening {
  action: 'trashed' | 'moved' | 'restored'
  items: readonly (NotedItem & { parent_id: string | null })[]
  /** The folder that gets the items. Without it, they are noted in their own. */
  targetId?: string
  now: number
}

/** Notes that something happened to items of any folders, in which they still are. */
export function noteScattered(tx: Tx, user: ActingUser, { action, items, targetId, now }: ScatteredHappening): void {
  const byFolder = Map.groupBy(items, ({ parent_id }) => parent_id as string)
  const largest = [...byFolder].sort(([, one], [, other]) => other.length - one.length)
  const note = (folderId: string | null, some: readonly NotedItem[]) => {
    if (targetId !== undefined)
      noteActivity(tx, user, { action, folderId: targetId, originId: folderId, items: some, now })
    else if (folderId !== null) noteActivity(tx, user, { action, folderId, items: some, now })
  }
  for (const [folderId, some] of largest.slice(0, MAX_FOLDERS)) note(folderId, some)
  const rest = largest.slice(MAX_FOLDERS).flatMap(([, some]) => some)
  if (rest.length > 0) note(targetId === undefined ? (user.driveRootId ?? null) : null, rest)
}

/** Members act as themselves, apps as their owner. */
function describeActor({ id, sessionId, appPassword, submission, member }: ActingUser) {
  if (member) return { actor_id: member.userId, via: 'session', label: null } as const
  if (submission) return { actor_id: null, via: 'visitor', label: submission.visitorName } as const
  if (appPassword) return { actor_id: id, via: 'app', label: appPassword.name ?? null } as const
  if (sessionId) return { actor_id: id, via: 'session', label: null } as const
  return { actor_id: null, via: 'server', label: null } as const
}

/** Returns how much has been noted in a transaction, for `forgetActivity` after it has rolled back to a savepoint. */
export function countNoted(tx: Tx): number {
  return notedIn.get(tx)?.length ?? 0
}

/** Forgets what was noted in a transaction after the first ones. */
export function forgetActivity(tx: Tx, first: number): void {
  const noted = notedIn.get(tx)
  if (noted) noted.length = first
}

/** Returns what was noted in a transaction, and forgets it. */
export function takeNoted(tx: Tx): NewActivity[] {
  const noted = notedIn.get(tx) ?? []
  notedIn.delete(tx)
  return noted
}
