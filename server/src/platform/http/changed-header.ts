import type { FastifyReply } from 'fastify'
import type { SessionUser } from '../../context.ts'

/** The response header with the versions before and after the changes that a request has made. */
const CHANGED = 'alcove-changed'
/** A request that makes more changes than these doesn't list them. Its client then refetches as after a change of others. */
const MAX_CHANGES = 20

interface Change {
  from: string
  to: string
}

const changes = new WeakMap<object, Change[]>()

/**
 * Notes a committed change of a request, by its user. The web then knows that the event with the new version is about its own
 * change, on whichever server it reads events.
 */
export function noteChange(user: Partial<SessionUser>, from: string, to: string): void {
  // Only the web of a signed-in user reads the header. Visitors of a link, who have an app password here, must not see it: it tells
  // about the owner's plan.
  if (user.sessionId === undefined || user.appPassword) return
  const noted = changes.get(user)
  const last = noted?.at(-1)
  if (!noted) changes.set(user, [{ from, to }])
  else if (last?.to === from) last.to = to
  else noted.push({ from, to })
}

export function sendChanges(reply: FastifyReply, user: SessionUser): void {
  const noted = changes.get(user)
  if (!noted || noted.length > MAX_CHANGES) return
  reply.header(CHANGED, noted.map(({ from, to }) => `${from} ${to}`).join(', '))
}
