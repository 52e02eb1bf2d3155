import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { Digester } from '../../platform/digests/digester.ts'
import { clearDamage, countDamaged, noteDamage } from './damaged-blobs.ts'
import type { RecordedBlob } from './measure-blob.ts'
import { findDamage } from './scrub-blob.ts'
import { isRoundOpen, type ScrubLease, type ScrubState } from './scrub-lease.ts'

/** In so many nights everything is read: with some that are missed, in thirty days. */
const NIGHTS = 28
/** What a blob costs however small it is, as bytes that could be read meanwhile. */
const COST_OF_BLOB = 16 * 1024
const PAGE = 200
/** The least that lies between two blobs. */
const PAUSE = 2
/** So many are named in the log in a round: when a disk is not there, all are missing. */
const NAMED = 20
/** How far it is is written down so often, in milliseconds. */
const SAVE_EVERY = 10_000

type Blob = RecordedBlob & { damaged_at: number | null }

/** What one night has to read. */
export class ScrubRound {
  readonly #services: Services
  readonly #turn: ScrubLease
  readonly #signal: AbortSignal
  /** One of its own: the server's may be at work, and does one thing at a time. */
  readonly #digester = new Digester()
  #read = 0
  #found = 0

  constructor(services: Services, turn: ScrubLease, signal: AbortSignal) {
    this.#services = services
    this.#turn = turn
    this.#signal = signal
  }

  async run(found: ScrubState): Promise<void> {
    const { clock, log } = this.#services
    const state = { ...found }
    try {
      if (!isRoundOpen(state)) {
        state.round_began_at = clock.now()
        state.bytes_left = await this.#readShare()
        await this.#turn.save(state)
      }
      await this.#lookAtNoted()
      await this.#readOn(state)
      state.bytes_left = 0
      state.round_ended_at = clock.now()
      log.info({ read: this.#read }, 'stored bytes were read and compared, as they are each night')
      const damaged = await countDamaged(this.#services.db)
      if (damaged > 0) log.error({ damaged }, 'stored bytes are missing or damaged; verify tells whose files they are')
    } catch (error) {
      if (this.#signal.aborted) return
      const isAway = error instanceof AppError && error.code === 'unavailable'
      if (!isAway) throw error
      log.warn('the nightly reading of stored bytes waits, since the store does not answer')
    } finally {
      this.#digester.rest()
      await this.#turn.save(state)
    }
  }

  async #readOn(state: ScrubState): Promise<void> {
    let savedAt = performance.now()
    let hasRead = false
    while (state.bytes_left > 0) {
      const blobs = await this.#list(state.position)
      for (const blob of blobs) {
        if (state.bytes_left <= 0) return
        await this.#look(blob)
        hasRead = true
        state.position = blob.key
        state.bytes_left -= costOf(1, blob.size)
        if (performance.now() - savedAt < SAVE_EVERY) continue
        await this.#turn.save(state)
        savedAt = performance.now()
      }
      if (blobs.length > 0) continue
      // All have been read: what is left of the night begins anew, unless it has read some, since that could be all of them.
      if (state.position === '' || hasRead) state.bytes_left = 0
      state.position = ''
    }
  }

  async #lookAtNoted(): Promise<void> {
    for (const blob of await this.#list('', 'damaged')) await this.#look(blob)
  }

  async #look(blob: Blob): Promise<void> {
    const { db, clock, log } = this.#services
    this.#signal.throwIfAborted()
    const start = performance.now()
    const fault = await findDamage(this.#services, blob, { digester: this.#digester, signal: this.#signal })
    this.#read += 1
    if (fault === undefined && blob.damaged_at !== null) {
      await clearDamage(db, blob.key)
      log.info({ blob: blob.key }, 'a blob that was damaged is whole again')
    }
    // Of one that was removed just now there is no row to note it in: the row goes before the bytes.
    if (fault !== undefined && (await noteDamage(db, blob.key, clock.now()))) {
      this.#found += 1
      if (this.#found <= NAMED) log.error({ blob: blob.key, fault }, 'a blob is missing or damaged')
    }
    await wait(Math.max(PAUSE, performance.now() - start), undefined, { signal: this.#signal })
  }

  /** What a night has to read of all that is stored. */
  async #readShare(): Promise<number> {
    const { count, bytes } = await this.#services.db
      .selectFrom('blobs')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number | string | null>('size').as('bytes')])
      .executeTakeFirstOrThrow()
    return Math.ceil(costOf(count, Number(bytes ?? 0)) / NIGHTS)
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
