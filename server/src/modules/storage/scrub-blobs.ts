import { setTimeout as wait } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { Digester } from '../../platform/crypto/digester.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { findLeases, type Lease, withLease } from '../../platform/db/leases.ts'
import type { ScrubTable } from '../../platform/db/tables.ts'
import { clearDamage, countDamaged, findDamage, noteDamage, type RecordedBlob } from './blob-damage.ts'

const HOUR = 3_600_000
/** The least time between the beginnings of two rounds, so that each night has one. */
const BETWEEN = 20 * HOUR
/** A server that never runs at night scrubs by day after so long. */
const OVERDUE = 40 * HOUR
const [NIGHT_BEGINS, NIGHT_ENDS] = [1, 6] as const

const LEASE = 'scrub'

/** The progress of the scrub. */
type ScrubState = Pick<
  Selectable<ScrubTable>,
  'position' | 'bytes_left' | 'round_began_at' | 'round_ended_at' | 'round_bytes'
>

/**
 * Reads a share of all blobs each night and records those whose bytes differ from what was stored, so that damage is
 * known while a backup still has them. One server does it, one blob at a time, and rests as long as it reads. It looks at
 * blobs with known damage first, because they may have been repaired. After an interruption it continues where it was.
 */
export async function scrubBlobs(services: Services, signal: AbortSignal): Promise<void> {
  if (!isDue(await readScrub(services.db), services.clock.now())) return
  await withLease(services, LEASE, async (lease) => {
    // Another server may have done it just now.
    const state = await readScrub(services.db)
    if (!isDue(state, services.clock.now())) return
    await new ScrubRound(services, lease, signal).run(state)
  })
}

/** An interrupted round continues at any time of day. */
function isDue(state: ScrubState, now: number): boolean {
  if (isRoundOpen(state)) return true
  const hour = new Date(now).getHours()
  const isNight = hour >= NIGHT_BEGINS && hour < NIGHT_ENDS
  // The absolute difference, because the clock may have been ahead when the last round began.
  return Math.abs(now - (state.round_began_at ?? 0)) >= (isNight ? BETWEEN : OVERDUE)
}

export function readScrub(db: Database): Promise<ScrubState> {
  return db
    .selectFrom('scrub')
    .select(['position', 'bytes_left', 'round_began_at', 'round_ended_at', 'round_bytes'])
    .executeTakeFirstOrThrow()
}

/** Whether a round is running or was interrupted. */
export function isRoundOpen({ bytes_left }: ScrubState): boolean {
  return bytes_left > 0
}

/** Returns whether a server is scrubbing now. */
export async function isScrubRunning({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> {
  return (await findLeases(db, LEASE).where('expires_at', '>', clock.now()).executeTakeFirst()) !== undefined
}

/**
 * Begins a round that reads everything, which a server goes through as if it had been interrupted. Returns false if a round is open
 * already.
 */
export async function requestScrub({ clock }: Pick<Services, 'clock'>, tx: Tx): Promise<boolean> {
  // At least one, so that the round is open.
  const all = Math.max(1, await readCost(tx))
  const { numUpdatedRows } = await tx
    .updateTable('scrub')
    .set({ position: '', bytes_left: all, round_bytes: all, round_began_at: clock.now() })
    .where('bytes_left', '<=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns what it costs to read all blobs. */
async function readCost(db: Database): Promise<number> {
  const { count, bytes } = await db
    .selectFrom('blobs')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | string | null>('size').as('bytes')])
    .executeTakeFirstOrThrow()
  return costOf(count, Number(bytes ?? 0))
}

/** Everything is read in this many nights, so that thirty days suffice even if the server misses some nights. */
const NIGHTS = 28
/** What a blob costs however small it is, as a number of bytes that could be read in that time. */
const COST_OF_BLOB = 16 * 1024
const PAGE = 200
/** The least pause between two blobs, in milliseconds. */
const PAUSE = 2
/** The log names this many damaged blobs a round. If a disk is gone, all are missing. */
const MAX_NAMED = 20
/** How often progress is saved, in milliseconds. */
const SAVE_EVERY = 10_000

type Blob = RecordedBlob & { damaged_at: number | null }

/** What one night reads. */
class ScrubRound {
  readonly #services: Services
  readonly #lease: Lease
  readonly #signal: AbortSignal
  /** Not the server's digester, which may be busy and does one thing at a time. */
  readonly #digester = new Digester()
  #read = 0
  #found = 0

  constructor(services: Services, lease: Lease, signal: AbortSignal) {
    this.#services = services
    this.#lease = lease
    this.#signal = AbortSignal.any([signal, lease.lost])
  }

  async run(found: ScrubState): Promise<void> {
    const { clock, log } = this.#services
    const state = { ...found }
    try {
      if (!isRoundOpen(state)) {
        // A night's share of everything.
        state.round_began_at = clock.now()
        state.bytes_left = Math.ceil((await readCost(this.#services.db)) / NIGHTS)
        state.round_bytes = state.bytes_left
        await this.#save(state)
      }
      for (const blob of await this.#list('', 'damaged')) await this.#check(blob)
      await this.#readOn(state)
      state.bytes_left = 0
      state.round_ended_at = clock.now()
      log[this.#read > 0 ? 'info' : 'debug']({ read: this.#read }, 'the nightly scrub has finished')
      const damaged = await countDamaged(this.#services.db)
      if (damaged > 0)
        log.error({ damaged }, 'stored bytes are missing or damaged; run verify to see whose files they belong to')
    } catch (error) {
      if (this.#signal.aborted) return
      const isAway = error instanceof AppError && error.code === 'unavailable'
      if (!isAway) throw error
      log.warn('the nightly scrub waits because the store is not responding')
    } finally {
      this.#digester.rest()
      await this.#save(state)
    }
  }

  /** Changes nothing once another server has taken over. */
  async #save(state: ScrubState): Promise<void> {
    await this.#services.db
      .updateTable('scrub')
      .set(state)
      .where((eb) => eb.exists(this.#lease.held))
      .execute()
  }

  async #readOn(state: ScrubState): Promise<void> {
    let savedAt = performance.now()
    let hasRead = false
    while (state.bytes_left > 0) {
      const blobs = await this.#list(state.position)
      for (const blob of blobs) {
        if (state.bytes_left <= 0) return
        await this.#check(blob)
        hasRead = true
        state.position = blob.key
        state.bytes_left -= costOf(1, blob.size)
        if (performance.now() - savedAt < SAVE_EVERY) continue
        await this.#save(state)
        savedAt = performance.now()
      }
      if (blobs.length > 0) continue
      // At the end of the list, the rest of the night's share starts over, unless this pass may have read everything.
      if (state.position === '' || hasRead) state.bytes_left = 0
      state.position = ''
    }
  }

  async #check(blob: Blob): Promise<void> {
    const { db, clock, log } = this.#services
    this.#signal.throwIfAborted()
    const start = performance.now()
    const fault = await findDamage(this.#services, blob, { digester: this.#digester, signal: this.#signal })
    this.#read += 1
    if (fault === undefined && blob.damaged_at !== null) {
      await clearDamage(db, blob.key)
      log.info({ blob: blob.key }, 'a damaged blob is intact again')
    }
    // A blob that was just removed has no row to record it in: rows are deleted before bytes.
    if (fault !== undefined && (await noteDamage(db, blob.key, clock.now()))) {
      this.#found += 1
      if (this.#found <= MAX_NAMED) log.error({ blob: blob.key, fault }, 'a blob is missing or damaged')
    }
    await wait(Math.max(PAUSE, performance.now() - start), undefined, { signal: this.#signal })
  }

  #list(after: string, which: 'all' | 'damaged' = 'all'): Promise<Blob[]> {
    const listed = this.#services.db
      .selectFrom('blobs')
      .select(['key', 'size', 'sha256', 'damaged_at'])
      .where('key', '>', after)
      .orderBy('key')
      .limit(PAGE)
    return (which === 'all' ? listed : listed.where('damaged_at', 'is not', null)).execute()
  }
}

function costOf(count: number, bytes: number): number {
  return count * COST_OF_BLOB + bytes
}
