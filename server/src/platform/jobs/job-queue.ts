import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Database, Tx } from '../db/database.ts'
import type { JobTable } from '../db/tables.ts'

/** A kind of background work: its name in the queue, and what a queued job says. */
export interface JobKind<Payload> {
  readonly kind: string
  readonly schema: z.ZodType<Payload>
  /** Tried until it succeeds, however long that takes. Other jobs are given up after some attempts. */
  readonly isNeverGivenUp: boolean
}

type Handler = (payload: unknown) => Promise<void>
type JobRow = Selectable<JobTable>

/** A job is claimed for this long, and again while it is being done; a server that dies with it leaves it to another. */
const CLAIM = 60_000
const RENEW_EVERY = 20_000
const POLL = 5_000
const SOON = 50
const MAX_ATTEMPTS = 12

/**
 * Work to be done soon after a change and kept until it is done. It is queued in the transaction of the change, so
 * that neither happens without the other. Of several servers one does it, however long it takes. A handler may run
 * twice all the same, after a server died or stood still: it must bear that.
 */
export class JobQueue {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: FastifyBaseLogger
  readonly #handlers = new Map<string, Handler>()
  readonly #neverGivenUp = new Set<string>()
  readonly #renewEvery: number
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined
  /** The last round of each lane; those of one lane run one after the other. */
  readonly #rounds = new Map<string, Promise<void>>()
  readonly #claims = new Set<Promise<unknown>>()
  readonly #inWork = new Map<Promise<void>, JobRow>()
  #isStopped = false

  constructor(db: Database, clock: Clock, log: FastifyBaseLogger, { renewEvery = RENEW_EVERY } = {}) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#renewEvery = renewEvery
  }

  /** Makes this server do jobs of a kind. */
  handle<Payload>(job: JobKind<Payload>, run: (payload: Payload) => Promise<void>): void {
    this.#handlers.set(job.kind, async (payload) => run(job.schema.parse(payload)))
    if (job.isNeverGivenUp) this.#neverGivenUp.add(job.kind)
  }

  async enqueue<Payload>(tx: Tx, { kind }: JobKind<Payload>, payload: NoInfer<Payload>): Promise<void> {
    const row = { id: randomUUID(), kind, payload: JSON.stringify(payload), run_at: this.#clock.now(), attempts: 0 }
    await tx.insertInto('jobs').values(row).execute()
    // A command of the operator has nobody for it, and leaves it to a server.
    if (this.#handlers.size === 0) return
    // By then the transaction has ended. Where it has not, the next look finds the job.
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      void this.runDue()
    }, SOON).unref()
  }

  start(): void {
    this.#timer = setInterval(() => void this.runDue(), POLL)
    this.#timer.unref()
    void this.runDue()
  }

  /** After the job that is being done: what else is due, another server does, or this one when it is back. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    clearTimeout(this.#soon)
    await Promise.all(this.#rounds.values())
  }

  /** Does all that is due now: soon after something was queued, every few seconds, and when a response waits for it. */
  runDue(): Promise<void> {
    return this.#runInTurn('all')
  }

  /** Does what is due now of some kinds, without waiting for the rest of the queue, which may take long. */
  async runDueOf(jobs: readonly { kind: string }[]): Promise<void> {
    const kinds = jobs.map(({ kind }) => kind)
    await this.#runInTurn(kinds.join(), kinds)
    // One of them may have been begun by a round that was running, or is just being claimed by it.
    await Promise.allSettled(this.#claims)
    await Promise.allSettled(Array.from(this.#inWork, ([done, { kind }]) => (kinds.includes(kind) ? done : undefined)))
  }

  async #runInTurn(lane: string, kinds?: readonly string[]): Promise<void> {
    // What was queued after the running round had looked needs a round of its own.
    const previous = this.#rounds.get(lane)
    const mine = (async () => {
      await previous
      await this.#runRound(kinds)
    })()
    this.#rounds.set(lane, mine)
    await mine
    if (this.#rounds.get(lane) === mine) this.#rounds.delete(lane)
  }

  async #runRound(kinds?: readonly string[]): Promise<void> {
    // What is queued meanwhile has a round of its own, and nobody waits for work that goes on and on.
    const began = this.#clock.now()
    try {
      while (!this.#isStopped) {
        const work = await this.#begin(began, kinds)
        if (!work) return
        await work.done
      }
    } catch (error) {
      this.#log.error({ err: error }, 'the job queue could not be read')
    }
  }

  async #begin(dueBy: number, kinds?: readonly string[]): Promise<{ done: Promise<void> } | undefined> {
    const claim = this.#claim(dueBy, kinds).then((job) => job && this.#start(job))
    this.#claims.add(claim)
    return claim.finally(() => this.#claims.delete(claim))
  }

  #start(job: JobRow): { done: Promise<void> } {
    const done = this.#run(job).finally(() => this.#inWork.delete(done))
    this.#inWork.set(done, job)
    return { done }
  }

  /** Takes the next due job by moving its time on: whoever moves it has it. */
  async #claim(dueBy: number, kinds?: readonly string[]): Promise<JobRow | undefined> {
    let jobs = this.#db.selectFrom('jobs').selectAll().where('run_at', '<=', dueBy)
    if (kinds) jobs = jobs.where('kind', 'in', kinds)
    const due = await jobs.orderBy('run_at').limit(1).executeTakeFirst()
    if (!due) return undefined
    const claimed = await this.#db
      .updateTable('jobs')
      .set({ run_at: this.#clock.now() + CLAIM, attempts: due.attempts + 1 })
      .where('id', '=', due.id)
      .where('run_at', '=', due.run_at)
      .executeTakeFirst()
    return claimed.numUpdatedRows > 0n ? { ...due, attempts: due.attempts + 1 } : this.#claim(dueBy, kinds)
  }

  async #run(job: JobRow): Promise<void> {
    const stopRenewing = this.#keep(job)
    try {
      const handler = this.#handlers.get(job.kind)
      if (!handler) throw new Error(`nobody handles jobs of the kind ${job.kind}`)
      await handler(JSON.parse(job.payload))
      await this.#db.deleteFrom('jobs').where('id', '=', job.id).execute()
    } catch (error) {
      this.#log.error({ err: error, kind: job.kind, attempts: job.attempts }, 'a job failed')
      const isGivenUp = job.attempts >= MAX_ATTEMPTS && !this.#neverGivenUp.has(job.kind)
      if (isGivenUp) await this.#db.deleteFrom('jobs').where('id', '=', job.id).execute()
      else await this.#moveOn(job, Math.min(1000 * 2 ** job.attempts, 3_600_000))
    } finally {
      stopRenewing()
    }
  }

  /** Claims a job again and again, until what is answered is called. */
  #keep(job: JobRow): () => void {
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const renew = () => {
      timer = setTimeout(async () => {
        // While the database does not answer nobody else can claim it either.
        await this.#moveOn(job, CLAIM).catch(() => {})
        if (!isOver) renew()
      }, this.#renewEvery).unref()
    }
    renew()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }

  /** Unless another has claimed it since. */
  async #moveOn(job: JobRow, delay: number): Promise<void> {
    await this.#db
      .updateTable('jobs')
      .set({ run_at: this.#clock.now() + delay })
      .where('id', '=', job.id)
      .where('attempts', '=', job.attempts)
      .execute()
  }
}
