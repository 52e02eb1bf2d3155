import type { Services } from '../../context.ts'
import { isRoundOpen, readScrub, type ScrubState, withScrubLease } from './scrub-lease.ts'
import { ScrubRound } from './scrub-round.ts'

const HOUR = 3_600_000
/** Between the beginnings of two rounds, so that each night has one. */
const BETWEEN = 20 * HOUR
/** Where a server never runs at night, it reads by day after so long. */
const OVERDUE = 40 * HOUR
const [NIGHT_BEGINS, NIGHT_ENDS] = [1, 6] as const

/**
 * Reads a share of all blobs each night and notes those whose bytes are not what was stored, so that damage is known while
 * a backup still has them. One server does it, one blob at a time, with as much rest as work. What was noted before is
 * looked at first: it may have been mended. Broken off, it goes on where it was.
 */
export async function scrubBlobs(services: Services, signal: AbortSignal): Promise<void> {
  if (!isDue(await readScrub(services.db), services.clock.now())) return
  await withScrubLease(services, async (turn) => {
    // Another server may have done it just now.
    const state = await readScrub(services.db)
    if (!isDue(state, services.clock.now())) return
    const round = new ScrubRound(services, turn, AbortSignal.any([signal, turn.lost]))
    await round.run(state)
  })
}

/** A round that was broken off is gone on with at any time. */
function isDue(state: ScrubState, now: number): boolean {
  if (isRoundOpen(state)) return true
  const hour = new Date(now).getHours()
  const isNight = hour >= NIGHT_BEGINS && hour < NIGHT_ENDS
  // However the clock was set when the last one began.
  return Math.abs(now - (state.round_began_at ?? 0)) >= (isNight ? BETWEEN : OVERDUE)
}
