import { calls } from '@alcove/contract/calls'
import type { Announcement } from '@alcove/contract/site'
import type { Services, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { eventsEndpoint } from '../../platform/http/api.ts'
import { keepValidAppPasswords } from '../../platform/http/app-passwords.ts'
import { keepValidSessions } from '../../platform/http/authenticate.ts'
import { describeVersion, NOTHING_SHARED, readSharedVersions, versionColumns } from '../items/index.ts'
import { readAnnouncement, readMaintenance } from '../site/index.ts'

/** The longest life of a stream. When its client connects again, the session is extended. In milliseconds. */
const MAX_LIFETIME = 30 * 60_000

/** Opens a stream. The current state is sent at once, so a client that connects again has missed nothing. */
export const streamEvents = eventsEndpoint(calls.streamEvents, async (ctx) => {
  const { user, events, ip } = ctx
  const isSilent = (user.appPassword?.folderId ?? null) !== null
  const isAppPassword = user.appPassword !== undefined
  const stream = events.open({
    ...{ userId: user.id, sessionId: user.sessionId, isAppPassword, isSilent, ip },
    endsAt: ctx.clock.now() + chooseLifetime(ctx),
  })
  try {
    if (!isSilent) await sendState(ctx)
    return stream
  } catch (error) {
    stream.destroy()
    throw error
  }
})

/** Differs, so that the streams that a restart has cut off don't end together again. */
function chooseLifetime({ config }: UserContext): number {
  return Math.min(MAX_LIFETIME, config.sessionTtl / 2) * (0.8 + Math.random() * 0.2)
}

async function sendState(ctx: UserContext): Promise<void> {
  const { db, events, user } = ctx
  const announcement = (await readAnnouncement(ctx)) ?? null
  // The stream is open, so it gets a version that overtakes this one.
  const asOf = events.position
  const [current] = await readStates(db, [user.id])
  if (!current) throw new AppError('unauthenticated', 'Your session has expired.')
  publishState(events, { ...current, announcement }, asOf)
}

/** What the streams of a user tell. */
interface State {
  id: string
  version: string
  shared: string
  unread: number
  announcement: Announcement | null
}

function publishState(
  events: Services['events'],
  { id, version, shared, unread, announcement }: State,
  asOf: number,
): void {
  events.publish(id, { type: 'changes', version }, asOf)
  events.publish(id, { type: 'shared', version: shared }, asOf)
  events.publish(id, { type: 'notices', unread }, asOf)
  events.publish(id, { type: 'announcement', announcement }, asOf)
}

async function readStates(db: Database, userIds: readonly string[]): Promise<Omit<State, 'announcement'>[]> {
  const shared = await readSharedVersions(db, userIds)
  const rows = await db
    .selectFrom('users')
    .select(['id', ...versionColumns])
    .select((eb) =>
      eb
        .selectFrom('notices')
        .select((notices) => notices.fn.countAll<number>().as('unread'))
        .whereRef('user_id', '=', 'users.id')
        .where('read_at', 'is', null)
        .as('unread'),
    )
    .where(isAmong(db, 'id', userIds))
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    version: describeVersion(row),
    shared: shared.get(row.id) ?? NOTHING_SHARED,
    unread: Number(row.unread),
  }))
}

/** Publishes notices, and changes that other servers, jobs and commands have made, to the users who have streams open here. */
export async function pollChanges(services: Services): Promise<void> {
  const { db, events } = services
  const userIds = events.listeningUsers()
  if (userIds.length === 0) return
  const asOf = events.position
  const announcement = (await readAnnouncement(services)) ?? null
  for (const state of await readStates(db, userIds)) publishState(events, { ...state, announcement }, asOf)
}

/**
 * Ends streams whose session or app password has ended, those that have reached their longest life, and during maintenance those of
 * everybody but administrators.
 */
export async function endRevokedStreams(services: Services): Promise<void> {
  const listeners = services.events.listeners()
  if (listeners.length === 0) return
  const ids = (isAppPassword: boolean) => [
    ...new Set(listeners.filter(([, of]) => of.isAppPassword === isAppPassword).map(([, of]) => of.sessionId)),
  ]
  const [sessions, appPasswords] = [ids(false), ids(true)]
  const valid = new Set([
    ...(sessions.length > 0 ? await keepValidSessions(services, sessions) : []),
    ...(appPasswords.length > 0 ? await keepValidAppPasswords(services, appPasswords) : []),
  ])
  const mayStay = await findAllowed(services)
  const now = services.clock.now()
  for (const [stream, { userId, sessionId, endsAt }] of listeners) {
    if (!valid.has(sessionId) || endsAt <= now || !mayStay(userId)) stream.end()
  }
}

/** Returns who may use the server: during maintenance only administrators. */
async function findAllowed(services: Services): Promise<(userId: string) => boolean> {
  if ((await readMaintenance(services)) === undefined) return () => true
  const rows = await services.db.selectFrom('users').select('id').where('site_role', '=', 'admin').execute()
  const administrators = new Set(rows.map(({ id }) => id))
  return (userId) => administrators.has(userId)
}

/** Sends a comment in each stream, so that proxies keep idle connections open and dead ones are found. */
export async function sendHeartbeats({ events }: Services): Promise<void> {
  for (const [stream] of events.listeners()) stream.beat()
}
