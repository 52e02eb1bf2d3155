import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Services } from '../../context.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ScrubTable } from '../../platform/db/tables.ts'

/** Who is at it renews this; a server that dies with it leaves the round to another. */
const LEASE = 5 * 60_000
const RENEW_EVERY = 60_000

type Taking = Pick<Services, 'db' | 'clock'>
/** How far it is. */
export type ScrubState = Pick<Selectable<ScrubTable>, 'position' | 'bytes_left' | 'round_began_at' | 'round_ended_at'>

/** The one server's turn to read: what it writes down stands, until another has the turn. */
export interface ScrubLease {
  /** Of another server's taking over, after this one had stood still. */
  readonly lost: AbortSignal
  save(state: Partial<ScrubState>): Promise<void>
}

export function readScrub(db: Database): Promise<ScrubState> {
  return db
    .selectFrom('scrub')
    .select(['position', 'bytes_left', 'round_began_at', 'round_ended_at'])
    .executeTakeFirstOrThrow()
}

/** Whether a round is under way, or was broken off. */
export function isRoundOpen({ bytes_left }: ScrubState): boolean {
  return bytes_left > 0
}

/** Does work that one server does at a time; where another is at it, nothing. */
export async function withScrubLease(taking: Taking, work: (turn: ScrubLease) => Promise<void>): Promise<void> {
  const { db, clock } = taking
  const holder = randomUUID()
  const { numUpdatedRows } = await db
    .updateTable('scrub')
    .set({ holder, held_until: clock.now() + LEASE })
    // Nobody holds it for longer: whoever wrote that had a clock that was ahead.
    .where((eb) => eb.or([eb('held_until', '<=', clock.now()), eb('held_until', '>', clock.now() + 2 * LEASE)]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const losing = new AbortController()
  const save = async (state: Partial<ScrubState>, until = clock.now() + LEASE) => {
    const kept = await db
      .updateTable('scrub')
      .set({ ...state, held_until: until })
      .where('holder', '=', holder)
      .executeTakeFirst()
    if (kept.numUpdatedRows === 0n) losing.abort()
  }
  const renewing = setInterval(() => void save({}).catch(() => losing.abort()), RENEW_EVERY)
  try {
    await work({ lost: losing.signal, save })
  } finally {
    clearInterval(renewing)
    await save({}, 0)
  }
}
