import {
  FAILURES_ANYWHERE_WINDOW,
  LINK_PASSWORD_WINDOW,
  MAX_FAILURES_ANYWHERE,
  MAX_LINK_PASSWORD_TRIES,
  SLOWED_ATTEMPT_INTERVAL,
} from '@alcove/contract/limits'
import type { Context } from '../../context.ts'
import { findSessionUser } from '../../platform/http/authenticate.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import type { SlowDown } from '../../platform/http/rate-limits.ts'
import type { SharedRow } from './open-link.ts'

const NAME = 'link passwords'
const TRIES = { points: MAX_LINK_PASSWORD_TRIES, seconds: LINK_PASSWORD_WINDOW / 1000 }
/** Guesses at one link, from however many networks. */
const GUESSES: SlowDown = {
  name: 'failed passwords of a link',
  free: { points: MAX_FAILURES_ANYWHERE, seconds: FAILURES_ANYWHERE_WINDOW / 1000 },
  slowed: { points: 1, seconds: SLOWED_ATTEMPT_INTERVAL / 1000 },
}
/** Networks that have opened a link are known to it for a week. */
const OPENED = 'opened links'
const REMEMBERED = { points: 1, seconds: 7 * 24 * 3600 }

/** Counts a try at a link's password before it is looked at, so that many at once are no more than the limit allows. */
export async function countUnlock(ctx: Context, shared: SharedRow): Promise<void> {
  await ctx.rateLimits.consumeFrom(NAME, TRIES, ctx.ip, shared.token)
  await ctx.rateLimits.slowDown(GUESSES, shared.token, () => isKnownVisitor(ctx, shared))
}

/** Forgets the failures of a visitor who knew the password, and remembers where they are. */
export async function noteUnlocked(ctx: Context, shared: SharedRow): Promise<void> {
  const { rateLimits, ip } = ctx
  await rateLimits.forgetFrom(NAME, TRIES, ip, shared.token)
  if (await isKnownVisitor(ctx, shared)) await rateLimits.speedUp(GUESSES, shared.token)
  else await rateLimits.giveBack(GUESSES, shared.token)
  await rateLimits.note(OPENED, REMEMBERED, placeOf(ctx, shared))
}

/** Visitors whose network has opened this link with the password it has now, and the owner when signed in. */
async function isKnownVisitor(ctx: Context, shared: SharedRow): Promise<boolean> {
  if (await ctx.rateLimits.hasCounted(OPENED, REMEMBERED, placeOf(ctx, shared))) return true
  if (ctx.bearer === undefined) return false
  return (await findSessionUser(ctx, ctx.bearer, ctx.ip))?.id === shared.owner_id
}

function placeOf({ ip }: Context, { token, password_hash }: SharedRow): string {
  // Salted hashes differ for every password that is set.
  return `${token} ${password_hash?.slice(-16)} ${clientNetwork(ip)}`
}
